import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSettings } from '../../src/contract/create-migration.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  cookieOf,
  password,
  type Service,
  submit,
} from './a-service.ts'
import { aQueuedRun, bringTo } from './migration-rows.ts'

let service: Service
let admin: Browser
let administrator: { userId: string; email: string }
beforeAll(async () => {
  service = await aService()
  administrator = await aPerson(service, { administrator: true })
  admin = aBrowser(service, await aSession(service, administrator.userId))
})
afterAll(() => service?.close())

const unknown = '00000000-0000-4000-8000-000000000000'

test('S18: an administrator reads one migration of any organisation without what was picked, and its owners see that', async () => {
  const organisation = await anOrganisation(service)
  const run = await aQueuedRun(service, organisation)
  await sql`update runs set label = 'Spring', created_by = ${organisation.userId},
    settings = '{"selection": {"brands": {"ids": ["987654321987"]}}}' where id = ${run}`.execute(service.deps.database)
  const seen = await admin.get(`/admin/api/migrations/${run}`)
  expect(seen.json()).toMatchObject({
    organisation: { id: organisation.id },
    label: 'Spring',
    createdBy: { name: 'Ada Lovelace' },
    queue: { why: expect.any(String), before: 0 },
    migration: { requestId: run, status: 'queued', source: { hash: 'store1' } },
  })
  expect(seen.body).not.toContain('987654321987')
  const { items } = (await aBrowser(service, await organisation.cookie()).get('/v2/audit')).json()
  expect(items[0]).toMatchObject({ action: 'migration.read', actor: 'administrator', details: { runId: run } })
  for (const id of [unknown, 'no-id']) expect((await admin.get(`/admin/api/migrations/${id}`)).statusCode).toBe(404)
})

test('an administrator cancels a migration of any organisation once, on record, and one that has ended not at all', async () => {
  const organisation = await anOrganisation(service)
  const [waiting, working] = [await aQueuedRun(service, organisation), await aQueuedRun(service, organisation)]
  await bringTo(service, organisation.id, working, 'in_progress')
  const cancel = (id: string) => admin.send('POST', `/admin/api/migrations/${id}/cancel`)
  expect((await cancel(waiting)).json().status).toBe('cancelled')
  expect((await cancel(working)).json().status).toBe('in_progress')
  expect((await admin.get(`/admin/api/migrations/${working}`)).json().asked).toBe('cancel')
  expect((await cancel(working)).statusCode).toBe(202)
  expect((await cancel(waiting)).json().error).toBe('invalid_transition')
  expect((await cancel(unknown)).statusCode).toBe(404)
  const query = `organisation=${organisation.id}&action=migration.cancel`
  const { items } = (await admin.get(`/admin/api/audit?${query}`)).json()
  const done = items.map((one: { details: object; actor: string }) => [one.details, one.actor])
  expect(done).toEqual([
    [{ runId: working }, 'administrator'],
    [{ runId: waiting }, 'administrator'],
  ])
})

test('the list of all migrations is narrowed to one organisation, by its id or name', async () => {
  const [one, other] = [await anOrganisation(service, { name: `Reed ${randomUUID()}` }), await anOrganisation(service)]
  const run = await aQueuedRun(service, one)
  await aQueuedRun(service, other)
  const found = async (named: string) =>
    (await admin.get(`/admin/api/migrations?organisation=${encodeURIComponent(named)}`)).json().items
  for (const named of [one.id, one.identity.organization_name.toUpperCase()])
    expect((await found(named)).map(({ requestId }: { requestId: string }) => requestId)).toEqual([run])
  expect((await admin.get(`/admin/api/migrations?organisation=${unknown}`)).statusCode).toBe(404)
})

test('an administrator reads an organisation with its stores and its members, a page at a time', async () => {
  const organisation = await anOrganisation(service)
  await organisation.cookie('viewer')
  const at = `/admin/api/organisations/${organisation.id}`
  expect((await admin.get(at)).json()).toMatchObject({
    organisationId: organisation.id,
    storeMigrationEnabled: true,
    stores: 2,
    credential: { clientId: organisation.identity.client_id, state: 'enabled' },
    connected: [
      { hash: 'store1', label: 'Shop store1', access: null },
      { hash: 'store2', label: 'Shop store2', access: null },
    ],
  })
  expect((await admin.get(at)).body).not.toContain(organisation.identity.client_secret)
  const first = (await admin.get(`${at}/members?limit=1`)).json()
  const second = (await admin.get(`${at}/members?limit=1&cursor=${first.nextCursor}`)).json()
  const roles = [...first.items, ...second.items].map(({ role }: { role: string }) => role)
  expect(roles.sort()).toEqual(['owner', 'viewer'])
  expect(second.nextCursor).toBeNull()
  for (const path of ['', '/members'])
    expect((await admin.get(`/admin/api/organisations/${unknown}${path}`)).statusCode).toBe(404)
})

