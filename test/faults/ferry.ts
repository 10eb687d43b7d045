import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { createKeyring } from '../../src/accounts/encryption.ts'
import { openAdministration } from '../../src/command-administration.ts'
import { readConfig } from '../../src/config.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createLog } from '../../src/log.ts'
import { runCommandHere } from '../cli/run-command.ts'
import { type Run, startProgram, stopProgram, untilPrinted } from '../cli/run-program.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import type { FaultWish } from '../harness/world-sandbox.ts'

/** The scopes of a token in each store of the sandbox except `source` and `destination`, where it has all. */
const scopes: Record<string, string[]> = {
  readonly: [
    ...['store_v2_products_read_only', 'store_v2_information_read_only', 'store_channel_settings_read_only'],
    ...['store_v2_customers_read_only', 'store_locations_read_only'],
    ...['store_v2_content_read_only', 'store_sites_read_only', 'store_themes_read_only'],
  ],
  catalogue: ['store_v2_products', 'store_v2_information', 'store_channel_settings'],
  narrow: [
    ...['store_v2_information', 'store_channel_settings', 'store_v2_customers', 'store_locations'],
    ...['store_v2_content', 'store_sites', 'store_themes_manage'],
  ],
}

export const organisation = 'Reed Lamps'
const adminToken = randomBytes(16).toString('hex')

/** The program as an operator and a merchant use it: the service and its runs are processes. Commands run in this process. */
export interface Ferry {
  sandbox: Sandbox
  environment: Record<string, string>
  /** A command, signed in as the owner once `signIn` was called. */
  storeferry(
    args: string[],
    more?: { input?: string; environment?: Record<string, string> },
  ): Promise<{ code: number; output: string; errors: string }>
  signIn(secret?: string): ReturnType<Ferry['storeferry']>
  api<Body>(method: string, path: string, body?: object): Promise<{ status: number; body: Body }>
  finished(id: string): Promise<MigrationDetail>
  fault(store: string, wish: FaultWish): Promise<void>
  clearFaults(store: string): Promise<void>
  /** Everything the service and the processes of its runs have logged. */
  written(): string
  /** Secrets by name; none may ever be logged. */
  secrets: Record<string, string>
  stop(): Promise<void>
}

