import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Seed } from '../../sandbox/seeds/plant-seed.ts'
import type { Plan, QuotaSettings } from '../../sandbox/server/quota.ts'
import type { Clock } from '../../src/clock.ts'
import type { Difference } from '../../src/contract/differences.ts'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import type { EngineLog } from '../../src/engine/core/engine-log.ts'
import { entities } from '../../src/entities/registry.ts'
import type { Deps } from '../../src/operations/shared/operation.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { connectStore } from '../../src/operations/stores/connect-store.ts'
import { anOrganisation } from '../api/a-service.ts'
import { holdToDescription, reportHeld } from '../api/described-answers.ts'
import { type CountedCall, startCallCounter } from './call-counter.ts'
import { compressedClock, retryPauses } from './compressed-clock.ts'
import { type Gate, startGate } from './gate.ts'
import { createDatabase, type MortalPostgres, startMortalPostgres } from './postgres.ts'
import { isAlive, runChildrenOf } from './processes.ts'
import type { RunsHere } from './runs-here.ts'
import { expectSoundEnd } from './sound-end.ts'
import { forgetLeft, sweep } from './sweep.ts'
import { until } from './until.ts'
import { workerGround } from './worker-ground.ts'
import { openStoresIn, type Side, type StoreName, startWorldSandbox, type WorldSandbox } from './world-sandbox.ts'
import { type ServiceOptions, startWorldService, type WorldService } from './world-service.ts'

export interface WorldOptions {
  /** By default `tiny` to `empty`. */
  seeds?: Partial<Record<StoreName, Seed>>
  switches?: Partial<Record<Side, Record<string, unknown>>>
  plan?: Plan
  /** A second API account per store, called `other`. */
  otherAccount?: boolean
  /** For both stores, instead of a plan's. */
  quota?: QuotaSettings
  /** Of every answer of the stores. */
  latencyMs?: number
  requestTimeoutSeconds?: number
  settleSeconds?: number
  /** Long pauses before a read is repeated pass at once: for stories of stores that fail for a while. */
  skipRetryPauses?: boolean
  /** Passes the time until a store that is away is asked again, of a run in this process; by default, the clock does. */
  passTime?: (seconds: number, runId: string) => Promise<void>
  /** Runs are processed in a process of their own, which a test may kill. */
  separateHost?: boolean
  /** The same with several such processes. */
  hosts?: number
  /** The first of them reaches the stores through a counter: see `throughFirstHost`. */
  countFirstHost?: boolean
  /** Additional stores, connected like the others and empty by default. */
  moreStores?: string[]
  /** For single stores, instead of the above. */
  quotas?: Record<string, QuotaSettings>
  settings?: ServiceOptions['settings']
  /** Where runs in this process keep the shapes of answers. */
  recordDirectory?: string
  /** Runs, and hosts if there are any, reach PostgreSQL through a gate that a test can shut: see `gate`. */
  gatedDatabase?: boolean
  /** Where runs in this process log; by default, nowhere. */
  log?: EngineLog
  /** Where runs in this process reach the stores, instead of at the sandbox itself. */
  apiUrl?: string
  /** A PostgreSQL of its own, which a test may kill; it restarts by itself. */
  mortalPostgres?: boolean
  /**
   * Runs are processed as in production: a queue, a host, a child process each, waits in real time. For tests that are about
   * these; without it, runs are processed in the test process. `separateHost`, `hosts`, `countFirstHost`, `settings`, `plan`,
   * `quota` and `mortalPostgres` imply it.
   */
  processes?: boolean
  /** What runs copy by default: a test of a few entities is faster. */
  entities?: readonly string[]
  /** For runs in the test process, instead of a clock on which pauses pass faster. */
  clock?: Clock
  /** The source has only a catalogue, and by default runs copy no more. */
  catalogueOnly?: boolean
}

const catalogue = ['tax-classes', 'locations', 'categories', 'brands', 'products']

export interface Answer<Body> {
  status: number
  headers: Headers
  body: Body
}

