import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modes } from '../../src/contract/modes.ts'
import { findStore } from '../../src/db/accounts/stores.ts'
import { runTables } from '../../src/db/core/run-role.ts'
import { forgetEndedRun, workTables } from '../../src/db/runs/forget-runs.ts'
import { leaveInProgress } from '../../src/db/runs/run-life.ts'
import { createRun, type NewRun, recordProgressSample } from '../../src/db/runs/runs.ts'
import { readDetail } from '../../src/db/runs/snapshots.ts'
import { defaultLatencies, defaultQuota, type PriceBasis } from '../../src/model/forecast/forecast.ts'
import { summariseMigrations } from '../../src/operations/reports/summarise-migrations.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { mapItems } from '../harness/map-items.ts'
import { aShape } from '../model/shape-samples.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'
import { addDifference, addIssue, setCount } from './migration-rows.ts'

/** What the engine keeps of a run for its work. Nothing of a run that has ended is read from them. */
const engineTables = [
  ...['run_counters', 'run_leases', 'destination_leases', 'quota_shares', 'used_up_windows', 'endpoint_slots'],
  ...['ledger', 'ledger_pages', 'checkpoints', 'intents', 'settled_writes', 'failed_items', 'rewritten_links'],
  ...['staged_items', 'destination_items', 'destination_keys', 'source_keys', 'source_ids', 'named_items'],
  ...['prune_candidates', 'planned_mappings', 'planned_keys', 'scope_items', 'preflights', 'plan_bases'],
]

/** What stays: the run and its reports, and what belongs to its stores. */
const keptTables = [
  ...['runs', 'snapshots', 'outbox', 'notification_events', 'issues', 'differences', 'deletions', 'before_images'],
  ...['run_phase_times', 'run_calls', 'restarts'],
  ...['mapping_sets', 'mappings', 'moved_addresses', 'side_effects', 'stock_before', 'stock_sold', 'started_stock'],
]

const endings = ['completed', 'partial_completed', 'failed', 'cancelled'] as const
type Ending = (typeof endings)[number]

let service: Service
let organisation: Organisation
let owner: string
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

/** The runs of each group of stories are those of an organisation of their own. */
async function newOrganisation(): Promise<void> {
  organisation = await anOrganisation(service)
  owner = await organisation.token()
}

const phases: NewRun['phases'] = [
  { key: 'brands', label: 'Brands', components: [{ key: 'brands', label: 'Brands' }] },
  {
    key: 'page-widgets',
    label: 'Page widgets',
    components: [
      { key: 'page-widgets', label: 'Page widgets', widgets: true },
      { key: 'global-widgets', label: 'Global widgets', global: true },
    ],
  },
]

const basis: PriceBasis = {
  shapes: [aShape('brands', { items: 10 })],
  opening: { source: 2, destination: 3 },
  latencies: defaultLatencies,
  quotas: { source: defaultQuota, destination: { calls: Infinity, windowSeconds: 30 } },
  correction: 1,
}

interface Ended {
  id: string
  /** The detail, as the engine's tables said it in the transaction that ended the run. */
  atTheEnd: string
}

