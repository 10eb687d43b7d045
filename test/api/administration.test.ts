import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  password,
  type Service,
  submit,
} from './a-service.ts'
import { aQueuedRun, bringTo } from './migration-rows.ts'

let sandbox: Sandbox
let service: Service
let admin: Browser
let administrator: { userId: string; email: string }
beforeAll(async () => {
  sandbox = await startSandbox({
    stores: [
      { name: 'From', seed: 'empty' },
      { name: 'To', seed: 'empty' },
    ],
    plan: 'unlimited',
  })
  service = await aService({ bigcommerceApiUrl: sandbox.url })
  administrator = await aPerson(service, { administrator: true })
  admin = aBrowser(service, await aSession(service, administrator.userId))
})
afterAll(async () => {
  await service?.close()
  await sandbox?.close()
})

const owner = (email = `${randomUUID()}@shop.example`) => ({ firstName: 'Olive', lastName: 'Reed', email })

test('an administrator creates an organisation whose owner is invited, connects its stores, enables it and issues its credential', async () => {
  const made = await admin.send('POST', '/admin/api/organisations', {
    name: 'Reed Lamps',
    owner: owner('olive@reed.example'),
  })
  expect(made.statusCode).toBe(201)
  const { organisationId, ownerId, invitation } = made.json()
  const at = `/admin/api/organisations/${organisationId}`
  for (const name of ['From', 'To']) {
    const { hash, token } = sandbox.stores[name]!
    const connected = await admin.send('POST', `${at}/stores`, { hash, token, label: `${name} here` })
    expect(connected.json()).toMatchObject({ hash, label: `${name} here` })
  }
  expect((await admin.send('POST', `${at}/store-migration`)).json()).toEqual({ organisationId, name: 'Reed Lamps' })
  const issued = (await admin.send('POST', `${at}/credential`)).json()
  const identity = {
    username: 'Olive Reed',
    email: 'olive@reed.example',
    organization_name: 'reed lamps',
    client_id: issued.clientId,
    client_secret: issued.clientSecret,
  }
  expect((await service.login(identity)).json().stores).toHaveLength(2)
  await submit(service, '/app/invitation', { token: invitation.link.split('#')[1], password })
  expect((await submit(service, '/app/sign-in', { email: 'olive@reed.example', password })).statusCode).toBe(303)
  const theirs = aBrowser(service, await aSession(service, ownerId))
  expect((await theirs.get('/v2/stores')).json().items).toHaveLength(2)
  const rotated = (await admin.send('POST', `${at}/credential/rotate`)).json()
  expect(rotated).toMatchObject({ clientId: issued.clientId, version: 2 })
  expect((await service.login(identity)).statusCode).toBe(401)
  expect((await admin.send('POST', `${at}/credential/disable`)).json()).toEqual({
    clientId: issued.clientId,
    version: 3,
  })
  const { items } = (await admin.get(`/admin/api/audit?organisation=${organisationId}`)).json()
  const actions = items.map((one: { action: string; user: { id: string } | null }) => [one.action, one.user?.id])
  expect(actions.filter(([action]: string[]) => action?.startsWith('credential.'))).toEqual([
    ['credential.disable', administrator.userId],
    ['credential.rotate', administrator.userId],
    ['credential.issue', administrator.userId],
  ])
  expect(JSON.stringify(items)).not.toContain(issued.clientSecret)
})

test('the list shows organisations allowed to use Store Migration, and a search finds one to be enabled', async () => {
  const name = `Zebra ${randomUUID()}`
  await admin.send('POST', '/admin/api/organisations', { name, owner: owner() })
  const names = async (query: string) =>
    (await admin.get(`/admin/api/organisations?${query}`)).json().items.map((one: { name: string }) => one.name)
  expect(await names('storeMigration=disabled&text=zEBRA')).toEqual([name])
  expect(await names('storeMigration=enabled&text=zebra')).toEqual([])
  await admin.send('POST', `/admin/api/organisations/${encodeURIComponent(name)}/store-migration`)
  expect(await names('storeMigration=enabled&text=zebra')).toEqual([name])
  await anOrganisation(service)
  const first = (await admin.get('/admin/api/organisations?limit=1')).json()
  const second = (await admin.get(`/admin/api/organisations?limit=1&cursor=${first.nextCursor}`)).json()
  expect(second.items[0].organisationId).not.toBe(first.items[0].organisationId)
  const otherFilter = await admin.get(`/admin/api/organisations?limit=1&text=z&cursor=${first.nextCursor}`)
  expect(otherFilter.json().errors.cursor).toHaveLength(1)
})