/**
 * A whole world on loopback: two sandbox stores in a process, a database, the service, and an owner who is signed in. The
 * sandbox's admin calls are here too. One at a time per test process, because `childPids` separates runs by their host.
 */
export interface World extends Member, Omit<WorldSandbox, 'url' | 'stop'>, Pick<WorldService, 'hostPid' | 'startHost'> {
  url: string
  sandboxUrl: string
  database: Database
  /** Another organisation, which has connected some of the same shops. */
  anotherOrganisation(name: string, stores: string[]): Promise<Member>
  /** Children that work on runs at this moment; of one host, if it is named. */
  childPids(at?: number): Promise<number[]>
  /** Waits for a child and kills it without warning. */
  killChild(): Promise<void>
  /** Resolves when the host process has ended, and its children after SIGKILL. */
  killHost(signal: NodeJS.Signals, at?: number): Promise<void>
  /** Resolves when PostgreSQL has been killed and answers again. */
  killPostgres(): Promise<void>
  /** Calls of the first host in the order of arrival. */
  throughFirstHost(): CountedCall[]
  restartService(): Promise<void>
  /** In front of PostgreSQL, with `gatedDatabase`; the test's own queries do not pass it. */
  gate: Pick<Gate, 'shut' | 'open'>
  /** What works on the run, in a world without processes. */
  processOf: RunsHere['processOf']
  /** Works on a run that is in progress and has no process, as the next host does; in a world without processes. */
  takeOver(id: string): void
  /**
   * Processes what runs left behind, as every host does every few seconds; for a world without processes. @returns what it logged
   * as errors.
   */
  sweep(): Promise<object[]>
  /** Connects a store again, as after a new API account. */
  reconnect(side: Side, token: string): Promise<void>
  stop(): Promise<void>
}

export interface Identity {
  username: string
  email: string
  organization_name: string
  client_id: string
  client_secret: string
}

/** An organisation, as its owner uses it. */
export interface Member {
  organisationId: string
  /** The five values of the owner's login. */
  identity: Identity
  /** As the owner. Returns the parsed body; the test names the expected shape. */
  api<Body = unknown>(method: string, path: string, body?: object): Promise<Answer<Body>>
  /**
   * Starts a copy of source to destination with everything that can be requested, by default `full` and `skip`; @returns its id.
   */
  migrate(body?: object): Promise<string>
  detail(id: string): Promise<MigrationDetail>
  /** Waits for the end, or for the given status. */
  finished(id: string, options?: { seconds?: number; status?: string }): Promise<MigrationDetail>
  /** Starts a copy and waits for it. @throws with its failure if it did not complete. */
  complete(body?: object): Promise<MigrationDetail>
  verify(id: string): Promise<{ detail: MigrationDetail; differences: Difference[] }>
  /** Of a comparison, all of them. */
  differences(id: string): Promise<Difference[]>
  /** Of its items. */
  issues(id: string): Promise<Issue[]>
  /** The preflight findings about the two stores (F6); every seed causes some. */
  findings(id: string): Promise<Issue[]>
}

const organisation = 'World Outfitters'
const sides: Side[] = ['source', 'destination']
const findingCodes = new Set<Issue['code']>([
  'not_copied',
  'different_setting',
  'platform_limit',
  'channel_unpaired',
  'client_changed',
])
/** The scopes that a copy needs, without those to see the private values of others. */
const narrowScopes = [
  ...['store_v2_information', 'store_channel_settings', 'store_v2_default'],
  ...new Set(entities.flatMap(({ scopes = [] }) => scopes.map(({ scope }) => scope))),
]
const terminal = ['completed', 'partial_completed', 'failed', 'cancelled']

