import { join } from 'node:path'
import { createStoreApp } from './accounts/app/store-app.ts'
import { createBearerTokens } from './accounts/bearer-tokens.ts'
import { type Keyring, parseMasterKey } from './accounts/encryption.ts'
import {
  ensureEncryptionKey,
  ensureNextKey,
  keepNextKey,
  keptEncryptionKeys,
  openKeyring,
} from './accounts/encryption-key.ts'
import { createMailer } from './accounts/mailer.ts'
import { createMemberships } from './accounts/memberships.ts'
import { type KeyRotation, rotateMasterKey } from './accounts/rotate-master-key.ts'
import { createSessions } from './accounts/sessions.ts'
import { createSigningKeys } from './accounts/signing-keys.ts'
import { type Administration, administrationOf, noAdministrator } from './administration.ts'
import { ensurePortal } from './api/portal-build.ts'
import { buildServer, type ServerDeps } from './api/server.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { type Restored, restoreBackup } from './db/backup/restore-backup.ts'
import { type BackupWritten, writeBackup } from './db/backup/write-backup.ts'
import { type Database, openDatabase } from './db/core/database.ts'
import { migrate } from './db/core/migrate.ts'
import { createReadiness } from './db/core/readiness.ts'
import { prepareRunRole } from './db/core/run-role.ts'
import { describeUnreachable } from './db/core/unreachable.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/postgres/embedded-postgres.ts'
import { freePort } from './db/postgres/free-port.ts'
import { removeEmbeddedPostgres } from './db/postgres/remove-embedded-postgres.ts'
import { forgetEndedRun } from './db/runs/forget-runs.ts'
import { type RunCalls, readRunCalls } from './db/runs/run-calls.ts'
import { priceUnpriced } from './engine/forecast/price-runs.ts'
import { createAdmission } from './engine/process/admit.ts'
import { startWorkerHost } from './engine/process/host.ts'
import { endSideEffects } from './engine/sweeps/end-side-effects.ts'
import { forgetSettled } from './engine/sweeps/forget-settled.ts'
import { componentOf } from './entities/registry.ts'
import type { Log } from './log.ts'
import { startMetrics } from './metrics/start-metrics.ts'
import type { AdmissionLimits } from './model/forecast/capacity.ts'
import type { RunObserver } from './model/work-done.ts'
import { createStoreOpener } from './operations/shared/open-store.ts'
import type { Deps } from './operations/shared/operation.ts'
import { createStorefrontReader } from './operations/shared/storefront-reader.ts'
import { leaveUninstalled } from './operations/stores/leave-uninstalled.ts'
import { createOutbound, isOnThisMachine } from './outbound.ts'
import { startIndexer } from './search/indexer.ts'
import { type Reindexed, reindex } from './search/reindex.ts'
import { createSearchReader, noSearch, type SearchReader } from './search/search-reader.ts'
import type { SearchStore } from './search/search-store.ts'
import { openSqliteStore } from './search/sqlite-store.ts'

export type { Administration, Config }
/** For the demo, which leaves nothing behind. */
export { freePort, removeEmbeddedPostgres }

export type Role = 'server' | 'worker'

export interface App {
  /** Address for people and programs. */
  url: string
  administration: Administration
  /** Calls made by a run. For operators, not part of the API. */
  callsOf(organisationId: string, runId: string): Promise<RunCalls[]>
  /** Items of a component that one call creates, as declared by its entity. */
  batchOf(componentKey: string): number
  /** Shuts down cleanly: no new requests, runs handed over, connections closed, embedded database stopped. */
  stop(): Promise<void>
}

interface StartOptions {
  roles: readonly Role[]
  config: Config
  log: Log
  /** Builds the portal when its sources changed; otherwise the last build is served. */
  buildPortal?: boolean
}

/** Database connections per process. */
const connections = 10

/**
 * Constructs and starts the service.
 *
 * @throws with one line that says what to do, after stopping everything that was started.
 */
