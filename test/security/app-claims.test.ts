import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { findInstallation } from '../../src/db/accounts/app-installations.ts'
import { listAudit } from '../../src/db/accounts/audit.ts'
import { findStore, storeTokenContext } from '../../src/db/accounts/stores.ts'
import { restoreBackup } from '../../src/db/backup/restore-backup.ts'
import { writeBackup } from '../../src/db/backup/write-backup.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { priceRun } from '../../src/engine/forecast/price-runs.ts'
import { eraseOrganisation } from '../../src/operations/administration/erase-organisation.ts'
import { leaveUninstalled } from '../../src/operations/stores/leave-uninstalled.ts'
import { anOrganisation, aPerson, aSession, type Organisation, password, siteUrl, submit } from '../api/a-service.ts'
import { type AppWorld, anAppWorld, claim, install, installAndClaim, installKey, keyIn, visit } from '../api/an-app.ts'
import { bringTo } from '../api/migration-rows.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

let world: AppWorld
let organisation: Organisation
let cookie: string
let hash: string
beforeAll(async () => {
  world = await anAppWorld(28)
})
afterAll(() => world?.close())
beforeEach(async () => {
  ;({ hash, organisation, cookie } = await world.another())
})

const database = () => world.service.deps.database
const storeOf = (owner = organisation) => findStore(database(), owner.id, hash)
const installation = () => findInstallation(database(), hash)

async function savedToken(owner = organisation): Promise<string> {
  const store = await storeOf(owner)
  return world.service.deps.keyring.decrypt(store!.tokenEncrypted, storeTokenContext(store!)).toString()
}

const claimed = () => installAndClaim(world, { hash, organisation, cookie })

test('a session says that stores can be connected by the app, so that the portal can offer it', async () => {
  const answer = await world.service.inject({ url: '/v2/session', headers: { cookie } })
  expect(answer.json()).toMatchObject({ connectsByApp: true })
})

test('S1: an installation by a stranger connects nothing until a signed-in owner claims it on a page that names the store', async () => {
  const page = await install(world, hash)
  expect(page.statusCode).toBe(200)
  expect(page.headers['set-cookie']).toBeUndefined()
  expect(await installation()).toMatchObject({ organisationId: null, storeId: null })
  expect(await storeOf()).toBeUndefined()
  const key = keyIn(page)!
  const path = `/app/claim-store?key=${key}`
  const stranger = await visit(world.service, path)
  expect(stranger.headers.location).toBe(`/app/sign-in?return_to=${encodeURIComponent(path)}`)
  const shown = await visit(world.service, path, { cookie })
  expect(shown.statusCode).toBe(200)
  expect(shown.body).toContain(`<dd>${hash}</dd>`)
  expect(shown.body).toMatch(/<dt>Domain<\/dt><dd>[^<]+<\/dd>/)
  expect(shown.body).toContain(`<dt>Store</dt><dd>${hash}</dd>`)
  expect(shown.body).toContain(organisation.identity.organization_name)
  const answer = await claim(world, cookie, { key, organisation: organisation.id })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `/app/stores?org=${organisation.id}`])
  expect(await savedToken()).toBe(await world.platform.tokenOf(hash))
  expect(await installation()).toMatchObject({ organisationId: organisation.id, tokenEncrypted: null, claimHash: null })
  const look = await world.service.get(`/v2/stores/${hash}`, await organisation.token())
  expect(look.json().access).toMatchObject({ state: 'works', missingScopes: [] })
  expect((await listAudit(database(), organisation.id)).at(-1)).toMatchObject({
    action: 'store.connect',
    actor: 'user',
    details: { hash, from: 'app' },
  })
})

test('S1: installing again replaces the token of an unclaimed store, and of a claimed one in its organisation', async () => {
  const first = await installKey(world, hash)
  const second = await installKey(world, hash)
  expect((await claim(world, cookie, { key: first, organisation: organisation.id })).statusCode).toBe(404)
  expect((await claim(world, cookie, { key: second, organisation: organisation.id })).statusCode).toBe(303)
  const before = await savedToken()
  const { id, label } = (await storeOf())!
  const again = await install(world, hash)
  expect([again.statusCode, keyIn(again)]).toEqual([200, undefined])
  expect(again.body).toContain('This store is connected')
  expect(await savedToken()).not.toBe(before)
  expect(await savedToken()).toBe(await world.platform.tokenOf(hash))
  expect(await storeOf()).toMatchObject({ id, label })
  expect((await listAudit(database(), organisation.id)).at(-1)).toMatchObject({
    action: 'store.connect',
    actor: 'visitor',
    details: { hash, from: 'app' },
  })
})