/** A world for this test alone, which ends with it. */
export async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = await startWorld(options)
  onTestFinished(() => world.stop())
  return world
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const parts = new AsyncDisposableStack()
  try {
    return await buildWorld(options, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

function needsProcesses(options: WorldOptions): boolean {
  const { processes, separateHost, hosts, countFirstHost, settings, plan, quota, quotas, mortalPostgres } = options
  return Boolean(
    processes ?? separateHost ?? hosts ?? countFirstHost ?? settings ?? plan ?? quota ?? quotas ?? mortalPostgres,
  )
}

function buildWorld(options: WorldOptions, parts: AsyncDisposableStack): Promise<World> {
  return needsProcesses(options) ? buildOwnWorld(options, parts) : joinWorkerWorld(options, parts)
}

const noProcesses = (what: string) => () => {
  throw new Error(`This world has no ${what}: start it with { processes: true }.`)
}

/** Fresh stores and a fresh organisation in the worker's sandbox and database. */
async function joinWorkerWorld(options: WorldOptions, parts: AsyncDisposableStack): Promise<World> {
  const { url, sandbox: process, database, deps, runs, runDatabaseUrl } = await workerGround()
  const { stores, latencyMs } = sandboxOptions(options)
  const sandbox = await openStoresIn(
    process,
    stores.map((store) => ({ ...store, latencyMs })),
  )
  parts.defer(() => sandbox.stop())
  const gate = options.gatedDatabase ? await gateOf(runDatabaseUrl, parts) : undefined
  const runDatabase = gate && openDatabase(gate.url, { name: 'test run' })
  parts.defer(async () => runDatabase?.destroy())
  const organisations: string[] = []
  parts.defer(() => forgetLeft(database, organisations))
  parts.defer(() => runs.leave(organisations))
  parts.defer(reportHeld)
  const { requestTimeoutSeconds = 2, settleSeconds = 1, moreStores = [] } = options
  const requestTimeoutMs = requestTimeoutSeconds * 1000
  const isSkipped = (ms: number) => options.skipRetryPauses === true && retryPauses.includes(ms)
  const clock =
    options.clock ?? compressedClock((ms) => ms === requestTimeoutMs || (ms >= 8_000 && !isSkipped(ms)), isSkipped)
  const join = async (wish: string, names: string[]): Promise<Member> => {
    const name = `${wish} ${randomBytes(4).toString('hex')}`
    const made = await anOrganisation({ deps }, { name, stores: [] })
    for (const side of names) await connect(deps, made.id, sandbox, side)
    organisations.push(made.id)
    const { passTime, recordDirectory, apiUrl, log } = options
    runs.join(made.id, {
      requestTimeoutMs,
      settleMs: settleSeconds * 1000,
      clock,
      passTime,
      recordDirectory,
      runDatabase,
      apiUrl,
      log,
    })
    const calls = callsOf(
      url,
      await made.token(),
      database,
      options,
      (store) => sandbox.address(store).hash,
      (id) => runs.faultOf(id),
    )
    return { organisationId: made.id, identity: made.identity, ...calls }
  }
  const { url: sandboxUrl, stop: _stopped, ...storeCalls } = sandbox
  const member = await join(organisation, [...sides, ...moreStores])
  return {
    ...storeCalls,
    ...member,
    url,
    sandboxUrl,
    database,
    hostPid: noProcesses('host'),
    startHost: noProcesses('host'),
    childPids: noProcesses('children'),
    killChild: noProcesses('children'),
    killHost: noProcesses('host'),
    killPostgres: noProcesses('PostgreSQL of its own'),
    throughFirstHost: noProcesses('host'),
    restartService: noProcesses('service of its own'),
    gate: gate ?? noGate,
    processOf: (id) => runs.processOf(id),
    takeOver: (id) => runs.takeOver(id, member.organisationId),
    sweep: async () => (await sweep(deps)).filter(({ organisationId }) => organisationId === member.organisationId),
    anotherOrganisation: join,
    reconnect: (side, token) => connect(deps, member.organisationId, sandbox, side, token),
    stop: () => parts.disposeAsync(),
  }
}

const ownProcesses = () => {
  throw new Error('The runs of this world have processes of their own, and hosts that take them over.')
}

const noWayToShut = () => {
  throw new Error('The way to PostgreSQL has no gate: start this world with { gatedDatabase: true }.')
}
const noGate = { shut: noWayToShut, open: noWayToShut }

async function gateOf(databaseUrl: string, parts: AsyncDisposableStack): Promise<Gate> {
  const gate = await startGate(databaseUrl)
  parts.defer(() => gate.stop())
  return gate
}

async function connect(
  deps: Deps,
  organisationId: string,
  sandbox: WorldSandbox,
  side: string,
  token = sandbox.address(side).token,
): Promise<void> {
  const input = { organisation: organisationId, hash: sandbox.address(side).hash, token, label: side }
  await perform(connectStore, input, { userId: null }, deps)
}

async function buildOwnWorld(options: WorldOptions, parts: AsyncDisposableStack): Promise<World> {
  const postgres = options.mortalPostgres ? await mortalDatabase(parts) : await sharedDatabase(parts)
  const databaseUrl = postgres.url
  // Tests hold locks for as long as they need them.
  const database = openDatabase(databaseUrl, { name: 'test', idleInTransactionMs: 0 })
  parts.defer(() => database.destroy())
  const sandbox = await startWorldSandbox(sandboxOptions(options))
  parts.defer(() => sandbox.stop())
  const { requestTimeoutSeconds = 2, settleSeconds = 1, hosts = options.separateHost ? 1 : 0 } = options
  const gate = options.gatedDatabase ? await gateOf(databaseUrl, parts) : undefined
  const counter = options.countFirstHost ? await startCallCounter(sandbox.url) : undefined
  parts.defer(async () => counter?.stop())
  const service = await startWorldService({
    databaseUrl: gate?.url ?? databaseUrl,
    bigcommerceApiUrl: sandbox.url,
    requestTimeoutSeconds,
    settleSeconds,
    hosts,
    firstHostApiUrl: counter?.url,
    settings: options.settings,
  })
  parts.defer(() => service.stop())
  parts.defer(reportHeld)
  const storeNames = [...sides, ...(options.moreStores ?? [])]
  const join = async (name: string, stores: string[]): Promise<Member> => {
    const { organisationId, bearerToken, identity } = await signIn(service, sandbox, name, stores)
    return {
      organisationId,
      identity,
      ...callsOf(service.url, bearerToken, database, options, (store) => sandbox.address(store).hash),
    }
  }
  const { url: sandboxUrl, stop: _stopped, ...stores } = sandbox
  return {
    ...stores,
    ...(await join(organisation, storeNames)),
    ...processesOf(service),
    url: service.url,
    sandboxUrl,
    database,
    anotherOrganisation: join,
    killPostgres: () => postgres.kill(),
    throughFirstHost: () => counter?.calls ?? [],
    restartService: () => service.restart(),
    gate: gate ?? noGate,
    processOf: ownProcesses,
    takeOver: ownProcesses,
    sweep: () => Promise.reject(new Error('Hosts sweep this world by themselves.')),
    reconnect: async (side, token) => {
      const { hash } = sandbox.address(side)
      await service.administration.connectStore({ organisation, hash, token, label: side })
    },
    stop: () => parts.disposeAsync(),
  }
}

/** On the server of the test run, which must live. */
async function sharedDatabase(parts: AsyncDisposableStack): Promise<Pick<MortalPostgres, 'url' | 'kill'>> {
  const { url, drop } = await createDatabase()
  parts.defer(() => dropRunRole(url))
  parts.defer(drop)
  return { url, kill: () => Promise.reject(new Error('This PostgreSQL serves other tests: ask for a mortal one.')) }
}

async function mortalDatabase(parts: AsyncDisposableStack): Promise<Pick<MortalPostgres, 'url' | 'kill'>> {
  const server = await startMortalPostgres()
  parts.defer(() => server.stop())
  return server
}

/**
 * The role that children connect as: the service creates it, but roles outlive their database, and a world must leave nothing
 * behind.
 */
export async function dropRunRole(databaseUrl: string): Promise<void> {
  const server = new URL(databaseUrl)
  const role = `${server.pathname.slice(1)}_run`
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  await client.query(`drop role if exists ${pg.escapeIdentifier(role)}`)
  await client.end()
}

function sandboxOptions(options: WorldOptions) {
  const { seeds, switches, plan, otherAccount = false, quota, quotas, moreStores = [], latencyMs: ms = 0 } = options
  const accounts = otherAccount ? { accounts: [{ name: 'other', scopes: narrowScopes }] } : {}
  const store = (name: Side, seed: Seed) => ({
    name,
    seed: seeds?.[name] ?? seed,
    switches: switches?.[name] ?? {},
    ...accounts,
  })
  const more = moreStores.map((name) => ({ name, seed: seeds?.[name] ?? ('empty' as const) }))
  return {
    stores: [
      store('source', options.catalogueOnly ? 'tiny-catalogue' : 'tiny'),
      store('destination', 'empty'),
      ...more,
    ].map((one) => ({
      ...one,
      ...(quotas?.[one.name] && { quota: quotas[one.name] }),
    })),
    latencyMs: { read: ms, write: ms, heavy: ms },
    ...(plan && { plan }),
    ...(quota && { quota }),
  }
}

/** Creates an organisation with its stores the way an administrator does, then logs in like any user. */
async function signIn(
  { administration, url }: WorldService,
  sandbox: WorldSandbox,
  organisation: string,
  stores: string[],
) {
  const email = `owner@${organisation.toLowerCase().replaceAll(' ', '-')}.example`
  const password = randomBytes(24).toString('base64url')
  const owner = { firstName: 'Wanda', lastName: 'World', email, password }
  const { organisationId } = await administration.createOrganisation({ name: organisation, owner })
  await administration.enableStoreMigration({ organisation })
  for (const side of stores) {
    const { hash, token } = sandbox.address(side)
    await administration.connectStore({ organisation, hash, token, label: side })
  }
  const { clientId, clientSecret } = await administration.issueCredential({ organisation })
  const identity: Identity = {
    username: 'Wanda World',
    email,
    organization_name: organisation,
    client_id: clientId,
    client_secret: clientSecret,
  }
  const answer = await ask<{ access_token: string }>(`${url}/v2/login`, 'POST', {}, identity)
  if (answer.status !== 200) throw new Error(`The login was refused: ${JSON.stringify(answer.body)}`)
  return { organisationId, identity, bearerToken: answer.body.access_token }
}

/** The service shares its process with the test, which may keep it too busy: retry, as its clients do. */
const mostTries = 5

async function ask<Body>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
  tries = 1,
): Promise<Answer<Body>> {
  const content = body && { body: JSON.stringify(body) }
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...content,
  })
  const text = await response.text()
  if (response.status === 503 && tries < mostTries) {
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    return ask(url, method, headers, body, tries + 1)
  }
  const { pathname, search } = new URL(url)
  const answered = { httpStatus: response.status, headers: Object.fromEntries(response.headers), body: text }
  await holdToDescription({ method, url: pathname + search, ...answered })
  // The caller names the expected shape.
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  }
}