test('S6: removal closes portal and API, cancels active runs, deletes nothing, and enabling again keeps the client id', async () => {
  const organisation = await anOrganisation(service)
  const at = `/admin/api/organisations/${organisation.id}`
  const token = await organisation.token()
  const [queued, working, paused, partly] = [
    await aQueuedRun(service, organisation),
    await aQueuedRun(service, organisation),
    await aQueuedRun(service, organisation),
    await aQueuedRun(service, organisation),
  ]
  await bringTo(service, organisation.id, working, 'in_progress')
  await bringTo(service, organisation.id, paused, 'paused')
  await bringTo(service, organisation.id, partly, 'partial_completed')
  const removed = await admin.send('DELETE', `${at}/store-migration`)
  expect(removed.json()).toMatchObject({ organisationId: organisation.id, cancelled: 3 })
  expect((await admin.send('DELETE', `${at}/store-migration`)).json().error).toBe('invalid_transition')
  const runs = await sql<{ id: string; status: string; asked: string }>`
    select id, status, asked from runs where organisation_id = ${organisation.id}`.execute(service.deps.database)
  const stands = Object.fromEntries(runs.rows.map(({ id, status, asked }) => [id, `${status} ${asked}`]))
  expect(stands).toEqual({
    [queued]: 'cancelled none',
    [working]: 'in_progress cancel',
    [paused]: 'cancelled none',
    [partly]: 'partial_completed none',
  })
  expect((await service.get('/v2/stores', token)).statusCode).toBe(401)
  expect((await service.login(organisation.identity)).statusCode).toBe(401)
  const portal = aBrowser(service, await organisation.cookie())
  expect((await portal.get('/v2/stores')).json().error).toBe('store_migration_disabled')
  await admin.send('POST', `${at}/store-migration`)
  expect((await service.get('/v2/stores', token)).statusCode).toBe(401)
  const issued = (await admin.send('POST', `${at}/credential`)).json()
  expect(issued).toMatchObject({ clientId: organisation.identity.client_id, version: 2 })
  const renewed = await service.login({ ...organisation.identity, client_secret: issued.clientSecret })
  expect((await service.get(`/v2/migrations/${queued}`, renewed.json().access_token)).json().status).toBe('cancelled')
})

test('S18: administrators see the migrations of all organisations without their items, and each call is audited', async () => {
  const [one, two] = [await anOrganisation(service), await anOrganisation(service)]
  const runs = [await aQueuedRun(service, one), await aQueuedRun(service, two)]
  const seen = async (query = '') => (await admin.get(`/admin/api/migrations${query}`)).json()
  const { items } = await seen()
  const found = items.filter((item: { requestId: string }) => runs.includes(item.requestId))
  expect(found.map((item: { organisation: { id: string } }) => item.organisation.id).sort()).toEqual(
    [one.id, two.id].sort(),
  )
  expect(Object.keys(found[0])).not.toContain('createdBy')
  const page = await seen('?limit=1')
  expect((await seen(`?limit=1&cursor=${page.nextCursor}`)).items[0].requestId).not.toBe(page.items[0].requestId)
  await bringTo(service, one.id, runs[0] ?? '', 'failed')
  const { items: ended } = await seen('?status=failed,cancelled&sort=updated')
  expect(ended[0].requestId).toBe(runs[0])
  expect(ended.every(({ status }: { status: string }) => ['failed', 'cancelled'].includes(status))).toBe(true)
  const { items: looks } = (await admin.get('/admin/api/audit?action=migrations.read')).json()
  expect(looks.length).toBeGreaterThanOrEqual(3)
  expect(looks[0].user.id).toBe(administrator.userId)
})

