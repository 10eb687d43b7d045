import { type Administration, administrationOf } from './administration.ts'
import { healthPaths } from './api/health.ts'
import { ensurePortal } from './api/portal-build.ts'
import { buildServer, type ServerDeps } from './api/server.ts'
import type { ObservedCall } from './bigcommerce/client.ts'
import { tracedCall } from './bigcommerce/traced-call.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { limits } from './contract/primitives/limits.ts'
import { type Database, openDatabase } from './db/core/database.ts'
import { createReadiness } from './db/core/readiness.ts'
import { prepareRunRole } from './db/core/run-role.ts'
import { freePort } from './db/postgres/free-port.ts'
import { removeEmbeddedPostgres } from './db/postgres/remove-embedded-postgres.ts'
import { forgetFindings, forgetOriginals } from './db/runs/forget-findings.ts'
import { forgetEndedRun } from './db/runs/forget-runs.ts'
import { type RunCalls, readRunCalls } from './db/runs/run-calls.ts'
import { priceUnpriced } from './engine/forecast/price-runs.ts'
import { createAdmission } from './engine/process/admit.ts'
import { startWorkerHost } from './engine/process/host.ts'
import { endSideEffects } from './engine/sweeps/end-side-effects.ts'
import { forgetSettled } from './engine/sweeps/forget-settled.ts'
import {
  type Admit,
  constructing,
  type Foundation,
  hostsLookThemselves,
  layFoundation,
  limitsOf,
  openSearchStore,
  provideDeps,
} from './foundation.ts'
import type { Log } from './log.ts'
import { startMetrics } from './metrics/start-metrics.ts'
import type { RunTracer } from './model/run-tracer.ts'
import type { NotificationObserver } from './model/sent-notifications.ts'
import type { RunObserver } from './model/work-done.ts'
import { startSender } from './notifications/sender.ts'
import { purgeExpired } from './oauth/registration.ts'
import type { Deps } from './operations/shared/operation.ts'
import { leaveUninstalled } from './operations/stores/leave-uninstalled.ts'
import { createOutbound } from './outbound.ts'
import { prepareDirectory } from './prepare-directory.ts'
import { startIndexer } from './search/indexer.ts'
import { createSearchReader, noSearch, type SearchReader } from './search/search-reader.ts'
import { startTracing } from './tracing/start-tracing.ts'

export type { Administration, Config }
/** For the demo, which leaves nothing behind. */
export { freePort, prepareDirectory, removeEmbeddedPostgres }

export type Role = 'server' | 'worker'