/** A run over picked brands and pages that the engine has worked on and ends now. */
async function anEndedRun(mode: NewRun['mode'], status: Ending): Promise<Ended> {
  const { database } = service.deps
  const [source, destination] = await Promise.all(
    ['store1', 'store2'].map((hash) => findStore(database, organisation.id, hash)),
  )
  const selection = { brands: { ids: ['1'] }, pageTemplates: [{ file: 'pages/home', globals: true }] }
  const id = await database.transaction().execute((tx) =>
    createRun(tx, {
      organisationId: organisation.id,
      sourceStoreId: source!.id,
      destinationStoreId: destination!.id,
      mode,
      conflictStrategy: 'update',
      autoHeal: true,
      label: `${mode} ${status}`,
      settings: { source: 'store1', destination: 'store2', mode, selection },
      selective: true,
      sourceStorefront: '1',
      destStorefront: null,
      phases,
      verifiesRunId: null,
      createdBy: organisation.userId,
    }),
  )
  const run = { id, organisationId: organisation.id }
  await sql`update runs set status = 'in_progress', phase = 'brands', fallback_reason = 'No answer.',
    started_at = now() - interval '1 minute', admitted_at = now() - interval '1 minute' where id = ${id}`.execute(
    database,
  )
  await sql`insert into scope_items (run_id, side, component, item_id, why) values
    (${id}, 'source', 'brands', '1', 'picked'), (${id}, 'source', 'categories', '7', 'needed')`.execute(database)
  await sql`insert into plan_bases (run_id, basis) values (${id}, ${JSON.stringify(basis)}::jsonb)`.execute(database)
  await sql`update run_counters set progressed_at = now(), widgets = 3, pruned = 2, errors = 1 where run_id = ${id}`.execute(
    database,
  )
  await setCount(database, id, 'brands', {
    expected: 12,
    discovered: 10,
    created: 4,
    matched: 3,
    failed: 2,
    warnings: 1,
  })
  await setCount(database, id, 'global-widgets', { discovered: 1, created: 1 })
  await recordProgressSample(database, id)
  await addIssue(database, run, { sourceId: '1' })
  await addIssue(database, run, { sourceId: '2' })
  await addIssue(database, run, { sourceId: '3', severity: 'warning', code: 'source_gone' })
  await addDifference(database, run, { kind: 'missing', sourceId: '1' })
  await addDifference(database, run, { kind: 'different', sourceId: '2', destinationId: '9', living: true })
  const failure = status === 'failed' ? { code: 'crash_loop', message: 'It ended four times.' } : null
  return database.transaction().execute(async (tx) => {
    await leaveInProgress(tx, run, status, failure)
    return { id, atTheEnd: JSON.stringify(await readDetail(tx, organisation.id, id)) }
  })
}

/** By path. */
type Answers = Record<string, unknown>

/** What is read of these runs, as it leaves the service; of the first one everything. */
async function answersAbout(runs: Ended[]): Promise<Answers> {
  const of = `/v2/migrations/${runs[0]?.id}`
  const paths = [
    ...['/v2/migrations?limit=200', `${of}/timeline`, `${of}/sign-off`],
    ...[`${of}/issues`, `${of}/issues/summary`, `${of}/differences`, `${of}/differences/summary`],
    ...runs.flatMap(({ id }) => ['', '/request'].map((path) => `/v2/migrations/${id}${path}`)),
  ]
  const answers: Answers = { summary: await summary() }
  for (const path of paths) {
    const { statusCode, body, headers } = await service.get(path, owner)
    expect(statusCode, `${path}: ${body}`).toBe(200)
    answers[path] = { body, readSource: headers['x-read-source'] }
  }
  return answers
}

async function summary() {
  const caller = await service.deps.bearerTokens.verify(owner)
  return (await perform(summariseMigrations, {}, caller, service.deps)).output
}

/** As of runs that ended before there were snapshots like these. */
async function withoutSnapshots<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  const { database } = service.deps
  await sql`alter table snapshots rename to snapshots_of_now`.execute(database)
  await sql`create table snapshots (like snapshots_of_now)`.execute(database)
  try {
    return await read()
  } finally {
    await sql`drop table snapshots`.execute(database)
    await sql`alter table snapshots_of_now rename to snapshots`.execute(database)
  }
}

/** A read of these tables fails, even one that would find nothing. */
async function withoutTables<Answer>(tables: string[], read: () => Promise<Answer>): Promise<Answer> {
  const { database } = service.deps
  const move = async (from: string, to: string) => {
    for (const table of tables) await sql`alter table ${sql.id(from, table)} set schema ${sql.id(to)}`.execute(database)
  }
  await sql`create schema elsewhere`.execute(database)
  await move('public', 'elsewhere')
  try {
    return await read()
  } finally {
    await move('elsewhere', 'public')
    await sql`drop schema elsewhere`.execute(database)
  }
}

test('every table that runs write to is one of the engine or one that stays', () => {
  expect([...engineTables, ...keptTables].sort()).toEqual([...runTables].sort())
  expect(engineTables).toEqual(expect.arrayContaining(workTables))
})

