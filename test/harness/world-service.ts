import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, type Config, startApp } from '../../src/app.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createLog } from '../../src/log.ts'

export interface ServiceOptions {
  databaseUrl: string
  bigcommerceApiUrl: string
  requestTimeoutSeconds: number
  settleSeconds: number
  /** Host processes; with none, runs are processed in this process. */
  hosts: number
  /** For the first host only, when it reaches the stores another way. */
  firstHostApiUrl?: string
  settings?: Partial<
    Pick<Config, 'maxRuns' | 'runMemoryMiB' | 'hostTierRuns' | 'tierRuns' | 'organisationRuns' | 'metrics' | 'tracing'>
  >
}

/** The service of a world: the API in this process, runs here too or in a host process that can be killed. */
export interface WorldService {
  url: string
  administration: App['administration']
  /** The live processes whose children work on runs. */
  hostPids(): number[]
  /** By default the first host. */
  hostPid(at?: number): number
  startHost(at?: number): Promise<void>
  /** Resolves when the host has ended. */
  killHost(signal: NodeJS.Signals, at?: number): Promise<void>
  /** Shuts everything down in order and starts it again: new connections, same database and address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const endWithParent = new URL('./end-with-parent.ts', import.meta.url).href
const launcher = fileURLToPath(new URL('../../bin/storeferry.cjs', import.meta.url))

export async function startWorldService(options: ServiceOptions): Promise<WorldService> {
  const config = await configOf(options)
  const hosts = Array.from({ length: options.hosts }, (_, at) =>
    at === 0 && options.firstHostApiUrl
      ? new HostProcess({ ...config, bigcommerceApiUrl: options.firstHostApiUrl })
      : new HostProcess(config),
  )
  const host = (at: number) => {
    const one = hosts[at]
    if (!one) throw new Error(`There is no host ${at}.`)
    return one
  }
  const start = () =>
    startApp({
      roles: hosts.length > 0 ? ['server'] : ['server', 'worker'],
      config,
      log: createLog({ level: config.logLevel, role: 'test', destination: process.stderr }),
    })
  let app = await start()
  const startHosts = () => Promise.all(hosts.map((one) => one.start()))
  await startHosts()
  async function stop() {
    await Promise.all(hosts.map((one) => one.end('SIGTERM')))
    await app.stop()
  }
  return {
    url: app.url,
    get administration() {
      return app.administration
    },
    hostPids: () => (hosts.length > 0 ? hosts.filter((one) => one.lives()).map((one) => one.pid()) : [process.pid]),
    hostPid: (at = 0) => (hosts.length > 0 ? host(at).pid() : process.pid),
    startHost: async (at = 0) => (hosts.length > 0 ? host(at).start() : undefined),
    killHost: (signal, at = 0) => host(at).end(signal),
    restart: async () => {
      await stop()
      app = await start()
      await startHosts()
    },
    stop,
  }
}

async function configOf(options: ServiceOptions): Promise<Config> {
  const port = await freePort()
  return {
    siteUrl: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    trustedProxies: [],
    // Unused: database and key are given.
    dataDirectory: join(tmpdir(), 'storeferry-unused'),
    key: randomBytes(32).toString('base64'),
    oldKeys: [],
    databaseUrl: options.databaseUrl,
    openSearch: undefined,
    bigcommerceApiUrl: options.bigcommerceApiUrl,
    app: undefined,
    requestTimeoutSeconds: options.requestTimeoutSeconds,
    settleSeconds: options.settleSeconds,
    outageHours: 24,
    retention: { ledger: 90, personal: 30, originals: undefined, findings: undefined },
    maxRuns: 4,
    runMemoryMiB: 16_384,
    hostTierRuns: {},
    tierRuns: {},
    organisationRuns: 4,
    quotaReserve: 0.1,
    recordDirectory: undefined,
    assistantOrigins: [],
    clientDocuments: false,
    administratorSecondStep: false,
    smtpUrl: undefined,
    mailFrom: 'storeferry@shop.example',
    logLevel: 'silent',
    metrics: undefined,
    tracing: undefined,
    ...options.settings,
  }
}

/** A draining host waits for the answers in flight, at most for a request time-out. */
const patienceMs = 20_000

/** `storeferry worker` as an operator starts it. */
class HostProcess {
  private child: ChildProcess | undefined
  private readonly config: Config

  constructor(config: Config) {
    this.config = config
  }

  pid(): number {
    if (!this.child?.pid || this.hasEnded()) throw new Error('No host is running.')
    return this.child.pid
  }

  lives(): boolean {
    return this.child !== undefined && !this.hasEnded()
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--import', endWithParent, launcher, 'worker'], {
      env: this.environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // A killed host does not read it any more.
    child.stdin.once('error', () => undefined)
    this.child = child
    let output = ''
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        output += chunk
        if (output.includes('ready for runs')) resolve()
      })
      child.once('exit', () => reject(new Error(`The host ended before it was ready: ${output}`)))
    })
  }

  /** @throws when a host did not end in time after the request; it is killed in that case. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.child || this.hasEnded()) return
    const { child } = this
    const ended = once(child, 'exit')
    child.kill(signal)
    const patience = AbortSignal.timeout(patienceMs)
    const stuck = once(patience, 'abort').then(() => {
      child.kill('SIGKILL')
      throw new Error(`The host did not end within ${patienceMs} ms of ${signal}.`)
    })
    await Promise.race([ended, stuck])
  }

  private hasEnded(): boolean {
    return this.child?.exitCode !== null || this.child.signalCode !== null
  }

  private environment(): Record<string, string | undefined> {
    const config = this.config
    return {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: config.dataDirectory,
      DATABASE_URL: config.databaseUrl,
      STOREFERRY_KEY: config.key,
      STOREFERRY_OLD_KEYS: config.oldKeys.join(','),
      BIGCOMMERCE_API_URL: config.bigcommerceApiUrl,
      STOREFERRY_REQUEST_TIMEOUT_SECONDS: String(config.requestTimeoutSeconds),
      STOREFERRY_SETTLE_SECONDS: String(config.settleSeconds),
      LOG_LEVEL: config.logLevel,
      STOREFERRY_MAX_RUNS: String(config.maxRuns),
      STOREFERRY_RUN_MEMORY_MIB: String(config.runMemoryMiB),
      STOREFERRY_HOST_TIERS: tierText(config.hostTierRuns),
      STOREFERRY_TIERS: tierText(config.tierRuns),
      STOREFERRY_ORGANISATION_RUNS: String(config.organisationRuns),
      OTEL_EXPORTER_OTLP_ENDPOINT: config.tracing?.url,
      OTEL_EXPORTER_OTLP_HEADERS: config.tracing && headerText(config.tracing.headers),
    }
  }
}

function headerText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',')
}

function tierText(caps: Config['tierRuns']): string {
  return (
    Object.entries(caps)
      .map(([tier, runs]) => `${tier}=${runs}`)
      .join(',') || 'none'
  )
}
