import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Clock } from '../../clock.ts'
import { type Cluster, lastLogLines, launch, type SupervisorLog, shortenLog, user } from './cluster.ts'
import { freePort } from './free-port.ts'
import { initialiseCluster } from './initialise-cluster.ts'
import { exists, findPostgresBinaries, isWindows } from './postgres-binaries.ts'
import {
  chooseHome,
  ownDirectory,
  postgresAccount,
  prepareDataDirectory,
  prepareSocketDirectory,
  socketPort,
} from './postgres-files.ts'
import { isAlive, type Postmaster, removeStalePostmasterFile, runningPostmaster } from './postmaster.ts'
import { heldByOthers, holding, holdShared, releasedByAll } from './process-lock.ts'

export interface EmbeddedPostgresOptions {
  /** Used by us alone; created if missing. */
  dataDirectory: string
  log: SupervisorLog
  clock: Clock
}

export interface EmbeddedPostgres {
  /** `host` is the directory of the unix socket (an address on Windows). */
  connection: { host: string; port: number; user: string; password: string; database: 'postgres' }
  /** A connection string for node-postgres and libpq. Holds the password: never log it. */
  url(database: string): string
  /** True if a killed process left the server running, or another process uses it too. */
  adopted: boolean
  /** Whether another live process uses the server too. */
  usedByOthers(): Promise<boolean>
  /** Fast shutdown. A server that another live process also uses keeps running. */
  stop(): Promise<void>
}

/**
 * How long starting is retried. After a kill -9 of the server its children keep the shared memory for about a second; a
 * much shorter value gives up on a machine under load, a much longer one hides a server that cannot start at all.
 */
const startPatienceMs = 10_000

/** A server found running may be recovering or shutting down; both end within a minute unless something is wrong. */
const adoptPatienceMs = 60_000

/**
 * A fast shutdown writes a checkpoint; after this time an immediate one leaves the rest to recovery at the next start.
 */
const stopPatienceMs = 60_000

/** How soon a dead server is noticed; each check costs two reads in /proc. */
const watchIntervalMs = 500

/**
 * Starts the PostgreSQL that ships with Storeferry, or adopts the one still running on this data directory.
 *
 * Until `stop()` is called the server is restarted whenever it dies. It outlives this process, so a killed process
 * needs no recovery; the next start adopts the server.
 *
 * @throws when the data is of another major version, when a foreign process works in the directory, or when PostgreSQL
 * does not start within 10 s; the message ends with its last log lines.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = await prepareDataDirectory(options.dataDirectory)
  const startLock = join(dataDirectory, 'start.lock')
  return holding(startLock, options.clock, async () => {
    const cluster = await prepareCluster(dataDirectory, options)
    const adopted = await adoptOrStart(cluster)
    const use = await holdShared(join(dataDirectory, 'in-use.lock'))
    return supervise(cluster, adopted, use)
  })
}

function supervise(cluster: Cluster, adopted: boolean, use: DatabaseSync): EmbeddedPostgres {
  const stopping = new AbortController()
  const watching = watch(cluster, stopping.signal)
  const { socketDirectory, port, password } = cluster
  const host = isWindows ? '127.0.0.1' : socketDirectory
  let stopped: Promise<void> | undefined
  async function stop() {
    stopping.abort()
    await watching
    await holding(join(cluster.dataDirectory, 'start.lock'), cluster.clock, async () => {
      if (releasedByAll(use)) await stopServer(cluster)
    })
  }
  return {
    connection: { host, port, user, password, database: 'postgres' },
    url: (database) =>
      `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`,
    adopted,
    usedByOthers: () =>
      holding(join(cluster.dataDirectory, 'start.lock'), cluster.clock, async () => heldByOthers(use)),
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Starts the server again when it dies. A failed attempt is logged, then repeated. */
async function watch(cluster: Cluster, signal: AbortSignal): Promise<void> {
  while (await pause(cluster.clock, watchIntervalMs, signal)) {
    try {
      if (running(cluster)) continue
      cluster.log.warn({}, 'PostgreSQL died; starting it again')
      await holding(join(cluster.dataDirectory, 'start.lock'), cluster.clock, () => adoptOrStart(cluster))
    } catch (error) {
      cluster.log.warn({ reason: (error as Error).message }, 'PostgreSQL could not be started again; trying again')
    }
  }
}

