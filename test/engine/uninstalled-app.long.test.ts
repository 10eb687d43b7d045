import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { createBearerTokens } from '../../src/accounts/bearer-tokens.ts'
import { openKeyring } from '../../src/accounts/encryption-key.ts'
import { createSessions } from '../../src/accounts/sessions.ts'
import { createSigningKeys } from '../../src/accounts/signing-keys.ts'
import { type App, startApp } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { findStore } from '../../src/db/accounts/stores.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createLog } from '../../src/log.ts'
import { anOrganisation, type Organisation, type Service } from '../api/a-service.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

const adminToken = randomBytes(16).toString('hex')
const parts = new AsyncDisposableStack()
let sandbox: Sandbox
let app: App
let database: Database
let organisation: Organisation
let cookie: string
/** The whole service with its worker, as an operator starts it, and a platform that calls it. */
beforeAll(async () => {
  const port = await freePort()
  const siteUrl = `http://127.0.0.1:${port}`
  const callbacks = { auth: `${siteUrl}/auth`, load: `${siteUrl}/load`, uninstall: `${siteUrl}/uninstall` }
  sandbox = await startSandbox({
    stores: [
      { name: 'old', seed: 'tiny-catalogue' },
      { name: 'new', seed: 'empty' },
    ],
    plan: 'unlimited',
    // Slow enough that a person can change their mind in the middle of the copy.
    latencyMs: { write: 400 },
    adminToken,
    apps: [{ clientId: 'app1', clientSecret: 'planted', callbacks }],
  })
  parts.defer(() => sandbox.close())
  const created = await createDatabase()
  parts.defer(() => created.drop())
  const key = randomBytes(32)
  const config = readConfig({
    STOREFERRY_URL: siteUrl,
    PORT: String(port),
    DATABASE_URL: created.url,
    STOREFERRY_KEY: key.toString('base64'),
    STOREFERRY_SETTLE_SECONDS: '0',
    BIGCOMMERCE_API_URL: sandbox.url,
    BIGCOMMERCE_LOGIN_URL: sandbox.url,
    STOREFERRY_APP_CLIENT_ID: 'app1',
    STOREFERRY_APP_CLIENT_SECRET: 'planted',
  })
  const log = createLog({ level: 'silent', role: 'test', destination: process.stderr })
  app = await startApp({ roles: ['server', 'worker'], config, log })
  parts.defer(() => app.stop())
  database = openDatabase(created.url)
  parts.defer(() => database.destroy())
  organisation = await anOrganisation(await plantingOf(key, siteUrl), { stores: [] })
  cookie = await organisation.cookie()
})
afterAll(() => parts.disposeAsync())

/** What organisations and sessions are made from; the rest of a service is not needed for them. */
async function plantingOf(key: Buffer, siteUrl: string): Promise<Pick<Service, 'deps'>> {
  const keyring = await openKeyring(database, [key])
  const signingKeys = createSigningKeys({ database, clock: systemClock, keyring })
  const bearerTokens = createBearerTokens({ database, clock: systemClock, signingKeys, siteUrl })
  const sessions = createSessions({ database, clock: systemClock })
  return { deps: { database, clock: systemClock, keyring, bearerTokens, sessions } } as unknown as Service
}

async function does(event: 'install' | 'uninstall', hash: string): Promise<{ url: string; httpStatus?: number }> {
  const answer = await fetch(`${sandbox.url}/__sandbox/apps/app1/stores/${hash}/${event}`, {
    method: 'POST',
    headers: { 'x-sandbox-admin': adminToken },
  })
  return (await answer.json()) as { url: string; httpStatus?: number }
}

/** As a merchant does it: install in the control panel, follow the link, press the button. */
async function connect(hash: string): Promise<void> {
  const page = await (await fetch((await does('install', hash)).url)).text()
  const key = /claim-store\?key=([\w-]{43})"/.exec(page)?.[1] ?? ''
  const answer = await fetch(`${app.url}/app/claim-store`, {
    method: 'POST',
    headers: { cookie, origin: app.url },
    body: new URLSearchParams({ key, organisation: organisation.id }),
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/app/stores?org=${organisation.id}`])
}

async function ask(path: string, body?: object) {
  const answer = await fetch(app.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { cookie, origin: app.url, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as { requestId: string; status: string }
}

const copiedProducts = () => sandbox.store('new').table('products').count()

test('S1, S6: uninstalling the app ends a migration at its next item, and the store is disconnected', async () => {
  await connect('old')
  await connect('new')
  const { requestId } = await ask('/v2/migrations', { source: 'old', destination: 'new' })
  const isNow = async (id: string, status: string) => (await ask(`/v2/migrations/${id}`)).status === status
  const seen = (id: string) => ({ seen: () => ask(`/v2/migrations/${id}`) })
  // Products come after them.
  await until('a brand is copied', () => sandbox.store('new').table('brands').count() > 0, seen(requestId))
  expect((await does('uninstall', 'new')).httpStatus).toBe(200)
  await until('the migration is canceled', () => isNow(requestId, 'cancelled'), seen(requestId))
  await until('the store is disconnected', async () => !(await findStore(database, organisation.id, 'new')))
  expect(await findStore(database, organisation.id, 'old')).toBeDefined()
  expect(copiedProducts()).toBeLessThan(sandbox.store('old').table('products').count())
  // Once the store is connected again, the next one ends where the first one would have.
  await connect('new')
  const again = await ask('/v2/migrations', { source: 'old', destination: 'new' })
  await until('all is copied', () => isNow(again.requestId, 'completed'), seen(again.requestId))
  expect(copiedProducts()).toBe(sandbox.store('old').table('products').count())
})