test('S1: a store that an organisation has claimed is not moved by a stranger who installs it again', async () => {
  const key = await installKey(world, hash)
  expect((await claim(world, cookie, { key, organisation: organisation.id })).statusCode).toBe(303)
  const other = await anOrganisation(world.service, { stores: [] })
  const stranger = await other.cookie()
  expect(keyIn(await install(world, hash))).toBeUndefined()
  expect(keyIn(await visit(world.service, await world.platform.does('load', hash)))).toBeUndefined()
  const answer = await claim(world, stranger, { key, organisation: other.id })
  expect(answer.statusCode).toBe(404)
  expect(answer.body).toContain('This link has expired, was used, or was replaced')
  expect(answer.body).not.toContain(organisation.identity.organization_name)
  expect(await storeOf(other)).toBeUndefined()
  expect(await savedToken()).toBe(await world.platform.tokenOf(hash))
})

test('S1: two owners who claim at the same moment: one gets the store, the other is told that the link was used', async () => {
  const key = await installKey(world, hash)
  const other = await anOrganisation(world.service, { stores: [] })
  const answers = await Promise.all([
    claim(world, cookie, { key, organisation: organisation.id }),
    claim(world, await other.cookie(), { key, organisation: other.id }),
  ])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  expect([await storeOf(), await storeOf(other)].filter((store) => store !== undefined)).toHaveLength(1)
})

test('S1, S2: the same store connected by its token in another organisation stays there, with its own token', async () => {
  const other = await anOrganisation(world.service, { stores: [hash], storeToken: 'given by a person' })
  await claimed()
  expect(await savedToken(other)).toBe('given by a person')
  const uninstalled = await visit(world.service, await world.platform.does('uninstall', hash))
  expect(uninstalled.statusCode).toBe(200)
  expect(await storeOf()).toBeUndefined()
  expect(await savedToken(other)).toBe('given by a person')
})

test.each(['operator', 'viewer'] as const)('S1, S18: %s may not claim a store', async (role) => {
  const key = await installKey(world, hash)
  const member = await organisation.cookie(role)
  const page = await visit(world.service, `/app/claim-store?key=${key}`, { cookie: member })
  expect(page.statusCode).toBe(403)
  expect(page.body).toContain('Only an owner of an organization can connect a store.')
  expect(page.body).not.toContain('<form')
  const answer = await claim(world, member, { key, organisation: organisation.id })
  expect(answer.statusCode).toBe(403)
  expect(await storeOf()).toBeUndefined()
  expect(await installation()).toMatchObject({ storeId: null })
})

test('S1: no one claims a store for an organisation that they do not belong to, or from a page of another site', async () => {
  const key = await installKey(world, hash)
  const other = await anOrganisation(world.service, { stores: [] })
  expect((await claim(world, cookie, { key, organisation: other.id })).statusCode).toBe(403)
  expect((await claim(world, cookie, { key, organisation: 'nobodys' })).statusCode).toBe(403)
  const administrator = await aSession(world.service, (await aPerson(world.service, { administrator: true })).userId)
  expect((await claim(world, administrator, { key, organisation: organisation.id })).statusCode).toBe(403)
  for (const origin of ['https://elsewhere.example', null]) {
    const fields = { key, organisation: organisation.id }
    const answer = await submit(world.service, '/app/claim-store', fields, { cookie, origin })
    expect(answer.statusCode).toBe(403)
  }
  const anonymous = await submit(world.service, '/app/claim-store', { key, organisation: organisation.id })
  expect([anonymous.statusCode, anonymous.headers.location]).toEqual([
    303,
    `/app/sign-in?return_to=${encodeURIComponent(`/app/claim-store?key=${key}`)}`,
  ])
  expect(await storeOf()).toBeUndefined()
})

