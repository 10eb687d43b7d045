import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/api/routes.ts'
import type { OperationName } from '../../src/contract/accounts/permissions.ts'
import { listStores } from '../../src/db/accounts/stores.ts'
import { saveDeletions } from '../../src/db/ledger/deletions.ts'
import { aBrowser, anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { addDifference } from '../api/migration-rows.ts'

let service: Service
let ours: Organisation
let theirs: Organisation
beforeAll(async () => {
  service = await aService()
  ours = await anOrganisation(service, { stores: ['shared1', 'shared2', 'ours1'] })
  theirs = await anOrganisation(service, { stores: ['shared1', 'shared2', 'theirs1'] })
})
afterAll(() => service.close())

test('S2: the same shop connected in two organisations is two rows with nothing in common', async () => {
  const [mine, others] = await Promise.all([ours, theirs].map(({ id }) => listStores(service.deps.database, id)))
  const ids = [...mine!, ...others!].map((store) => store.id)
  expect(new Set(ids).size).toBe(6)
})

test('S2: every foreign key to a store includes its organisation', async () => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.conrelid::regclass || ' ' || c.conname as name,
      (select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) as columns
    from pg_constraint c where c.contype = 'f' and c.confrelid = 'stores'::regclass`.execute(service.deps.database)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter(({ columns }) => !columns.includes('organisation_id')).map(({ name }) => name)).toEqual([])
})

test('S2: only leases, quotas, installations of the app and what a migration has to undo in a shop are stored by its hash, across organisations', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and table_name <> 'stores' and column_name in ('hash', 'store_hash')`.execute(
    service.deps.database,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([
    'app_installations',
    'destination_leases',
    'endpoint_slots',
    'quota_shares',
    'side_effects',
    'stock_before',
    'stock_sold',
    'used_up_windows',
  ])
})

test('S2: the list of stores contains only those of the caller', async () => {
  const { items } = (await service.get('/v2/stores', await ours.token())).json()
  expect(items.map((store: { hash: string }) => store.hash).sort()).toEqual(['ours1', 'shared1', 'shared2'])
})

const storeRoutes = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/v2/stores/:hash'))

test.each(storeRoutes)('S2: $path of another organisation’s store is the same 404 as an unknown one', async ({
  path,
}) => {
  const token = await ours.token()
  // The rest of the path is a valid value.
  const within = path.replace(':entity', 'brands').replace(':itemId', '1')
  const foreign = await service.get(within.replace(':hash', 'theirs1'), token)
  const absent = await service.get(within.replace(':hash', 'nobodys1'), token)
  expect(foreign.statusCode).toBe(404)
  expect(foreign.json()).toEqual(absent.json())
})

/** What a body has to have before the migration is looked for. */
const needed: Partial<Record<OperationName, object>> = {
  'sign-off': { comparison: randomUUID() },
  'rename-migration': { label: 'Spring copy' },
}

const runRoutes = routes.filter(({ path }) => path.startsWith('/v2/migrations/:id'))

test.each(
  runRoutes,
)('S2: $method $path of another organisation’s migration is the same 404 as an unknown one', async (route) => {
  const theirRun = await aRun(theirs)
  const ask = async (id: string) => {
    const headers = { authorization: `Bearer ${await ours.token()}` }
    const payload = needed[route.operation.name]
    const url = route.path.replace(':id', id)
    return service.inject({ method: route.method, url, headers, ...(payload && { payload }) })
  }
  const nobodysRun = randomUUID()
  const [foreign, absent] = [await ask(theirRun), await ask(nobodysRun)]
  expect(foreign.statusCode).toBe(404)
  expect(foreign.body.replaceAll(theirRun, nobodysRun)).toBe(absent.body)
  const { rows } = await sql<{ status: string; asked: string }>`
    select status, asked from runs where id = ${theirRun}`.execute(service.deps.database)
  expect(rows).toEqual([{ status: 'queued', asked: 'none' }])
})

test('S2: a migration to another organisation’s store is refused like one to an unknown store', async () => {
  const ask = async (destination: string) => {
    const headers = { authorization: `Bearer ${await ours.token()}` }
    const payload = { source: 'ours1', destination }
    return service.inject({ method: 'POST', url: '/v2/migrations', headers, payload })
  }
  const [foreign, absent] = [await ask('theirs1'), await ask('nobodys1')]
  expect(foreign.statusCode).toBe(absent.statusCode)
  expect(foreign.statusCode).toBeGreaterThanOrEqual(400)
  expect(foreign.body.replaceAll('theirs1', 'nobodys1')).toBe(absent.body)
})

test('S2: the history contains no migrations of another organisation', async () => {
  const [own] = [await aRun(ours), await aRun(theirs)]
  const { items } = (await service.get('/v2/migrations?limit=100', await ours.token())).json()
  const { rows } = await sql<{ id: string }>`select id from runs where organisation_id = ${ours.id}`.execute(
    service.deps.database,
  )
  const shown = items.map(({ requestId }: { requestId: string }) => requestId)
  expect(shown).toContain(own)
  expect(shown.sort()).toEqual(rows.map(({ id }) => id).sort())
  await sql`update runs set created_by = ${theirs.userId} where organisation_id = ${theirs.id}`.execute(
    service.deps.database,
  )
  for (const [token, isFound] of [
    [await theirs.token(), true],
    [await ours.token(), false],
  ] as const) {
    const found = await service.get(`/v2/migrations?createdBy=${theirs.userId}&createdFrom=2000-01-01T00:00:00Z`, token)
    expect(found.json().items.length > 0).toBe(isFound)
  }
})

test('S2: neither an id nor a cursor says how many audit entries, differences or deletions other organisations have', async () => {
  const { database } = service.deps
  const run = { organisationId: ours.id, id: await aRun(ours) }
  for (const sourceId of ['1', '2']) await addDifference(database, run, { kind: 'missing', sourceId })
  const item = { name: 'Acme', sku: null, path: null }
  const about = {
    ...{ phase: 'brands', component: 'brands' },
    parentId: '',
    parentName: null,
    sourceId: '',
    above: null,
  }
  const deletions = ['8', '9'].map((destinationId) => ({
    ...{ ...about, destinationId, item, reason: 'source_deleted' as const },
  }))
  await database.transaction().execute((tx) => saveDeletions(tx, run, 'brands', deletions, 'planned'))
  const browser = aBrowser(service, await ours.cookie())
  for (const label of ['One', 'Two']) await browser.send('PATCH', '/v2/stores/ours1', { label })
  for (const path of ['/v2/audit', `/v2/migrations/${run.id}/differences`, `/v2/migrations/${run.id}/deletions`]) {
    const first = (await browser.get(`${path}?limit=1`)).json()
    const second = (await browser.get(`${path}?limit=1&cursor=${first.nextCursor}`)).json()
    const ids = [first, second].map(({ items }) => items[0].id)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[\w.][\w-]{21}$/)
    const [said = ''] = String(first.nextCursor).split('.')
    expect(Buffer.from(said, 'base64url').toString()).toContain(ids[0])
  }
})

/** A queued run between the first two stores of an organisation. */
async function aRun({ id: organisationId }: Organisation): Promise<string> {
  const id = randomUUID()
  const [source, destination] = await listStores(service.deps.database, organisationId)
  await sql`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
      selective, phases, status)
    values (${id}, ${organisationId}, ${source!.id}, ${destination!.id}, 'full', 'skip', true, '{}', false, '[]', 'queued')`.execute(
    service.deps.database,
  )
  return id
}

test('S2: a token that names an organisation its user does not belong to is refused', async () => {
  const { bearerTokens } = service.deps
  const claims = { userId: ours.userId, organisationId: theirs.id, secretVersion: 1, generation: 0 }
  const { token } = await bearerTokens.issue(claims)
  expect((await service.get('/v2/stores', token)).statusCode).toBe(401)
})