/** @returns false when the signal ended the wait. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  await clock.sleep(ms, signal).catch((reason) => {
    if (!signal.aborted) throw reason
  })
  return !signal.aborted
}

function running({ directory, account, binaries }: Cluster): Postmaster | undefined {
  return runningPostmaster({ directory, uid: account.uid, executables: binaries.knownServers })
}

async function prepareCluster(dataDirectory: string, { log, clock }: EmbeddedPostgresOptions): Promise<Cluster> {
  const account = postgresAccount()
  const home = await chooseHome(dataDirectory, account, log)
  const binaries = await findPostgresBinaries(home, account)
  const directory = join(home, 'cluster')
  await verifyVersion(directory, binaries.major)
  const socketDirectory = await prepareSocketDirectory(home, account)
  const password = await readOrCreatePassword(dataDirectory, await exists(directory))
  const port = isWindows ? await freePort() : socketPort
  const cluster = { dataDirectory, home, directory, socketDirectory, account, binaries, password, port, log, clock }
  if (await exists(directory)) await ownDirectory(directory, account)
  else await initialiseCluster(cluster)
  await shortenLog(cluster)
  return cluster
}

/** Checked first, because a server of another major version would refuse with a less helpful message. */
async function verifyVersion(directory: string, major: number): Promise<void> {
  if (!(await exists(directory))) return
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => 'unknown')).trim()
  if (found === String(major)) return
  throw new Error(
    `The data in ${directory} is of PostgreSQL ${found}, and this Storeferry brings PostgreSQL ${major}. Run "storeferry backup" ` +
      'with the version that wrote it, move the directory away, and run "storeferry restore" with this one.',
  )
}

/** Readable only by us, and not by PostgreSQL's user where that is another one (S21). */
async function readOrCreatePassword(dataDirectory: string, clusterExists: boolean): Promise<string> {
  const path = join(dataDirectory, 'password')
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  if (kept.trim()) return kept.trim()
  if (clusterExists)
    throw new Error(`${path} is missing, and the database does not open without it; restore it from your backup.`)
  const password = randomBytes(32).toString('base64url')
  await writeFile(path, `${password}\n`, { mode: 0o600, flush: true })
  return password
}

/** @returns true when a running server was adopted. */
async function adoptOrStart(cluster: Cluster): Promise<boolean> {
  const active = running(cluster)
  // On Windows a process cannot be identified, so the server is stopped with its own tool.
  if (active && isWindows) await runPgCtlStop(cluster)
  else if (active && (await adopt(cluster, active))) return true
  await start(cluster)
  return false
}

/** @returns false if the server ended in the meantime. */
async function adopt(cluster: Cluster, active: Postmaster): Promise<boolean> {
  // The socket may not be where we would put it now: TMPDIR can differ between two starts.
  await ownDirectory(active.socketDirectory, cluster.account)
  cluster.socketDirectory = active.socketDirectory
  cluster.port = active.port
  const deadline = cluster.clock.monotonicMs() + adoptPatienceMs
  while (!(await answers(cluster))) {
    if (!running(cluster)) return false
    if (cluster.clock.monotonicMs() > deadline) {
      throw new Error(`PostgreSQL (process ${active.pid}) is running but does not answer. ${lastLogLines(cluster)}`)
    }
    await cluster.clock.sleep(50)
  }
  cluster.log.info({ postgresPid: active.pid }, 'PostgreSQL was still running; adopted')
  return true
}

