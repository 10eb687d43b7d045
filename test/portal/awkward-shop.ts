import { sql } from 'kysely'
import { workerGround } from '../harness/worker-ground.ts'
import type { World } from '../harness/world.ts'
import type { Person } from './a-portal.ts'

/** Names that people and shops really have, and those that somebody gives to see what happens. */
export const awkwardNames = [
  '<img src=x onerror=alert(1)><script>alert(2)</script><b>Lamp</b>',
  'donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3).slice(0, 250),
  'متجر المصابيح القديم في شارع الميناء',
  '👩‍👩‍👧‍👦 Lämpchen 🏳️‍🌈 „Ester“ & Söhne',
  `evil \u202Elamp\u202C "quoted" 'single' {{handlebars}} %s`,
]
const [html = '', long = '', rightToLeft = '', emoji = '', odd = ''] = awkwardNames
/** More than a double can hold exactly. */
const largeId = '9223372036854775807'

/** Migrations of every kind over two shops with such names, by what they show. */
export interface AwkwardMigrations {
  copy: string
  trial: string
  comparison: string
  /** Paused before it deletes. */
  deleting: string
}

/** Names everything in a world of brands and categories awkwardly, and copies it. */
export async function makeAwkward(world: World): Promise<AwkwardMigrations> {
  const { database, organisationId } = world
  await renameBrands(world)
  await world.complete({ label: 'First copy', autoHeal: false })
  await renameBrands(world, ' again')
  const body = String((await world.state('source')).brands?.at(-1)?.name).slice(0, 20)
  await world.fault('destination', { kind: 'error_before_applying', status: 422, path: 'brands', times: null, body })
  const { requestId: copy } = await world.complete({ label: long, autoHeal: false, conflictStrategy: 'update' })
  await world.clearFaults('destination')
  const { requestId: trial } = await world.complete({ label: rightToLeft, mode: 'dry-run', conflictStrategy: 'update' })
  const { detail } = await world.verify(copy)
  const [extra] = (await world.state('destination')).brands ?? []
  const { id } = await world.change('destination', { op: 'double', table: 'brands', id: Number(extra?.id) })
  await world.change('destination', {
    op: 'set',
    table: 'brands',
    id: Number(id),
    fields: { name: `${emoji} only here` },
  })
  const limits = { pruneLimitPercent: 0, pruneLimitItems: 0 }
  const deleting = await world.migrate({ label: html, conflictStrategy: 'replace', autoHeal: false, ...limits })
  await world.finished(deleting, { status: 'paused', seconds: 20 })
  await addRows(world, copy, detail.requestId)
  for (const [side, label] of [
    ['source', html],
    ['destination', long],
  ] as const)
    await sql`update stores set label = ${label} where organisation_id = ${organisationId}
      and hash = ${world.address(side).hash}`.execute(database)
  await sql`update organisations set name = ${`${emoji} ${long}`.slice(0, 255)} where id = ${organisationId}`.execute(
    database,
  )
  await sql`update users set first_name = ${rightToLeft}, last_name = ${long}
    where id in (select user_id from memberships where organisation_id = ${organisationId})`.execute(database)
  return { copy, trial, comparison: detail.requestId, deleting }
}

/** Browsers and programs of a person that look the same. */
export async function appearTwice(
  { database, organisationId }: World,
  { userId }: Pick<Person, 'userId'>,
): Promise<void> {
  const { deps } = await workerGround()
  for (let time = 1; time <= 2; time++) {
    await sql`update sessions set started_at = started_at - interval '1 minute' where user_id = ${userId}`.execute(
      database,
    )
    await sql`update bearer_tokens set issued_at = issued_at - interval '1 minute' where user_id = ${userId}`.execute(
      database,
    )
    await deps.database.transaction().execute((tx) => deps.sessions.begin(tx, userId, undefined))
    await deps.bearerTokens.issue({ userId, organisationId, secretVersion: 1, generation: 0 })
  }
}

async function renameBrands(world: World, suffix = ''): Promise<void> {
  const brands = (await world.state('source')).brands ?? []
  for (const [at, { id }] of brands.entries()) {
    const name = `${awkwardNames[at % awkwardNames.length]}${at < awkwardNames.length ? '' : at}${suffix}`
    await world.change('source', { op: 'set', table: 'brands', id: Number(id), fields: { name } })
  }
}

/** What no small copy brings about: large ids, and every name on each list. */
async function addRows({ database, organisationId }: World, copy: string, comparison: string): Promise<void> {
  const text = JSON.stringify([...awkwardNames, odd])
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item, platform)
    select ${organisationId}, ${copy}, 'brands', 'brands', case when at % 2 = 0 then 'warning' else 'failure' end,
      'platform_refused', 'BigCommerce refused ' || name, 'Correct the item in the source store, then try again.',
      (${largeId}::numeric - at)::text, jsonb_build_object('name', name, 'sku', name, 'path', name),
      jsonb_build_object('method', 'POST', 'path', '/v3/catalog/brands', 'status', 422, 'title', name, 'errors', jsonb_build_object('name', name))
    from jsonb_array_elements_text(${text}::jsonb) with ordinality as named (name, at)`.execute(database)
  await sql`
    insert into differences (organisation_id, run_id, phase, component, kind, source_id, destination_id, item, fields, living)
    select ${organisationId}, ${comparison}, 'brands', 'brands', 'different', (${largeId}::numeric - at)::text,
      (${largeId}::numeric - at)::text, jsonb_build_object('name', name, 'sku', name, 'path', name),
      jsonb_build_array(jsonb_build_object('path', 'description', 'source', name, 'destination', repeat(name, 3))), false
    from jsonb_array_elements_text(${text}::jsonb) with ordinality as named (name, at)`.execute(database)
}