test('S1, S14: an owner who gave the password more than a quarter of an hour ago gives it on the page', async () => {
  await sql`update users set password_hash = ${await hashPassword(password)} where id = ${organisation.userId}`.execute(
    database(),
  )
  world.service.clock.jumpSeconds(limits.proofSeconds)
  const key = await installKey(world, hash)
  const page = await visit(world.service, `/app/claim-store?key=${key}`, { cookie })
  expect(page.body).toContain('name="currentPassword"')
  const fields = { key, organisation: organisation.id }
  const without = await claim(world, cookie, fields)
  expect([without.statusCode, without.body.includes('Give your password again.')]).toEqual([403, true])
  // Of several organisations, the chosen one stays chosen.
  const other = await anOrganisation(world.service, { stores: [] })
  await sql`insert into memberships (organisation_id, user_id, role)
    values (${other.id}, ${organisation.userId}, 'owner')`.execute(database())
  const wrong = await claim(world, cookie, { ...fields, currentPassword: 'a wrong password' })
  expect(wrong.statusCode).toBe(422)
  expect(wrong.body.match(/name="organisation" value="[^"]+" required checked/g)).toEqual([
    `name="organisation" value="${organisation.id}" required checked`,
  ])
  expect(await storeOf()).toBeUndefined()
  expect((await claim(world, cookie, { ...fields, currentPassword: password })).statusCode).toBe(303)
})

test('S1: a store that nobody claims within half an hour keeps no token, and the app then says so', async () => {
  const key = await installKey(world, hash)
  world.service.clock.jumpSeconds(limits.claimSeconds - 1)
  expect(
    (await visit(world.service, `/app/claim-store?key=${key}`, { cookie: await organisation.cookie() })).statusCode,
  ).toBe(200)
  world.service.clock.jumpSeconds(1)
  const fresh = await organisation.cookie()
  expect((await visit(world.service, `/app/claim-store?key=${key}`, { cookie: fresh })).statusCode).toBe(404)
  expect((await claim(world, fresh, { key, organisation: organisation.id })).statusCode).toBe(404)
  const iat = Math.floor(world.service.clock.now().getTime() / 1000)
  const claims = { iat, nbf: iat, exp: iat + 60 }
  const page = await visit(world.service, await world.platform.does('load', hash, { claims }))
  expect([page.statusCode, keyIn(page)]).toEqual([403, undefined])
  expect(page.body).toContain('Uninstall the app here and install it again')
  await leaveUninstalled(world.service.deps)
  expect(await installation()).toBeUndefined()
})

test('S1: an app that nobody claimed in time is uninstalled and installed again at once: both work', async () => {
  await installKey(world, hash)
  world.service.clock.jumpSeconds(limits.claimSeconds)
  const holding = await database().startTransaction().execute()
  await sql`select from app_installations where hash = ${hash} for update`.execute(holding)
  const installed = install(world, hash)
  await untilWaiting(database(), 1)
  const uninstalled = visit(world.service, await world.platform.does('uninstall', hash))
  await untilWaiting(database(), 2).finally(() => holding.rollback().execute())
  expect([keyIn(await installed), (await uninstalled).statusCode]).toEqual([expect.any(String), 200])
})

test('S1: uninstalling disconnects the store, ends waiting migrations, and opens nothing to others', async () => {
  await claimed()
  const runs = [await aRun('queued'), await aRun('paused'), await aRun('partial_completed')]
  expect((await visit(world.service, await world.platform.does('uninstall', hash))).statusCode).toBe(200)
  expect(await storeOf()).toBeUndefined()
  expect(await installation()).toBeUndefined()
  expect(await statusesOf(runs)).toEqual(['cancelled none', 'cancelled none', 'partial_completed none'])
  const audit = (await listAudit(database(), organisation.id)).filter(({ actor }) => actor === 'visitor')
  expect(audit.map(({ action }) => action)).toEqual(['migration.cancel', 'migration.cancel', 'store.disconnect'])
  expect(audit.at(-1)!.details).toEqual({ hash, from: 'app' })
})

test('S1: a migration in progress is asked to end first; no other starts, and the store is disconnected after it', async () => {
  await claimed()
  const run = await aRun('in_progress')
  expect((await visit(world.service, await world.platform.does('uninstall', hash))).statusCode).toBe(200)
  expect(await statusesOf([run])).toEqual(['in_progress cancel'])
  expect(await storeOf()).toBeDefined()
  await leaveUninstalled(world.service.deps)
  expect(await storeOf()).toBeDefined()
  const started = await aMigration()
  expect([started.statusCode, started.json().message]).toEqual([
    409,
    expect.stringContaining(`Store ${hash} is disconnected`),
  ])
  await sql`update runs set status = 'cancelled', asked = 'none' where id = ${run}`.execute(database())
  await leaveUninstalled(world.service.deps)
  expect(await storeOf()).toBeUndefined()
})

