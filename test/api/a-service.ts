import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { issueCredential } from '../../src/accounts/api-credentials.ts'
import { createStoreApp } from '../../src/accounts/app/store-app.ts'
import { createBearerTokens } from '../../src/accounts/bearer-tokens.ts'
import { openKeyring } from '../../src/accounts/encryption-key.ts'
import { createMemberships } from '../../src/accounts/memberships.ts'
import { emailKey, nameKey } from '../../src/accounts/name-key.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { sessionCookie } from '../../src/accounts/session-cookie.ts'
import { createSessions } from '../../src/accounts/sessions.ts'
import { createSigningKeys, type SigningKeys } from '../../src/accounts/signing-keys.ts'
import { buildServer, type ServerDeps } from '../../src/api/server.ts'
import type { Role } from '../../src/contract/accounts/permissions.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { saveStore, storeTokenContext } from '../../src/db/accounts/stores.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { holdWritingKey } from '../../src/db/core/encryption-check.ts'
import { createReadiness } from '../../src/db/core/readiness.ts'
import { createStoreOpener } from '../../src/operations/shared/open-store.ts'
import type { Deps } from '../../src/operations/shared/operation.ts'
import { createStorefrontReader } from '../../src/operations/shared/storefront-reader.ts'
import { createOutbound } from '../../src/outbound.ts'
import { noSearch } from '../../src/search/search-reader.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { createDatabase } from '../harness/postgres.ts'
import { holdToDescription, reportHeld } from './described-answers.ts'

export const siteUrl = 'http://localhost:4000'