export async function startFerry(): Promise<Ferry> {
  const parts = new AsyncDisposableStack()
  try {
    return await build(parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function build(parts: AsyncDisposableStack): Promise<Ferry> {
  const home = await mkdtemp(join(tmpdir(), 'sf-'))
  parts.defer(() => rm(home, { recursive: true, force: true }))
  const database = await createDatabase()
  parts.defer(() => database.drop())
  const rows = openDatabase(database.url, { name: 'test' })
  parts.defer(() => rows.destroy())
  const sandbox = await startSandbox({ adminToken, stores: storesOfSandbox() })
  parts.defer(() => sandbox.close())
  const port = await freePort()
  const environment = {
    HOME: home,
    PORT: String(port),
    STOREFERRY_URL: `http://127.0.0.1:${port}`,
    STOREFERRY_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: database.url,
    BIGCOMMERCE_API_URL: sandbox.url,
    STOREFERRY_REQUEST_TIMEOUT_SECONDS: '5',
    STOREFERRY_SETTLE_SECONDS: '0',
    LOG_LEVEL: 'debug',
  }
  const credential = await setUp(environment, sandbox)
  const service: Run = startProgram(['start'], { environment })
  parts.defer(() => stopProgram(service))
  await untilPrinted(service, /^Storeferry is ready at/m)
  const bearerToken = await logIn(environment.STOREFERRY_URL, credential)
  const api: Ferry['api'] = (method, path, body) => ask(environment.STOREFERRY_URL, bearerToken, method, path, body)
  const storeferry: Ferry['storeferry'] = (args, more = {}) =>
    runCommandHere(args, { environment: { ...environment, ...more.environment }, input: more.input })
  return {
    sandbox,
    environment,
    storeferry,
    signIn: (secret = credential.clientSecret) =>
      storeferry(
        [
          'login',
          '--username',
          'Olive',
          '--email',
          'olive@reed.example',
          '--organization',
          organisation,
          '--client-id',
          credential.clientId,
          '--secret-stdin',
        ],
        { input: secret },
      ),
    api,
    finished: async (id) => {
      // Read from the database, because polling the API would use up the token's requests per minute.
      const status = async () =>
        (await sql<{ status: string }>`select status from runs where id = ${id}`.execute(rows)).rows[0]?.status ?? ''
      await until(`run ${id} has ended`, async () => !['', 'queued', 'in_progress'].includes(await status()), {
        seconds: 90,
      })
      return (await api<MigrationDetail>('GET', `/v2/migrations/${id}`)).body
    },
    fault: (store, wish) => askFaults(sandbox, store, 'POST', wish),
    clearFaults: (store) => askFaults(sandbox, store, 'DELETE'),
    written: () => service.output() + service.errors(),
    secrets: { ...secretsOf(environment, sandbox), clientSecret: credential.clientSecret, bearerToken },
    stop: () => parts.disposeAsync(),
  }
}

function storesOfSandbox() {
  const empty = ['destination', 'again', 'picky', 'away', ...Object.keys(scopes)]
  const stores = empty.map((name) => ({ name, seed: 'empty' as const, ...(scopes[name] && { scopes: scopes[name] }) }))
  const sources = ['source', 'flawed', 'locked'].map((name) => ({ name, seed: 'tiny' as const }))
  return [...sources, ...stores]
}

/** An organisation with every store of the sandbox, created the way an administrator does. */
async function setUp(environment: Record<string, string>, sandbox: Sandbox) {
  const administration = await openAdministration(readConfig(environment), createLog({ level: 'silent' }))
  try {
    const owner = {
      firstName: 'Olive',
      lastName: 'Reed',
      email: 'olive@reed.example',
      password: 'a password long enough',
    }
    await administration.createOrganisation({ name: organisation, owner })
    await administration.enableStoreMigration({ organisation })
    for (const { hash, token } of Object.values(sandbox.stores))
      await administration.connectStore({ organisation, hash, token })
    return await administration.issueCredential({ organisation })
  } finally {
    await administration.close()
  }
}

async function logIn(
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
  const body = { username: 'Olive', email: 'olive@reed.example', organization_name: organisation }
  const login = { ...body, client_id: clientId, client_secret: clientSecret }
  const answer = await ask<{ access_token: string }>(url, '', 'POST', '/v2/login', login)
  return answer.body.access_token
}

async function ask<Body>(url: string, bearerToken: string, method: string, path: string, body?: object) {
  const headers = {
    ...(bearerToken && { authorization: `Bearer ${bearerToken}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  // The calling test names the expected shape.
  return { status: response.status, body: (await response.json()) as Body }
}

async function askFaults(sandbox: Sandbox, store: string, method: string, wish?: FaultWish): Promise<void> {
  const response = await fetch(`${sandbox.url}/__sandbox/stores/${sandbox.stores[store]?.hash}/faults`, {
    method,
    headers: { 'x-sandbox-admin': adminToken, ...(wish && { 'content-type': 'application/json' }) },
    ...(wish && { body: JSON.stringify(wish) }),
  })
  if (!response.ok) throw new Error(`The sandbox refused ${method} of a fault: ${await response.text()}`)
}

function secretsOf(environment: Record<string, string>, sandbox: Sandbox): Record<string, string> {
  const tokens = Object.values(sandbox.stores).map(({ name, token }) => [`token of store ${name}`, token])
  const masterKey = environment.STOREFERRY_KEY ?? ''
  const password = decodeURIComponent(new URL(environment.DATABASE_URL ?? '').password)
  const runRole = createKeyring([], Buffer.from(masterKey, 'base64')).subkey('run role')
  return {
    ...Object.fromEntries(tokens),
    masterKey,
    runPassword: runRole.toString('base64url'),
    // A test server may accept any user; an empty password would be found everywhere.
    ...(password && { databasePassword: password }),
  }
}