test('an administrator without a password is invited, is listed as invited, and signs in with the chosen one', async () => {
  const person = { firstName: 'Nora', lastName: 'New', email: `nora.${randomUUID()}@example.com` }
  const made = (await admin.send('POST', '/admin/api/administrators', person)).json()
  const listed = async () =>
    (await admin.get('/admin/api/administrators'))
      .json()
      .items.find((one: { userId: string }) => one.userId === made.userId)
  expect(await listed()).toMatchObject({ ...person, invited: true })
  await submit(service, '/app/invitation', { token: made.invitation.link.split('#')[1], password })
  expect(await listed()).toMatchObject({ invited: false })
  const signedIn = await submit(service, '/app/sign-in', { email: person.email, password })
  const theirs = aBrowser(service, cookieOf(signedIn.headers['set-cookie']))
  expect((await theirs.get('/admin/api/administrators')).statusCode).toBe(200)
  const again = await admin.send('POST', '/admin/api/administrators', person)
  expect(again.json().errors.email).toEqual(['Already registered. Use another address.'])
})

test('capacity says of each waiting migration, in the order of requests, what it waits for', async () => {
  const { database } = service.deps
  const organisation = await anOrganisation(service)
  const runs = [await aQueuedRun(service, organisation), await aQueuedRun(service, organisation)]
  const waiting = async () => {
    const { waiting: all } = (await admin.get('/admin/api/capacity')).json()
    return all.filter((one: { organisation: { id: string } }) => one.organisation.id === organisation.id)
  }
  expect((await waiting()).map(({ why }: { why: string }) => why)).toEqual(['pricing', 'pricing'])
  await sql`update runs set created_at = now() - interval '1 minute' where id = any(${runs}::uuid[])`.execute(database)
  expect((await waiting())[0]).toEqual({
    requestId: expect.toBeOneOf(runs),
    label: null,
    mode: 'full',
    organisation: { id: organisation.id, name: organisation.identity.organization_name },
    source: { hash: 'store1', label: 'Shop store1' },
    destination: { hash: 'store2', label: 'Shop store2' },
    tier: 'small',
    since: expect.any(String),
    why: 'no_host',
  })
  await sql`insert into worker_hosts (name, max_runs, memory_mib, tier_caps) values ('host b', 4, 2048, '{}')`.execute(
    database,
  )
  expect((await waiting()).map(({ why }: { why: string }) => why)).toEqual(['starting', 'destination_used'])
  const { rows } =
    await sql`select 1 from runs where organisation_id = ${organisation.id} and status <> 'queued'`.execute(database)
  expect(rows).toEqual([])
})

test('a viewer reads of a queued migration what it waits for, and how many of the organisation are before it', async () => {
  const { database } = service.deps
  const [organisation, other] = [await anOrganisation(service), await anOrganisation(service)]
  await aQueuedRun(service, other)
  const runs = [await aQueuedRun(service, organisation), await aQueuedRun(service, organisation)]
  const settings = JSON.stringify(runSettings.parse({ source: 'store1', destination: 'store2' }))
  await sql`update runs set settings = ${settings} where id = any(${runs}::uuid[])`.execute(database)
  const viewer = aBrowser(service, await organisation.cookie('viewer'))
  const queues = () =>
    Promise.all(runs.map(async (run) => (await viewer.get(`/v2/migrations/${run}/request`)).json().queue))
  expect(await queues()).toEqual([
    { why: 'pricing', before: 0 },
    { why: 'pricing', before: 1 },
  ])
  const [first = ''] = runs
  await sql`update runs set status = 'in_progress', forecast = '{}' where id = ${first}`.execute(database)
  expect((await queues())[0]).toBeNull()
  await sql`update runs set status = 'cancelled' where id = any(${runs}::uuid[])`.execute(database)
})