async function start(cluster: Cluster): Promise<void> {
  const deadline = cluster.clock.monotonicMs() + startPatienceMs
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2000)) {
    if (await startOnce(cluster)) return
    if (cluster.clock.monotonicMs() + waitMs > deadline) break
    await cluster.clock.sleep(waitMs)
  }
  throw new Error(`PostgreSQL did not start within ${startPatienceMs / 1000} s. ${lastLogLines(cluster)}`)
}

/** @returns false if the server ended before it answered. Crash recovery counts as alive, however long it takes. */
async function startOnce(cluster: Cluster): Promise<boolean> {
  await removeStalePostmasterFile(cluster.directory)
  const server = launch(cluster, cluster.binaries.postgres, serverArguments(cluster))
  const ended = new AbortController()
  server.once('error', () => ended.abort()).once('exit', () => ended.abort())
  const answered = await answersUnless(ended.signal, cluster).catch(async (error: unknown) => {
    // It would go on without us, and keep this process from ending.
    server.kill('SIGINT')
    await once(server, 'exit')
    throw error
  })
  if (!answered) return false
  server.unref()
  cluster.log.info({ postgresPid: server.pid }, 'PostgreSQL started')
  return true
}

/** @returns false if `ended` came first. */
async function answersUnless(ended: AbortSignal, cluster: Cluster): Promise<boolean> {
  while (!ended.aborted) {
    if (await answers(cluster)) return true
    await pause(cluster.clock, 20, ended)
  }
  return false
}

function serverArguments({ directory, socketDirectory, port }: Cluster): string[] {
  const settings = {
    port,
    listen_addresses: isWindows ? '127.0.0.1' : '',
    // The setting is a list, and a comma in the path would start the next entry.
    unix_socket_directories: isWindows ? '' : `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // A run takes up to 8 connections, a process with both roles 20: enough for 35 runs, where the default of 100 is for ten.
    max_connections: 300,
    fsync: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and the DETAIL of errors carry customers' data and secrets; the log is for the operator.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
  return ['-D', directory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

async function answers({ socketDirectory, port, password }: Cluster): Promise<boolean> {
  const host = isWindows ? '127.0.0.1' : socketDirectory
  const client = new pg.Client({
    host,
    port,
    user,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 2000,
  })
  client.on('error', ignore)
  try {
    await client.connect()
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    // All connections are taken, so the server is up.
    if (code === '53300') return true
    // The server answers; waiting will not correct the password.
    if (code === '28P01') {
      throw new Error('PostgreSQL refuses the kept password; restore the file "password" of its data directory.', {
        cause: error,
      })
    }
    return false
  } finally {
    await client.end().catch(ignore)
  }
}

/** `connect` reports the same error. */
function ignore(): void {
  return
}

async function stopServer(cluster: Cluster): Promise<void> {
  const active = running(cluster)
  if (!active) return
  if (isWindows) return runPgCtlStop(cluster)
  process.kill(active.pid, 'SIGINT')
  if (!(await endsWithin(cluster, active.pid, stopPatienceMs))) {
    process.kill(active.pid, 'SIGQUIT')
    const ended = await endsWithin(cluster, active.pid, stopPatienceMs)
    if (!ended) throw new Error(`PostgreSQL (process ${active.pid}) does not end. ${lastLogLines(cluster)}`)
  }
  cluster.log.info({ postgresPid: active.pid }, 'PostgreSQL stopped')
}

async function endsWithin({ clock }: Cluster, pid: number, ms: number): Promise<boolean> {
  const deadline = clock.monotonicMs() + ms
  while (isAlive(pid)) {
    if (clock.monotonicMs() > deadline) return false
    await clock.sleep(20)
  }
  return true
}

async function runPgCtlStop(cluster: Cluster): Promise<void> {
  const pgCtl = launch(cluster, cluster.binaries.pgCtl, ['stop', '-D', cluster.directory, '-m', 'fast', '-w'])
  await new Promise((done, fail) => pgCtl.once('error', fail).once('exit', done))
}