test('capacity lists the live hosts, their runs, and the waiting runs', async () => {
  const { database } = service.deps
  const organisation = await anOrganisation(service)
  const [waiting, working] = [await aQueuedRun(service, organisation), await aQueuedRun(service, organisation)]
  await bringTo(service, organisation.id, working, 'in_progress')
  await sql`insert into worker_hosts (name, max_runs, memory_mib, tier_caps) values ('host a', 4, 2048, '{}')`.execute(
    database,
  )
  const before = (await admin.get('/admin/api/capacity')).json()
  const offer = { name: 'host a', maxRuns: 4, memoryMiB: 2048 }
  expect(before.hosts).toEqual([{ ...offer, lastSeenAt: expect.any(String), runs: 0, runMemoryMiB: 0 }])
  expect(before.unplaced).toBeGreaterThanOrEqual(1)
  await sql`
    insert into run_leases (run_id, epoch, holder, heartbeat_at) values (${working}, 1, 'host a', now())`.execute(
    database,
  )
  const after = (await admin.get('/admin/api/capacity')).json()
  expect(after.hosts[0]).toMatchObject({ runs: 1, runMemoryMiB: 256 })
  expect(after.unplaced).toBe(before.unplaced - 1)
  expect(after.queued).toContainEqual({ tier: 'small', runs: expect.any(Number) })
  expect(waiting).toBeTruthy()
})

test('an administrator creates another one, and a former administrator is refused', async () => {
  const made = await admin.send('POST', '/admin/api/administrators', { ...owner(), password })
  expect(made.statusCode).toBe(201)
  const second = aBrowser(service, await aSession(service, made.json().userId))
  expect((await second.get('/admin/api/capacity')).statusCode).toBe(200)
  await sql`update users set is_administrator = false where id = ${made.json().userId}`.execute(service.deps.database)
  expect((await second.get('/admin/api/capacity')).json().error).toBe('forbidden')
})

test('an owner labels, connects and disconnects a store, which deletes its token and keeps its migrations', async () => {
  const organisation = await anOrganisation(service)
  const browser = aBrowser(service, await organisation.cookie())
  expect((await browser.send('PATCH', '/v2/stores/store1', { label: 'Winter shop' })).json()).toEqual({
    hash: 'store1',
    label: 'Winter shop',
    platform: 'BC',
  })
  const run = await aQueuedRun(service, organisation)
  const refused = await browser.send('DELETE', '/v2/stores/store1')
  expect(refused.json()).toMatchObject({ error: 'invalid_transition', message: expect.stringContaining(run) })
  await browser.send('POST', `/v2/migrations/${run}/cancel`)
  expect((await browser.send('DELETE', '/v2/stores/store1')).statusCode).toBe(204)
  expect((await browser.get('/v2/stores')).json().items.map((one: { hash: string }) => one.hash)).toEqual(['store2'])
  expect((await browser.get('/v2/stores/store1')).statusCode).toBe(404)
  expect((await browser.send('DELETE', '/v2/stores/store1')).statusCode).toBe(404)
  expect((await browser.send('PATCH', '/v2/stores/store1', { label: 'x' })).statusCode).toBe(404)
  expect((await browser.get(`/v2/migrations/${run}`)).json().source).toEqual({ hash: 'store1', label: 'Winter shop' })
  expect((await browser.send('POST', `/v2/migrations/${run}/verify`)).json().error).toBe('invalid_transition')
  const { rows } = await sql<{ token: Buffer | null }>`
    select token_encrypted as token from stores where organisation_id = ${organisation.id} and hash = 'store1'`.execute(
    service.deps.database,
  )
  expect(rows).toEqual([{ token: null }])
  expect((await service.login(organisation.identity)).json().error).toBe('insufficient_stores')
})