function callsOf(
  url: string,
  bearerToken: string,
  database: Database,
  { mortalPostgres, catalogueOnly, entities = catalogueOnly ? catalogue : undefined }: WorldOptions,
  hashOf: (store: string) => string,
  faultOf: (runId: string) => unknown = () => undefined,
) {
  const api = <Body = unknown>(method: string, path: string, body?: object) =>
    ask<Body>(`${url}${path}`, method, { authorization: `Bearer ${bearerToken}` }, body)
  async function expected<Body>(status: number, method: string, path: string, body?: object): Promise<Body> {
    const answer = await api<Body>(method, path, body)
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const detail = (id: string) => expected<MigrationDetail>(200, 'GET', `/v2/migrations/${id}`)
  // Read from the database, because polling the API would use up the token's requests per minute.
  const statusOf = async (id: string) =>
    (await sql<{ status: string }>`select status from runs where id = ${id}`.execute(database)).rows[0]?.status
  async function finished(
    id: string,
    { seconds = 180, status }: { seconds?: number; status?: string } = {},
  ): Promise<MigrationDetail> {
    const statuses = status ? [status] : terminal
    const seen = async () => ({ detail: await detail(id), issues: await issues(id) })
    const look = () => {
      const fault = faultOf(id)
      if (fault) throw new Error(`Run ${id} stopped on a fault.`, { cause: fault })
      return mortalPostgres ? statusOf(id).catch(() => undefined) : statusOf(id)
    }
    await until(`run ${id} is ${statuses.join(' or ')}`, async () => statuses.includes((await look()) ?? ''), {
      seconds,
      seen,
    })
    // A failed or cancelled run must have a consistent ledger as well.
    if (!status || terminal.includes(status)) await expectSoundEnd({ database }, id)
    return detail(id)
  }
  /** The results of a failed run are empty, which a test that expects none would accept. */
  async function ended(id: string): Promise<MigrationDetail> {
    const run = await finished(id)
    if (run.status === 'completed' || run.status === 'partial_completed') return run
    const { failure } = await expected<MigrationRequest>(200, 'GET', `/v2/migrations/${id}/request`)
    throw new Error(`Run ${id} is ${run.status}: ${failure?.code} ${failure?.message}`)
  }
  async function migrate(body: object = {}): Promise<string> {
    const isNamed = 'entities' in body || 'selection' in body
    const everything = entities ? { entities } : { customerConsent: true, ...(!isNamed && { themes: 'activate' }) }
    const request = { source: 'source', destination: 'destination', ...everything, ...body }
    const stores = { source: hashOf(request.source), destination: hashOf(request.destination) }
    return (await expected<MigrationDetail>(202, 'POST', '/v2/migrations', { ...request, ...stores })).requestId
  }
  async function everyPage<Item>(path: string): Promise<Item[]> {
    const items: Item[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: Item[]; nextCursor: string | null } = await expected(
        200,
        'GET',
        `${path}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      items.push(...page.items)
      cursor = page.nextCursor
    }
    return items
  }
  const everyIssue = (id: string) => everyPage<Issue>(`/v2/migrations/${id}/issues`)
  const issues = async (id: string) => (await everyIssue(id)).filter(({ code }) => !findingCodes.has(code))
  const findings = async (id: string) => (await everyIssue(id)).filter(({ code }) => findingCodes.has(code))
  const differences = (id: string) => everyPage<Difference>(`/v2/migrations/${id}/differences`)
  async function verify(id: string) {
    const { requestId } = await expected<MigrationDetail>(202, 'POST', `/v2/migrations/${id}/verify`)
    const detail = await ended(requestId)
    return { detail, differences: (await differences(requestId)).filter((one) => !isOwnOfEachStore(one)) }
  }
  return {
    api,
    migrate,
    detail,
    finished,
    issues,
    findings,
    verify,
    differences,
    complete: async (body?: object) => ended(await migrate(body)),
  }
}

/** Two stores normally differ in name and addresses, which few tests are about. */
function isOwnOfEachStore({ component, destinationId, fields }: Difference): boolean {
  const own: Record<string, string[]> = { 'store-contacts': ['store_name', 'store_email'], locations: ['address'] }
  // The channel that every store starts with.
  if (component === 'locations' && destinationId !== '1') return false
  return fields.length > 0 && fields.every(({ path }) => own[component]?.includes(path))
}

function processesOf(service: WorldService) {
  const childPids = async (at?: number) => {
    const hosts = at === undefined ? service.hostPids() : [service.hostPid(at)]
    return (await Promise.all(hosts.map(runChildrenOf))).flat()
  }
  const gone = (pids: number[]) =>
    until(`processes ${pids} have ended`, async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive))
  return {
    hostPid: (at?: number) => service.hostPid(at),
    startHost: (at?: number) => service.startHost(at),
    childPids,
    killChild: async () => {
      const pids = await until('a child works on a run', async () => {
        const found = await childPids()
        return found.length > 0 && found
      })
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await gone(pids)
    },
    killHost: async (signal: NodeJS.Signals, at = 0) => {
      const children = await childPids(at)
      await service.killHost(signal, at)
      await gone(children)
    },
  }
}