export async function startApp(options: StartOptions): Promise<App> {
  const { roles, config, log, buildPortal = false } = options
  return constructing(async (parts) => {
    const base = await layFoundation(config, log, parts)
    const admit = roles.includes('server') ? await openAdmission(base, config, log, parts) : hostsLookThemselves
    const readiness = createReadiness({ database: base.database, clock: systemClock })
    const search = startSearch(base, config, log, parts)
    const deps = { ...provideDeps(base, config, log, admit, parts), search }
    // It stops after both, so that their last numbers can be read.
    const metrics =
      config.metrics &&
      (await startMetrics({
        ...config.metrics,
        database: base.database,
        clock: systemClock,
        readiness,
        hasIndexer: base.ownDatabase !== undefined,
      }))
    if (metrics) parts.defer(() => metrics.close())
    if (roles.includes('worker')) await startWorker(base, deps, { config, log, observer: metrics?.runs }, parts)
    if (roles.includes('server'))
      await startServer(
        { ...deps, isReady: readiness.isReady, ...(metrics && { onAnswered: metrics.answered }) },
        { config, log, buildPortal },
        parts,
      )
    // Before anything else stops, so that proxies send it no more requests.
    parts.defer(() => readiness.end())
    return {
      url: config.siteUrl,
      administration: administrationOf(deps),
      callsOf: (organisationId, runId) => readRunCalls(base.database, organisationId, runId),
      batchOf: (componentKey) => componentOf(componentKey).create?.batch ?? 1,
      stop: () => parts.disposeAsync(),
    }
  })
}

/** Administration on the command line, with operations that no running server may do. */
export interface CommandAdministration extends Administration {
  /** Replaces the master key by STOREFERRY_KEY, or by a new key in the data directory (S8). */
  rotateKey(onProgress: (left: { table: string; count: number }) => void): Promise<KeyRotation>
  /** Fills the search index from PostgreSQL again; with the embedded database only. */
  reindex(options: Parameters<typeof reindex>[1]): Promise<Reindexed>
  /** Writes everything except the master key to a new file (S8). */
  backup(file: string, options: { version: string; signal: AbortSignal }): Promise<BackupWritten>
  /** Fills an empty database from such a file. Sessions and tokens end (S6). */
  restore(file: string): Promise<Restored>
  close(): Promise<void>
}

/** The same database without server or worker: uses the running embedded one, or starts it. */
export function openAdministration(config: Config, log: Log): Promise<CommandAdministration> {
  return constructing(async (parts) => {
    const base = await layFoundation(config, log, parts)
    const deps = provideDeps(base, config, log, hostsLookThemselves, parts)
    return {
      ...administrationOf(deps),
      rotateKey: (onProgress) => rotateKey(base, config, onProgress),
      reindex: (options) => {
        const store = openSearch(base, config, parts)
        if (!store) throw new Error('With DATABASE_URL there is no search index.')
        return reindex({ database: base.database, store, clock: systemClock }, options)
      },
      backup: (file, options) => writeBackup(base.database, file, { ...options, at: systemClock.now() }),
      restore: async (file) => {
        const checkKey = (restored: Database) => openKeyring(restored, base.masterKeys)
        const restored = await restoreBackup(base.database, file, { at: systemClock.now(), checkKey })
        await openSearch(base, config, parts)?.clear()
        return restored
      },
      close: () => parts.disposeAsync(),
    }
  })
}

async function rotateKey(
  { database, masterKeys, ownDatabase }: Foundation,
  { key, dataDirectory }: Config,
  onProgress: (left: { table: string; count: number }) => void,
): Promise<KeyRotation> {
  const deps = { database, clock: systemClock }
  if (key !== undefined || !ownDatabase) return rotateMasterKey(deps, masterKeys, noAdministrator, onProgress)
  // Before checking for other users of the database: any later one finds the key.
  const next = await ensureNextKey(dataDirectory)
  if (await ownDatabase.usedByOthers())
    throw new Error('The service is running with the old key: stop it, run this command again, then start it.')
  const rotated = await rotateMasterKey(deps, [next, ...masterKeys], noAdministrator, onProgress)
  if (rotated.left.length === 0) await keepNextKey(dataDirectory)
  return rotated
}