test('S1: an app that is uninstalled while a migration of the store is resumed ends it, and both get an answer', async () => {
  await claimed()
  const [first = '', second = ''] = [await aRun('paused'), await aRun('paused')].sort()
  await Promise.all([first, second].map(untilForecast))
  const holding = await database().startTransaction().execute()
  await sql`select from runs where id = ${first} for update`.execute(holding)
  const uninstalled = visit(world.service, await world.platform.does('uninstall', hash))
  await untilWaiting(database(), 1)
  const resumed = controlled(second, 'resume')
  await untilWaiting(database(), 2).finally(() => holding.rollback().execute())
  expect([(await uninstalled).statusCode, (await resumed).statusCode]).toEqual([200, 409])
  expect(await statusesOf([first, second])).toEqual(['cancelled none', 'cancelled none'])
})

test('S1: an app is uninstalled while a migration in progress records what refers to the store: neither is refused', async () => {
  await claimed()
  const run = await aRun('in_progress')
  const working = await database().startTransaction().execute()
  await sql`update runs set updated_at = now() where id = ${run}`.execute(working)
  const uninstalled = visit(world.service, await world.platform.does('uninstall', hash))
  await untilWaiting(database(), 1)
  // As each reference to it does when it is saved.
  const referring = sql`select from stores where organisation_id = ${organisation.id} and hash = ${hash} for key share`
  await referring.execute(working).finally(() => working.commit().execute())
  expect((await uninstalled).statusCode).toBe(200)
  expect(await statusesOf([run])).toEqual(['in_progress cancel'])
})

test('S1: a person gives the store a token while the app is uninstalled: both get an answer, and the store stays connected', async () => {
  await claimed()
  const holding = await database().startTransaction().execute()
  await sql`select from stores where organisation_id = ${organisation.id} and hash = ${hash} for share`.execute(holding)
  const given = { hash, token: await world.platform.tokenOf(hash) }
  const connect = async () =>
    world.service.inject({ method: 'POST', url: '/v2/stores', payload: given, headers: { cookie, origin: siteUrl } })
  const connected = connect()
  await untilWaiting(database(), 1)
  const uninstalled = visit(world.service, await world.platform.does('uninstall', hash))
  await untilWaiting(database(), 2).finally(() => holding.rollback().execute())
  expect([(await connected).statusCode, (await uninstalled).statusCode]).toEqual([201, 200])
  expect(await storeOf()).toBeDefined()
  expect(await installation()).toBeUndefined()
})

test.each([
  [
    'by its callback',
    async () => (await visit(world.service, await world.platform.does('uninstall', hash))).statusCode,
    200,
  ],
  ['by a host later', () => leaveUninstalled(world.service.deps), undefined],
  ['or installed again', async () => (await install(world, hash)).statusCode, 200],
] as const)('S1: an organisation is erased while the app is uninstalled from its store, %s: neither is refused', async (_how, leave, answer) => {
  await claimed()
  const run = await aRun('paused')
  await untilForecast(run)
  const ofStore = sql`where organisation_id = ${organisation.id} and hash = ${hash}`
  if (answer === undefined) await sql`update stores set uninstalled_at = now() ${ofStore}`.execute(database())
  const holding = await database().startTransaction().execute()
  await sql`
    select from users where id in (select user_id from memberships where organisation_id = ${organisation.id}) for update`.execute(
    holding,
  )
  const asked = { organisation: organisation.identity.organization_name, leaveSwitchedOff: false }
  const deps = { ...world.service.deps, hasIndex: false }
  const erased = eraseOrganisation(deps, { userId: null }, asked, async () => true)
  await untilWaiting(database(), 1)
  const left = leave()
  await untilWaiting(database(), 2).finally(() => holding.rollback().execute())
  expect([(await erased)?.name, await left]).toEqual([organisation.identity.organization_name, answer])
  expect(await storeOf()).toBeUndefined()
})

test('an organisation is erased while the late forecast of a canceled migration is saved: neither is refused', async () => {
  await claimed()
  const run = await aRun('paused')
  await untilForecast(run)
  await sql`update runs set forecast = null, status = 'cancelled' where id = ${run}`.execute(database())
  const holding = await database().startTransaction().execute()
  await sql`select from runs where id = ${run} for update`.execute(holding)
  const priced = priceRun(world.service.deps, organisation.id, run)
  await untilWaiting(database(), 1)
  const asked = { organisation: organisation.identity.organization_name, leaveSwitchedOff: false }
  const deps = { ...world.service.deps, hasIndex: false }
  const erased = eraseOrganisation(deps, { userId: null }, asked, async () => true)
  await untilWaiting(database(), 2).finally(() => holding.rollback().execute())
  expect((await Promise.all([erased, priced]))[0]?.name).toBe(organisation.identity.organization_name)
})