export interface App {
  /** Address for people and programs. */
  url: string
  administration: Administration
  /** Calls made by a run. For operators, not part of the API. */
  callsOf(organisationId: string, runId: string): Promise<RunCalls[]>
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

const metricsPort = 'STOREFERRY_METRICS_PORT'
const metricsWhere = { host: 'STOREFERRY_METRICS_HOST', port: metricsPort, setInstead: metricsPort }

/**
 * Constructs and starts the service.
 *
 * @throws with one line that says what to do, after stopping everything that was started.
 */
export async function startApp(options: StartOptions): Promise<App> {
  const { roles, config, log, buildPortal = false } = options
  return constructing(async (parts) => {
    const tracing = config.tracing && (await startTracing({ ...config.tracing, log, untracedRoutes: healthPaths }))
    // After everything else, so that what it did last is sent, too.
    if (tracing) parts.defer(() => tracing.close())
    if (config.recordDirectory !== undefined) await prepareDirectory(config.recordDirectory, 'STOREFERRY_RECORD')
    const base = await layFoundation(config, log, parts)
    const admit = roles.includes('server') ? await openAdmission(base, config, log, parts) : hostsLookThemselves
    const readiness = createReadiness({ database: base.database, clock: systemClock })
    const requests = roles.includes('server') ? openForRequests(base, parts) : base.database
    const search = startSearch(base, requests, config, log, parts)
    const onCall = tracing && ((call: ObservedCall) => tracing.called({ ...tracedCall(call), atMs: Date.now() }))
    const deps = { ...provideDeps({ ...base, database: requests }, config, log, admit, parts, onCall), search }
    // It stops after both, so that their last numbers can be read.
    const metrics =
      config.metrics &&
      (await startMetrics({
        ...config.metrics,
        database: base.database,
        clock: systemClock,
        readiness,
        hasIndexer: search !== noSearch,
      }).catch(explainPort(config.metrics, metricsWhere)))
    if (metrics) parts.defer(() => metrics.close())
    if (roles.includes('worker'))
      await startWorker(
        base,
        { ...deps, database: base.database },
        { config, log, observer: metrics?.runs, tracer: tracing?.runs },
        parts,
      )
    const listeners = [metrics, tracing].filter((one) => one !== undefined)
    const onAnswered: ServerDeps['onAnswered'] = (answer) => {
      for (const listener of listeners) listener.answered(answer)
    }
    if (roles.includes('server'))
      await startServer(
        { ...deps, isReady: readiness.isReady, ...(listeners.length > 0 && { onAnswered }) },
        { config, log, buildPortal, background: base.database, observer: metrics?.notifications },
        parts,
      )
    // Before anything else stops, so that proxies send it no more requests.
    parts.defer(() => readiness.end())
    return {
      url: config.siteUrl,
      administration: administrationOf(deps),
      callsOf: (organisationId, runId) => readRunCalls(base.database, organisationId, runId),
      stop: () => parts.disposeAsync(),
    }
  })
}

async function openAdmission(base: Foundation, config: Config, log: Log, parts: AsyncDisposableStack): Promise<Admit> {
  const { database, databaseUrl } = base
  const admission = await createAdmission({ database, databaseUrl, clock: systemClock, log, limits: limitsOf(config) })
  parts.defer(() => admission.stop())
  return () => admission.admit()
}

/** Callers do not wait for work in the background, nor it for them, and only what they ask for has a time limit (S25). */
function openForRequests({ databaseUrl }: Foundation, parts: AsyncDisposableStack): Database {
  const { statementSeconds, connectionsPerOrganisation: perOrganisation } = limits
  const database = openDatabase(databaseUrl, { requests: { statementSeconds, perOrganisation } })
  parts.defer(() => database.destroy())
  return database
}

function startSearch(
  base: Foundation,
  requests: Database,
  config: Config,
  log: Log,
  parts: AsyncDisposableStack,
): SearchReader {
  const store = openSearchStore(base, config, parts)
  if (!store) return noSearch
  const { database } = base
  const indexer = startIndexer({ database, store, clock: systemClock, log })
  parts.defer(() => indexer.stop())
  return createSearchReader(store, { database: requests, log })
}

interface WorkerOptions extends Pick<StartOptions, 'config' | 'log'> {
  observer: RunObserver | undefined
  tracer: RunTracer | undefined
}

async function startWorker(
  base: Foundation,
  deps: Deps,
  { config, log, observer, tracer }: WorkerOptions,
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
    tracer,
    priceUnpriced: () => priceUnpriced(deps),
    cleanUp: async (signal) => {
      await endSideEffects(deps, signal)
      await leaveUninstalled(deps)
      await forgetSettled(deps)
      await purgeExpired(deps)
      // One at a time, so that the next look at what runs left open is not late.
      await forgetEndedRun(database, config.retention.ledger)
      await forgetOriginals(database, config.retention)
      await forgetFindings(database, config.retention)
    },
  })
  parts.defer(() => host.stop())
}

interface ServerOptions extends Omit<Required<StartOptions>, 'roles'> {
  /** For work that no caller waits for. */
  background: Database
  observer: NotificationObserver | undefined
}

async function startServer(
  deps: Deps & Pick<ServerDeps, 'isReady' | 'onAnswered'>,
  { config, log, buildPortal, background, observer }: ServerOptions,
  parts: AsyncDisposableStack,
): Promise<void> {
  const { trustedProxies, assistantOrigins } = config
  const stopping = new AbortController()
  parts.defer(() => stopping.abort())
  // Never this machine, even if the platform is a sandbox on it: any client and any owner can name such an address.
  const outbound = createOutbound({ clock: systemClock, allowLoopback: false })
  const sender = startSender({ ...deps, database: background, outbound, siteUrl: config.siteUrl, log, observer })
  parts.defer(() => sender.stop())
  const server = await buildServer({
    ...deps,
    httpLog: log,
    trustedProxies,
    assistantOrigins,
    ...(buildPortal && { portal: ensurePortal(log, stopping.signal) }),
    ...(config.clientDocuments && { clientDocuments: outbound }),
  })
  parts.defer(() => server.close())
  await server
    .listen({ host: config.host, port: config.port })
    .catch(
      explainPort(config, { host: 'HOST', port: 'PORT', setInstead: 'PORT and STOREFERRY_URL' }, config.metrics?.port),
    )
}

/** Where a server was to listen, and the settings that say so. */
type Where = Record<'host' | 'port' | 'setInstead', string>

/**
 * Rethrows why a server cannot listen, in one line that says what to do.
 * @param taken the port of our own metrics
 */
function explainPort({ host, port }: { host: string; port: number }, settings: Where, taken?: number) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EADDRINUSE' && port === taken)
      throw new Error(`${settings.port} and ${metricsPort} are both ${port}; give each a port of its own.`)
    if (error.code === 'EADDRINUSE')
      throw new Error(
        `Port ${port} on ${host} is already in use; stop the other program, or set ${settings.setInstead}.`,
      )
    if (error.code === 'EACCES')
      throw new Error(`${settings.port} is ${port}, which this user may not open; give one above 1023.`)
    if (error.code !== 'EADDRNOTAVAIL' && error.syscall !== 'getaddrinfo') throw error
    throw new Error(
      `${settings.host} is "${host}", which is no address of this machine; give one of its own, such as 127.0.0.1, or 0.0.0.0 for all.`,
    )
  }
}