describe('runs of every mode, however they ended', () => {
  const all = modes.flatMap((mode) => endings.map((status) => ({ mode, status })))
  let runs: Ended[]
  let answers: Answers
  beforeAll(async () => {
    await newOrganisation()
    runs = await Promise.all(all.map(({ mode, status }) => anEndedRun(mode, status)))
    answers = await answersAbout(runs)
  })

  test('F3: are read to the byte as they were at their end', () => {
    for (const { id, atTheEnd } of runs)
      expect(answers[`/v2/migrations/${id}`]).toEqual({ body: atTheEnd, readSource: 'postgres' })
  })

  test('F3: are read from the tables of the engine where they have no snapshot, and the answers are the same', async () => {
    expect(await withoutSnapshots(() => answersAbout(runs))).toEqual(answers)
  })

  test('F3: are read as before when all tables of the engine are gone', async () => {
    expect(await withoutTables(engineTables, () => answersAbout(runs))).toEqual(answers)
  })
})

test('F3, S9: what was completed loses what it worked with after a day, unless erasing a shopper needs it', async () => {
  await newOrganisation()
  const { database } = service.deps
  const [done, today, failed, originals] = await Promise.all([
    anEndedRun('full', 'completed'),
    anEndedRun('full', 'completed'),
    anEndedRun('full', 'failed'),
    anEndedRun('full', 'completed'),
  ])
  for (const { id } of [done, failed, originals])
    await sql`update runs set finished_at = now() - interval '25 hours' where id = ${id}`.execute(database)
  const original = (id: string, body: string | null, sealed: Buffer | null) =>
    sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed)
    values (${organisation.id}, ${id}, 'brands', '999', 'update', ${body}::jsonb, ${sealed})`.execute(database)
  await original(originals.id, null, Buffer.from('sealed'))
  await original(done.id, '{}', null)
  const answers = await answersAbout([done])
  while (await forgetEndedRun(database, 90));
  expect(await answersAbout([done])).toEqual(answers)
  const { rows } = await sql<{ id: string }>`
    select distinct run_id as id from run_counters where run_id in (${sql.join([done, today, failed, originals].map(({ id }) => id))})`.execute(
    database,
  )
  expect(rows.map(({ id }) => id).sort()).toEqual([today, failed, originals].map(({ id }) => id).sort())
})

test('F3: in the history, what a process of the version before wrote counts, not the line it left as it was', async () => {
  await newOrganisation()
  const { database } = service.deps
  const [changed, made] = [await anEndedRun('full', 'completed'), await anEndedRun('verify', 'completed')]
  const history = async () => (await service.get('/v2/migrations', owner)).json().items
  const before = await history()
  expect(before).toMatchObject([{ requestId: made.id }, { requestId: changed.id, failuresOpen: 2 }])
  await sql`
    update snapshots set revision = revision + 1, document = (document::jsonb || '{"failuresOpen": 7}')::json
    where run_id = ${changed.id}`.execute(database)
  await sql`update snapshots set line = null where run_id = ${made.id}`.execute(database)
  await sql`delete from run_counters where run_id in (${changed.id}, ${made.id})`.execute(database)
  expect(await history()).toEqual([before[0], { ...before[1], failuresOpen: 7 }])
})

describe('what is dismissed when the engine has forgotten the run', () => {
  beforeAll(newOrganisation)
  const post = (path: string, payload: object) =>
    service.inject({ method: 'POST', url: path, payload, headers: { authorization: `Bearer ${owner}` } })
  const forget = async (id: string) => {
    for (const table of ['run_counters', 'failed_items', 'scope_items', 'plan_bases'])
      await sql`delete from ${sql.table(table)} where run_id = ${id}`.execute(service.deps.database)
  }
  const read = async (path: string) => (await service.get(path, owner)).json()

  test('F3: changes the open failures of the run, and none of its numbers', async () => {
    const { id } = await anEndedRun('full', 'partial_completed')
    const [before, request, { openFailures }] = [
      await read(`/v2/migrations/${id}`),
      await read(`/v2/migrations/${id}/request`),
      await summary(),
    ]
    await forget(id)
    const [first] = (await read(`/v2/migrations/${id}/issues`)).items
    expect((await post(`/v2/migrations/${id}/issues/dismiss`, { ids: [first.id] })).json()).toEqual({ dismissed: 1 })
    const { summaryLine, ...after } = await read(`/v2/migrations/${id}`)
    expect({ ...after, summaryLine: before.summaryLine }).toEqual({ ...before, failuresOpen: 1 })
    expect(summaryLine).not.toBe(before.summaryLine)
    expect((await read(`/v2/migrations?text=${id}`)).items[0]).toMatchObject({ failuresOpen: 1, summaryLine })
    expect((await summary()).openFailures).toBe(openFailures - 1)
    await post(`/v2/migrations/${id}/issues/dismiss`, { severity: 'failure' })
    expect(await read(`/v2/migrations/${id}`)).toMatchObject({
      ...{ status: 'completed', failuresOpen: 0, counters: before.counters, phases: before.phases },
    })
    expect((await read(`/v2/migrations/${id}/request`)).scope).toEqual(request.scope)
  })

  test('F3: is counted among the differences of a comparison', async () => {
    const { id } = await anEndedRun('verify', 'partial_completed')
    await forget(id)
    await post(`/v2/migrations/${id}/differences/dismiss`, { kind: 'missing' })
    const { counts } = await read(`/v2/migrations/${id}/differences/summary`)
    expect(counts).toMatchObject([{ kind: 'different' }, { kind: 'missing', count: 1, dismissed: 1 }])
  })
})

test('F3, G10: what ended long ago and cannot go on loses what it worked with, but no answer, mapping or unconfirmed write', async () => {
  await newOrganisation()
  const { database } = service.deps
  const [old, earlier] = await Promise.all([anEndedRun('full', 'completed'), anEndedRun('dry-run', 'completed')])
  const [goesOn, putsBack] = await Promise.all([
    anEndedRun('full', 'partial_completed'),
    anEndedRun('full', 'cancelled'),
  ])
  const recent = await anEndedRun('verify', 'failed')
  const runs = [old, earlier, goesOn, putsBack, recent]
  const age = async ({ id }: Ended, days: number) =>
    sql`update runs set finished_at = now() - ${days} * interval '1 day' where id = ${id}`.execute(database)
  for (const run of runs) await age(run, run === recent ? 89 : 91)
  // As the version before left it.
  await sql`update snapshots set schema_version = 1, request = null, reading = null, findings = null where run_id = ${earlier.id}`.execute(
    database,
  )
  const ofStores = sql`select organisation_id, source_store_id, destination_store_id from runs where id = ${old.id}`
  await sql`insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id, desired)
    select 'BC', 'store2', 'mail', 'orders', '', organisation_id, destination_store_id, ${putsBack.id}, '{}' from (${ofStores}) of`.execute(
    database,
  )
  await sql`insert into ledger (run_id, component, source_id, pass, root_id, state) values (${old.id}, 'brands', '1', 'brands', '1', 'created')`.execute(
    database,
  )
  await mapItems(database, old.id, [{ sourceId: '1', destinationId: '11' }])
  await sql`insert into intents (organisation_id, source_store_id, destination_store_id, run_id, epoch, scope, component, action, pass, items)
    select *, ${old.id}::uuid, 1, 'store', 'brands', 'create', 'brands', '[]' from (${ofStores}) of`.execute(database)
  const answers = await answersAbout(runs)

  const forgotten = async (found = 0): Promise<number> =>
    (await forgetEndedRun(database, 90)) ? forgotten(found + 1) : found
  expect(await forgotten()).toBe(2)
  expect(await answersAbout(runs)).toEqual(answers)
  const has = async (table: string, { id }: Ended) =>
    (await sql`select from ${sql.table(table)} where run_id = ${id} limit 1`.execute(database)).rows.length === 1
  for (const table of workTables) expect([table, await has(table, old)]).toEqual([table, false])
  for (const run of [goesOn, putsBack, recent]) expect(await has('run_counters', run)).toBe(true)
  for (const table of ['mappings', 'intents', 'scope_items'])
    expect([table, await has(table, old)]).toEqual([table, true])
})