test('a store that is connected again keeps its id and its mappings', async () => {
  const { hash, token } = sandbox.stores.From!
  const organisation = await anOrganisation(service, { stores: [] })
  const browser = aBrowser(service, await organisation.cookie())
  const idOf = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from stores where organisation_id = ${organisation.id}`.execute(service.deps.database)
    return rows.map(({ id }) => id)
  }
  expect((await browser.send('POST', '/v2/stores', { hash, token: 'wrong' })).json()).toMatchObject({
    error: 'validation_failed',
  })
  const connected = await browser.send('POST', '/v2/stores', { hash, token, label: 'Shop' })
  expect(connected.statusCode).toBe(201)
  const before = await idOf()
  await browser.send('DELETE', `/v2/stores/${hash}`)
  await browser.send('POST', '/v2/stores', { hash, token })
  expect(await idOf()).toEqual(before)
  expect((await browser.get(`/v2/stores/${hash}`)).json().access.reachable).toBe(true)
})

test('a store cannot be disconnected while copies wait to be switched on', async () => {
  const organisation = await anOrganisation(service)
  const browser = aBrowser(service, await organisation.cookie())
  await sql`
    insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, source_store_id,
      destination_store_id, run_id, desired)
    select 'BC', dst.hash, 'deferred-write', 'promotions', '7', src.organisation_id, src.id, dst.id, gen_random_uuid(), '{}'
    from stores src join stores dst
      on dst.organisation_id = src.organisation_id and dst.hash = 'store2'
    where src.organisation_id = ${organisation.id} and src.hash = 'store1'`.execute(service.deps.database)
  for (const hash of ['store1', 'store2']) {
    const refused = await browser.send('DELETE', `/v2/stores/${hash}`)
    expect(refused.json()).toMatchObject({
      error: 'invalid_transition',
      message: expect.stringContaining('switched on'),
    })
  }
})

test('D5: a store whose mails are still off is disconnected only with leaveSwitchedOff, which is audited', async () => {
  const organisation = await anOrganisation(service)
  const browser = aBrowser(service, await organisation.cookie())
  const run = await aQueuedRun(service, organisation)
  await browser.send('POST', `/v2/migrations/${run}/cancel`)
  await sql`
    insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id,
      desired, ours)
    select 'BC', hash, 'mail', 'orders', 'email-statuses', organisation_id, id, ${run}, '{}', '{}' from stores
    where organisation_id = ${organisation.id} and hash = 'store2'`.execute(service.deps.database)
  const refused = await browser.send('DELETE', '/v2/stores/store2')
  expect(refused.json()).toMatchObject({
    error: 'invalid_transition',
    message: expect.stringMatching(/emails about orders are switched off \(email-statuses\).*leaveSwitchedOff/),
  })
  expect((await browser.send('DELETE', '/v2/stores/store2', { leaveSwitchedOff: 'yes' })).statusCode).toBe(422)
  expect((await browser.send('DELETE', '/v2/stores/store2', { leaveSwitchedOff: true })).statusCode).toBe(204)
  const { items } = (await browser.get('/v2/audit')).json()
  expect(items.find((one: { action: string }) => one.action === 'store.disconnect')?.details).toEqual({
    hash: 'store2',
    leftSwitchedOff: 'emails about orders are switched off (email-statuses)',
  })
})

test('D1: a store with stock to restore is disconnected only with leaveSwitchedOff, which is audited', async () => {
  const organisation = await anOrganisation(service)
  const browser = aBrowser(service, await organisation.cookie())
  const run = await aQueuedRun(service, organisation)
  await browser.send('POST', `/v2/migrations/${run}/cancel`)
  await sql`
    insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id, desired)
    select 'BC', hash, 'stock', 'orders', '', organisation_id, id, ${run}, '{}' from stores
    where organisation_id = ${organisation.id} and hash = 'store2'`.execute(service.deps.database)
  const owed = 'stock taken by copied orders has not been restored yet'
  const refused = await browser.send('DELETE', '/v2/stores/store2')
  expect(refused.json()).toMatchObject({
    error: 'invalid_transition',
    message: expect.stringMatching(new RegExp(`${owed}.*leaveSwitchedOff`)),
  })
  expect((await browser.send('DELETE', '/v2/stores/store2', { leaveSwitchedOff: true })).statusCode).toBe(204)
  const { items } = (await browser.get('/v2/audit')).json()
  expect(items.find((one: { action: string }) => one.action === 'store.disconnect')?.details).toEqual({
    hash: 'store2',
    leftSwitchedOff: owed,
  })
})

test('S2: a store of another organisation cannot be labelled or disconnected', async () => {
  const [ours, theirs] = [
    await anOrganisation(service),
    await anOrganisation(service, { stores: ['theirs1', 'theirs2'] }),
  ]
  const browser = aBrowser(service, await ours.cookie())
  for (const hash of ['theirs1', 'nobodys1']) {
    expect((await browser.send('PATCH', `/v2/stores/${hash}`, { label: 'mine' })).statusCode).toBe(404)
    expect((await browser.send('DELETE', `/v2/stores/${hash}`)).statusCode).toBe(404)
  }
  const { items } = (await aBrowser(service, await theirs.cookie()).get('/v2/stores')).json()
  expect(items.map((one: { label: string }) => one.label)).toEqual(['Shop theirs1', 'Shop theirs2'])
})