export interface Service {
  app: FastifyInstance
  deps: Deps
  clock: FakeClock
  signingKeys: SigningKeys
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  get(path: string, token?: string): Promise<LightMyRequestResponse>
  login(body: object, address?: string): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

/** A server process that does not listen, on a database of its own. Without a sandbox, stores lie where nobody answers. */
export async function aService({
  bigcommerceApiUrl = 'http://127.0.0.1:9',
  trustedProxies = [] as string[],
  assistantOrigins = [] as string[],
  clientDocuments = undefined as ServerDeps['clientDocuments'],
  toolSet = undefined as ServerDeps['toolSet'],
  connections = undefined as ServerDeps['connections'],
  statementSeconds = limits.statementSeconds as number,
  /** The app with which stores are connected; its platform is on this machine. */
  storeApp = undefined as { clientId: string; clientSecret: string; loginUrl: string } | undefined,
} = {}): Promise<Service> {
  const { url, drop } = await createDatabase()
  const clock = new FakeClock({ start: new Date(), realWaits: true })
  const database = openDatabase(url, {
    requests: { statementSeconds, perOrganisation: limits.connectionsPerOrganisation },
  })
  const keyring = await openKeyring(database, [Buffer.alloc(32, 7)])
  const signingKeys = createSigningKeys({ database, clock, keyring })
  const stores = createStoreOpener({ database, keyring, clock, bigcommerceApiUrl, requestTimeoutSeconds: 5 })
  // The one object that the server reads from: what a story changes in it counts from the next request on.
  const deps: ServerDeps = {
    database,
    clock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    keyring,
    bearerTokens: createBearerTokens({ database, clock, signingKeys, siteUrl }),
    sessions: createSessions({ database, clock }),
    memberships: createMemberships({ database }),
    mailer: undefined,
    settings: { siteUrl, admission: { tierCaps: {}, organisationRuns: 4 }, administratorSecondStep: false },
    admit: async () => {},
    openStore: stores.open,
    leaveStores: stores.leave,
    openUnconnectedStore: stores.openUnconnected,
    storefronts: createStorefrontReader({ openStore: stores.open, clock }),
    search: noSearch,
    isReady: createReadiness({ database, clock }).isReady,
    trustedProxies,
    assistantOrigins,
    ...(clientDocuments && { clientDocuments }),
    ...(toolSet && { toolSet }),
    ...(connections && { connections }),
    ...(storeApp && {
      storeApp: createStoreApp({
        ...storeApp,
        siteUrl,
        clock,
        outbound: createOutbound({ clock, allowLoopback: true }),
      }),
    }),
  }
  const app = await buildServer(deps)
  async function inject(options: InjectOptions) {
    const answer = await askUntilHeard(() =>
      app.inject({ ...options, headers: { host: new URL(siteUrl).host, ...options.headers } }),
    )
    await holdToDescription({
      method: options.method ?? 'GET',
      url: String(options.url),
      httpStatus: answer.statusCode,
      headers: answer.headers,
      body: answer.body,
    })
    return answer
  }
  async function close() {
    await reportHeld()
    await app.close()
    await stores.close()
    await database.destroy()
    await drop()
  }
  return {
    app,
    deps,
    clock,
    signingKeys,
    inject,
    get: (path, token) =>
      inject({ url: path, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
    login: (body, remoteAddress = '192.0.2.1') =>
      inject({ method: 'POST', url: '/v2/login', payload: body, remoteAddress }),
    close,
  }
}

/** The service shares its process with the story, which may keep it busy for longer than it bears: as its clients do, ask again. */
async function askUntilHeard(ask: () => Promise<LightMyRequestResponse>, tries = 5): Promise<LightMyRequestResponse> {
  const answer = await ask()
  if (answer.statusCode !== 503 || tries === 1) return answer
  await sleep(1_000)
  return askUntilHeard(ask, tries - 1)
}

export interface Organisation {
  id: string
  userId: string
  /** The five values of a login. */
  identity: { username: string; email: string; organization_name: string; client_id: string; client_secret: string }
  /** A token as a login would give it, for a member with a role; the owner unless another is named. */
  token(role?: Role): Promise<string>
  /** The `Cookie` header of a browser in which such a member is signed in. */
  cookie(role?: Role): Promise<string>
}

/** An organisation that may log in: enabled, with a credential, an owner named Ada Lovelace and the named stores. */
export async function anOrganisation(
  service: Pick<Service, 'deps'>,
  { name = `Org ${randomUUID()}`, stores = ['store1', 'store2'], storeToken = 'planted-token' } = {},
): Promise<Organisation> {
  const { deps } = service
  const { database, clock, keyring, bearerTokens } = deps
  const id = randomUUID()
  await sql`
    insert into organisations (id, name, name_key, store_migration_enabled) values (${id}, ${name}, ${nameKey(name)}, true)`.execute(
    database,
  )
  const { userId, email } = await aMember(deps, id, 'owner')
  await database.transaction().execute(async (transaction) => {
    const writingKey = await holdWritingKey(transaction)
    for (const hash of stores) {
      const store = { id: randomUUID(), organisationId: id, hash, label: `Shop ${hash}` }
      const tokenEncrypted = keyring.encrypt(storeToken, storeTokenContext(store), writingKey)
      await saveStore(transaction, { ...store, tokenEncrypted })
    }
  })
  const { clientId, clientSecret, version } = await issueCredential(id, { userId: null }, { database, clock })
  const member = async (role: Role) => (role === 'owner' ? userId : (await aMember(deps, id, role)).userId)
  return {
    id,
    userId,
    identity: { username: 'Ada', email, organization_name: name, client_id: clientId, client_secret: clientSecret },
    cookie: async (role = 'owner') => aSession(service, await member(role)),
    token: async (role = 'owner') => {
      const claims = { userId: await member(role), organisationId: id, secretVersion: version, generation: 0 }
      return (await bearerTokens.issue(claims)).token
    },
  }
}

async function aMember(
  { database }: Deps,
  organisationId: string,
  role: Role,
): Promise<{ userId: string; email: string }> {
  const userId = randomUUID()
  const email = `Ada.${userId}@example.com`
  await sql`
    insert into users (id, first_name, last_name, email, email_key, password_hash)
    values (${userId}, 'Ada', 'Lovelace', ${email}, ${emailKey(email)}, 'no password')`.execute(database)
  await sql`
    insert into memberships (organisation_id, user_id, role) values (${organisationId}, ${userId}, ${role})`.execute(
    database,
  )
  return { userId, email }
}

export const password = 'a password long enough'

/** Somebody with a password and no organisation; an administrator where asked. */
export async function aPerson(
  { deps }: Service,
  { administrator = false, email = `Grace.${randomUUID()}@example.com` } = {},
): Promise<{ userId: string; email: string }> {
  const userId = randomUUID()
  await sql`
    insert into users (id, first_name, last_name, email, email_key, password_hash, is_administrator)
    values (${userId}, 'Grace', 'Hopper', ${email}, ${emailKey(email)}, ${await hashPassword(password)}, ${administrator})`.execute(
    deps.database,
  )
  return { userId, email }
}

/** The `Cookie` header of a browser in which this user is signed in. */
export async function aSession({ deps }: Pick<Service, 'deps'>, userId: string): Promise<string> {
  const begin = deps.database.transaction().execute((tx) => deps.sessions.begin(tx, userId, undefined))
  return cookieOf(sessionCookie(await begin, 1))
}

/** As if everyone who is signed in had just given the password again. */
export async function proveAgain({ deps }: Pick<Service, 'deps'>): Promise<void> {
  await sql`update sessions set proved_at = ${deps.clock.now()}`.execute(deps.database)
}

export interface Browser {
  get(path: string): Promise<LightMyRequestResponse>
  /** With JSON, as a page of ours sends it. */
  send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<LightMyRequestResponse>
}

/** A browser in which somebody is signed in, on a page of ours. */
export function aBrowser({ inject }: Service, cookie: string): Browser {
  const headers = { cookie, origin: siteUrl }
  return {
    get: (path) => inject({ url: path, headers }),
    send: (method, path, body) => inject({ method, url: path, headers, ...(body && { payload: body }) }),
  }
}

/** What a browser sends back for a `Set-Cookie` header. */
export function cookieOf(setCookie: unknown): string {
  return String(setCookie).split(';')[0] ?? ''
}

/** A form as a page of ours sends it. */
export function submit(
  { inject }: Service,
  url: string,
  fields: Record<string, string>,
  {
    cookie,
    origin = siteUrl,
    remoteAddress = '192.0.2.1',
  }: { cookie?: string; origin?: string | null; remoteAddress?: string } = {},
): Promise<LightMyRequestResponse> {
  return inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(origin !== null && { origin }),
      ...(cookie !== undefined && { cookie }),
    },
    payload: new URLSearchParams(fields).toString(),
    remoteAddress,
  })
}