async function constructing<Made>(make: (parts: AsyncDisposableStack) => Promise<Made>): Promise<Made> {
  const parts = new AsyncDisposableStack()
  try {
    return await make(parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

interface Foundation {
  databaseUrl: string
  database: Database
  keyring: Keyring
  masterKeys: [Buffer, ...Buffer[]]
  /** Undefined with DATABASE_URL. */
  ownDatabase: EmbeddedPostgres | undefined
}

/** The key comes first: a new one may only be made together with a new embedded database (S8). */
async function layFoundation(config: Config, log: Log, parts: AsyncDisposableStack): Promise<Foundation> {
  const { key: given, oldKeys, dataDirectory, databaseUrl: givenUrl } = config
  const databaseGiven = givenUrl !== undefined
  const masterKey = await ensureEncryptionKey({ given, databaseGiven, dataDirectory, databaseDirectory: dataDirectory })
  const ownDatabase = databaseGiven ? undefined : await startOwnDatabase(dataDirectory, log, parts)
  const databaseUrl = givenUrl ?? ownDatabase?.url('postgres') ?? ''
  await migrate(databaseUrl).catch((error: unknown) => {
    throw describeUnreachable(error)
  })
  const database = openDatabase(databaseUrl, { connections })
  parts.defer(() => database.destroy())
  const kept = given === undefined && !databaseGiven ? await keptEncryptionKeys(dataDirectory) : []
  const older = oldKeys.map((text) => parseMasterKey(text, 'STOREFERRY_OLD_KEYS'))
  const masterKeys: Foundation['masterKeys'] = [masterKey, ...older, ...kept]
  return { databaseUrl, database, keyring: await openKeyring(database, masterKeys), masterKeys, ownDatabase }
}

async function startOwnDatabase(
  dataDirectory: string,
  log: Log,
  parts: AsyncDisposableStack,
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, clock: systemClock })
  parts.defer(() => postgres.stop())
  return postgres
}

type Admit = Deps['admit']

async function openAdmission(base: Foundation, config: Config, log: Log, parts: AsyncDisposableStack): Promise<Admit> {
  const { database, databaseUrl } = base
  const admission = await createAdmission({ database, databaseUrl, clock: systemClock, log, limits: limitsOf(config) })
  parts.defer(() => admission.stop())
  return () => admission.admit()
}

function limitsOf({ tierRuns, organisationRuns }: Config): AdmissionLimits {
  return { tierCaps: tierRuns, organisationRuns }
}

/** For processes that need not wake the engine: every host polls within seconds. */
const hostsLookThemselves: Admit = () => Promise.resolve()

function provideDeps(base: Foundation, config: Config, log: Log, admit: Admit, parts: AsyncDisposableStack): Deps {
  const { database, keyring } = base
  const { siteUrl, bigcommerceApiUrl, requestTimeoutSeconds, quotaReserve, administratorSecondStep } = config
  const clock = systemClock
  const signingKeys = createSigningKeys({ database, clock, keyring })
  const stores = createStoreOpener({ database, keyring, clock, bigcommerceApiUrl, requestTimeoutSeconds, quotaReserve })
  parts.defer(() => stores.close())
  return {
    database,
    clock,
    log,
    keyring,
    bearerTokens: createBearerTokens({ database, clock, signingKeys, siteUrl }),
    sessions: createSessions({ database, clock }),
    memberships: createMemberships({ database }),
    mailer: openMailer(config, log, parts),
    storeApp: openApp(config),
    settings: { siteUrl, admission: limitsOf(config), administratorSecondStep },
    admit,
    openStore: stores.open,
    leaveStores: stores.leave,
    openUnconnectedStore: stores.openUnconnected,
    storefronts: createStorefrontReader({ openStore: stores.open, clock }),
    search: noSearch,
  }
}

function openMailer({ smtpUrl, mailFrom }: Config, log: Log, parts: AsyncDisposableStack): Deps['mailer'] {
  if (smtpUrl === undefined) return undefined
  const mailer = createMailer({ smtpUrl, from: mailFrom, clock: systemClock, log })
  parts.defer(() => mailer.close())
  return mailer
}

/** Without an app, the callbacks of the platform do not exist. */
function openApp({ app, siteUrl }: Config): Deps['storeApp'] {
  if (app === undefined) return undefined
  const outbound = createOutbound({ clock: systemClock, allowLoopback: isOnThisMachine(app.loginUrl) })
  return createStoreApp({ ...app, siteUrl, clock: systemClock, outbound })
}

/** The index of one machine lies beside its embedded database; several hosts share DATABASE_URL and read from there. */
function openSearch({ ownDatabase }: Foundation, config: Config, parts: AsyncDisposableStack): SearchStore | undefined {
  if (!ownDatabase) return undefined
  const store = openSqliteStore(join(config.dataDirectory, 'search.sqlite'), systemClock)
  parts.defer(() => store.close())
  return store
}

function startSearch(base: Foundation, config: Config, log: Log, parts: AsyncDisposableStack): SearchReader {
  const store = openSearch(base, config, parts)
  if (!store) return noSearch
  const { database } = base
  const indexer = startIndexer({ database, store, clock: systemClock, log })
  parts.defer(() => indexer.stop())
  return createSearchReader(store, { database, log })
}

async function startWorker(
  base: Foundation,
  deps: Deps,
  { config, log, observer }: { config: Config; log: Log; observer: RunObserver | undefined },
  parts: AsyncDisposableStack,
): Promise<void> {
  const { database, databaseUrl, keyring } = base
  const runDatabaseUrl = await prepareRunRole(databaseUrl, keyring.subkey('run role').toString('base64url'))
  const { bigcommerceApiUrl, requestTimeoutSeconds, settleSeconds, outageHours, quotaReserve, recordDirectory } = config
  const waits = { requestTimeoutSeconds, settleSeconds, outageHours }
  const settings = { bigcommerceApiUrl, ...waits, childReserve: quotaReserve, recordDirectory }
  const host = await startWorkerHost({
    database,
    databaseUrl,
    runDatabaseUrl,
    clock: systemClock,
    log,
    keyring,
    settings,
    offer: { maxRuns: config.maxRuns, memoryMiB: config.runMemoryMiB, tierCaps: config.hostTierRuns },
    limits: limitsOf(config),
    observer,
    priceUnpriced: () => priceUnpriced(deps),
    cleanUp: async (signal) => {
      await endSideEffects(deps, signal)
      await leaveUninstalled(deps)
      await forgetSettled(deps)
      // One at a time, so that the next look at what runs left open is not late.
      await forgetEndedRun(database, config.ledgerDays)
    },
  })
  parts.defer(() => host.stop())
}

async function startServer(
  deps: Deps & Pick<ServerDeps, 'isReady' | 'onAnswered'>,
  { config, log, buildPortal }: Omit<Required<StartOptions>, 'roles'>,
  parts: AsyncDisposableStack,
): Promise<void> {
  const { trustedProxies, assistantOrigins } = config
  const stopping = new AbortController()
  parts.defer(() => stopping.abort())
  // Never this machine, even if the platform is a sandbox on it: any client can name such an address.
  const clientDocuments = createOutbound({ clock: systemClock, allowLoopback: false })
  const server = await buildServer({
    ...deps,
    httpLog: log,
    trustedProxies,
    assistantOrigins,
    ...(buildPortal && { portal: ensurePortal(log, stopping.signal) }),
    ...(config.clientDocuments && { clientDocuments }),
  })
  parts.defer(() => server.close())
  await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(
      `Port ${config.port} on ${config.host} is already in use; stop the other program, or set PORT and STOREFERRY_URL.`,
    )
  })
}