test('S1: a store that is installed and claimed again while a migration of it still ends stays connected', async () => {
  await claimed()
  const run = await aRun('in_progress')
  await visit(world.service, await world.platform.does('uninstall', hash))
  await claimed()
  await sql`update runs set status = 'cancelled', asked = 'none' where id = ${run}`.execute(database())
  await leaveUninstalled(world.service.deps)
  expect(await savedToken()).toBe(await world.platform.tokenOf(hash))
})

test('S1: a token that a person gives, or disconnecting in the portal, ends the app’s hold on the store', async () => {
  await claimed()
  const { tokenEncrypted } = (await storeOf())!
  const owner = { headers: { cookie, origin: siteUrl } }
  const given = { hash, token: await world.platform.tokenOf(hash) }
  const connected = await world.service.inject({ method: 'POST', url: '/v2/stores', payload: given, ...owner })
  expect(connected.statusCode).toBe(201)
  expect((await storeOf())!.tokenEncrypted.equals(tokenEncrypted)).toBe(false)
  await visit(world.service, await world.platform.does('uninstall', hash))
  expect(await storeOf()).toBeDefined()
  await claimed()
  expect((await world.service.inject({ method: 'DELETE', url: `/v2/stores/${hash}`, ...owner })).statusCode).toBe(204)
  expect(await installation()).toBeUndefined()
  await claimed()
  expect(await storeOf()).toBeDefined()
})

test('S8: the token of an unclaimed store is in no column of its row', async () => {
  await installKey(world, hash)
  const token = (await world.platform.tokenOf(hash))!
  const { rows } = await sql<{ row: string }>`
    select row_to_json(app_installations)::text || encode(token_encrypted, 'escape') as row
    from app_installations where hash = ${hash}`.execute(database())
  expect(rows[0]!.row).not.toContain(token)
  expect(rows[0]!.row).not.toContain(Buffer.from(token).toString('hex'))
})

test('S6: a restored backup has no link to an unclaimed store, and knows the claimed ones', async () => {
  await claimed()
  const { hash: unclaimed } = await world.another()
  await installKey(world, unclaimed)
  const directory = await mkdtemp(join(tmpdir(), 'sf-app-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const restored = openDatabase(url)
  onTestFinished(() => restored.destroy())
  const file = join(directory, 'storeferry.backup')
  await writeBackup(database(), file, { version: '1.0.0', at: new Date(), signal: AbortSignal.timeout(60_000) })
  await restoreBackup(restored, file, { at: new Date(), checkKey: async () => undefined })
  expect(await findInstallation(restored, hash)).toEqual(await installation())
  expect(await findInstallation(restored, unclaimed)).toBeUndefined()
})

/** A run from the test's store to itself would be refused, so another one is the destination. */
async function aMigration() {
  const destination = `${hash}to`
  if (!(await findStore(database(), organisation.id, destination))) {
    await sql`insert into stores (id, organisation_id, hash, label, token_encrypted)
      select gen_random_uuid(), organisation_id, ${destination}, label, token_encrypted from stores
      where organisation_id = ${organisation.id} and hash = ${hash}`.execute(database())
  }
  return world.service.inject({
    method: 'POST',
    url: '/v2/migrations',
    headers: { cookie, origin: siteUrl },
    payload: { source: hash, destination },
  })
}

async function aRun(status: string): Promise<string> {
  const id = String((await aMigration()).json().requestId)
  if (status !== 'queued') await bringTo(world.service, organisation.id, id, status as Parameters<typeof bringTo>[3])
  return id
}

/** That of a new migration is saved a little later. */
function untilForecast(run: string): Promise<unknown> {
  return until('the migration has its forecast', async () => {
    const { rows } = await sql`select from runs where id = ${run} and forecast is not null`.execute(database())
    return rows.length > 0
  })
}

async function controlled(id: string, control: string) {
  const url = `/v2/migrations/${id}/${control}`
  return world.service.inject({ method: 'POST', url, headers: { cookie, origin: siteUrl } })
}

async function statusesOf(ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; asked: string }>`
    select id, status, asked from runs where organisation_id = ${organisation.id}`.execute(database())
  return ids.map((id) => rows.filter((row) => row.id === id).map(({ status, asked }) => `${status} ${asked}`)[0] ?? '')
}
