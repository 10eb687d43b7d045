import { isIP } from 'node:net'
import { homedir, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { guardedUrl, hostName, origins } from './config-address.ts'
import { type AppSettings, appSettings, completeApp } from './config-app.ts'
import { mailSettings } from './config-mail.ts'
import { type Retention, retentionSettings } from './config-retention.ts'
import { searchSettings } from './config-search.ts'
import { type TracingSettings, tracingSettings } from './config-tracing.ts'
import { type Tier, tiers } from './contract/migration.ts'

export type Environment = Record<string, string | undefined>

export interface Config {
  /** Address people and programs use; every absolute URL is built from it (S10). Without a trailing slash. */
  siteUrl: string
  host: string
  port: number
  /** Addresses and networks whose `X-Forwarded-For` is trusted; none by default. */
  trustedProxies: string[]
  dataDirectory: string
  /** The master key; if undefined, a new embedded data directory makes its own (S8). */
  key: string | undefined
  /** Older keys, which still decrypt values during a rotation. */
  oldKeys: string[]
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** OpenSearch, and what the names of its indexes begin with; undefined: the index is a file, or there is none. */
  openSearch: { url: string; prefix: string } | undefined
  bigcommerceApiUrl: string
  /** The app with which merchants connect their stores; undefined: stores are connected by their tokens only. */
  app: AppSettings | undefined
  requestTimeoutSeconds: number
  settleSeconds: number
  outageHours: number
  retention: Retention
  /** Concurrent runs of this host. */
  maxRuns: number
  /** Memory for all runs of this host together. */
  runMemoryMiB: number
  /** The most concurrent runs of a tier on this host; a tier without an entry has no cap. */
  hostTierRuns: Partial<Record<Tier, number>>
  /** The most concurrent runs of a tier on all hosts together. */
  tierRuns: Partial<Record<Tier, number>>
  /** The most concurrent runs of one organisation on all hosts together. */
  organisationRuns: number
  /** Share of each store's quota left to other apps, 0 to 0.9. */
  quotaReserve: number
  /** Folder for the shapes of answers of stores; undefined: none are recorded. */
  recordDirectory: string | undefined
  /** Sites whose pages may call the tool endpoint. */
  assistantOrigins: string[]
  /** Whether assistants may use client documents, which the service then fetches. */
  clientDocuments: boolean
  /** Whether the administration is closed to administrators without a second step. */
  administratorSecondStep: boolean
  /** The mail server; undefined: the service sends no mail. */
  smtpUrl: string | undefined
  /** The address that its mails come from. */
  mailFrom: string
  logLevel: LogLevel
  /** Where metrics are served; undefined: nowhere. */
  metrics: { host: string; port: number } | undefined
  /** Where traces are sent; undefined: nowhere. */
  tracing: TracingSettings | undefined
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

interface Setting<Value> {
  schema: z.ZodType<Value>
  /** The default for an absent or empty variable, as the docs describe it. */
  fallback: string
  about: string
  /** A secret, which no message may quote. */
  secret?: true
}

/** The site cannot have a path: cookies, API paths and the audience of tokens use its origin. */
const siteUrl = guardedUrl('the address of the service').refine((url) => URL.parse(url)?.pathname === '/', {
  message: 'give the address of the service without a path',
})

function number(from: number, to: number, kind: 'whole' | 'any' = 'whole') {
  const message = `give a ${kind === 'whole' ? 'whole ' : ''}number from ${from} to ${to}`
  return z
    .string()
    .regex(kind === 'whole' ? /^\d+$/ : /^\d+(\.\d+)?$/, { error: message, abort: true })
    .transform(Number)
    .refine((value) => value >= from && value <= to, message)
}

/** `large=2,xlarge=1`, or `none`. */
const runsByTier = z.string().transform((text, context) => {
  const parts = text === 'none' ? [] : text.split(',').map((part) => part.trim().match(/^([a-z]+)=(\d{1,4})$/))
  if (parts.every((part) => part !== null && tiers.includes(part[1] as Tier)))
    return Object.fromEntries(parts.map((part) => [part?.[1], Number(part?.[2])])) as Partial<Record<Tier, number>>
  context.addIssue({
    code: 'custom',
    message: `give tiers and numbers as large=2,xlarge=1, or none; tiers: ${tiers.join(', ')}`,
  })
  return z.NEVER
})

/** `10.0.0.5,fd00::/8` */
const addresses = z.string().transform((text, context) => {
  const named = text.split(',').map((part) => part.trim())
  if (named.every(isAddressOrNetwork)) return named
  context.addIssue({ code: 'custom', message: 'give addresses or networks as 10.0.0.5,10.1.0.0/16, or none' })
  return z.NEVER
})

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

const keyPattern = /^([0-9a-fA-F]{64}|[\w+/-]{43}=?)$/

/** `key,key` */
const keys = z.string().transform((text, context) => {
  const given = text.split(',').map((part) => part.trim())
  if (given.every((one) => keyPattern.test(one))) return given
  context.addIssue({ code: 'custom', message: 'give keys in base64 or hex, separated by commas, or none' })
  return z.NEVER
})

const postgresUrl = z
  .string()
  .refine((text) => ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? ''), {
    message: 'give it as postgres://user:password@host/database',
  })

/** First estimates. Large runs are the first to use up an installation's memory. */
const defaultTierRuns = 'small=16,medium=12,large=8,xlarge=4,xxlarge=2,xxxlarge=1'

/** A tier that is not named keeps the cap that it has by default; `none` is no cap for any. */
const runsByTierInAll = runsByTier.transform((caps) =>
  Object.keys(caps).length === 0 ? caps : { ...runsByTier.parse(defaultTierRuns), ...caps },
)

/** Every environment variable of the service. A test checks `docs/settings.md` against this table. */
export const settings = {
  STOREFERRY_URL: {
    schema: siteUrl,
    fallback: 'http://localhost:<PORT>',
    about:
      'Address people and programs use to reach the service, without a path; https, or http on localhost or 127.0.0.1. Requests with another Host header are refused. The command line uses this address.',
  },
  PORT: { schema: number(1, 65535), fallback: '4000', about: 'Port to listen on.' },
  HOST: {
    schema: hostName,
    fallback: '127.0.0.1',
    about: 'Address to listen on. With anything but loopback, put a proxy with https in front.',
  },
  TRUSTED_PROXIES: {
    schema: addresses,
    fallback: 'none',
    about:
      'Proxies whose X-Forwarded-For is trusted, as addresses or networks separated by commas: 10.0.0.5,10.1.0.0/16. Behind any other proxy, all failed logins count against the proxy.',
  },
  STOREFERRY_DATA: {
    schema: z.string(),
    fallback: '$XDG_DATA_HOME/storeferry or ~/.local/share/storeferry',
    about: 'Directory of the embedded PostgreSQL and of the key made for it. Not used with DATABASE_URL.',
  },
  STOREFERRY_KEY: {
    schema: z.string().regex(keyPattern, {
      error: 'give 32 random bytes in base64 or hex, e.g. from: openssl rand -base64 32',
    }),
    fallback: 'generated with a new embedded database and kept in the data directory',
    about:
      'Master key, 32 random bytes in base64 or hex; store tokens and signing keys are encrypted with it. Required with DATABASE_URL. A wrong key stops the start.',
    secret: true,
  },
  STOREFERRY_OLD_KEYS: {
    schema: keys,
    fallback: 'none',
    about:
      'Older master keys, separated by commas, that still decrypt values while STOREFERRY_KEY replaces them; see Rotating the key.',
    secret: true,
  },
  DATABASE_URL: {
    schema: postgresUrl,
    fallback: 'the embedded PostgreSQL',
    about:
      'PostgreSQL 16 or later, postgres://user:password@host/database. Its user owns the database and may create roles: runs connect as a role of their own.',
    secret: true,
  },
  ...searchSettings,
  BIGCOMMERCE_API_URL: {
    schema: guardedUrl('the address of the platform'),
    fallback: 'https://api.bigcommerce.com',
    about: 'Base address of the platform for every store of this service; set it to a sandbox to try things out.',
  },
  ...appSettings,
  STOREFERRY_REQUEST_TIMEOUT_SECONDS: {
    schema: number(1, 600),
    fallback: '75',
    about: 'How long a call to a store may take before its outcome counts as unknown.',
  },
  STOREFERRY_SETTLE_SECONDS: {
    schema: number(0, 600),
    fallback: '30',
    about: 'How long to wait after an unanswered write before checking whether the platform applied it.',
  },
  STOREFERRY_OUTAGE_HOURS: {
    schema: number(1, 168),
    fallback: '24',
    about:
      'How long a migration waits for a store, a quota or the database that is away, before it is paused. Meanwhile it has no process, and it goes on by itself.',
  },
  ...retentionSettings,
  STOREFERRY_MAX_RUNS: { schema: number(1, 1000), fallback: '4', about: 'The most concurrent runs on this host.' },
  STOREFERRY_RUN_MEMORY_MIB: {
    schema: number(64, 4_194_304),
    fallback: 'three quarters of the memory of the machine or container',
    about:
      'Memory for all runs of this host together, in MiB. A run that needs more than is free goes to another host or waits.',
  },
  STOREFERRY_HOST_TIERS: {
    schema: runsByTier,
    fallback: 'none',
    about:
      'The most concurrent runs of a tier on this host, e.g. xlarge=1,xxlarge=0; other tiers have no cap. 0 keeps a tier off this host.',
  },
  STOREFERRY_TIERS: {
    schema: runsByTierInAll,
    fallback: defaultTierRuns,
    about:
      'The most concurrent runs of a tier on all hosts together. A tier that is not named keeps the cap shown here; with none, no tier has one. Use the same value for every process of an installation.',
  },
  STOREFERRY_ORGANISATION_RUNS: {
    schema: number(1, 1000),
    fallback: '4',
    about:
      'The most concurrent runs of one organisation on all hosts together; its other runs wait. Use the same value for every process of an installation.',
  },
  STOREFERRY_QUOTA_RESERVE: {
    schema: number(0, 0.9, 'any'),
    fallback: '0.1',
    about: 'Share of each store’s call quota left to the merchant’s other apps.',
  },
  STOREFERRY_RECORD: {
    schema: z.string(),
    fallback: 'none',
    about:
      'Folder in which to keep what the answers of stores look like, without their values: for [reports of answers that we do not know](troubleshooting.md#report-an-answer-that-storeferry-does-not-know).',
  },
  STOREFERRY_ASSISTANT_ORIGINS: {
    schema: origins,
    fallback: 'none',
    about:
      'Other sites whose pages may call the assistant tools from a browser, with a token but never with a cookie: https://inspector.example,http://localhost:6274.',
  },
  STOREFERRY_CLIENT_DOCUMENTS: {
    schema: z.enum(['on', 'off'], { error: 'give on or off' }),
    fallback: 'off',
    about:
      'Whether an assistant may identify itself by the https address of a client document instead of registering. If on, the service fetches such documents from public addresses.',
  },
  STOREFERRY_ADMINISTRATOR_SECOND_STEP: {
    schema: z.enum(['required', 'optional'], { error: 'give required or optional' }),
    fallback: 'required',
    about:
      'Whether administrators of the service need a second step, a code of an authenticator app, before the administration opens. Anyone may turn it on for themselves.',
  },
  ...mailSettings,
  LOG_LEVEL: {
    schema: z.enum(logLevels, { error: `give one of ${logLevels.join(', ')}` }),
    fallback: 'info',
    about: 'Lowest log level to write: fatal, error, warn, info, debug, trace or silent.',
  },
  STOREFERRY_METRICS_PORT: {
    schema: number(1, 65535),
    fallback: 'none',
    about:
      'Port of the metrics for Prometheus, at /metrics, and of probes of this process, at /healthz and /readyz; without one there are none. Each process of a machine needs its own.',
  },
  STOREFERRY_METRICS_HOST: {
    schema: hostName,
    fallback: '127.0.0.1',
    about:
      'Address on which the metrics are served, to everyone who reaches it and without a login. They name neither organisations nor stores.',
  },
  ...tracingSettings,
} satisfies Record<string, Setting<unknown>>

type Name = keyof typeof settings
type Value<N extends Name> = z.output<(typeof settings)[N]['schema']>

/**
 * The settings of this process; called once, by `main`.
 *
 * @throws Error that names every wrong variable with the remedy, without the values of secrets.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = readerOf(environment, problems)
  const port = read('PORT', 4000)
  const ownUrl = read('STOREFERRY_URL', `http://localhost:${port}`)
  const metricsPort = read('STOREFERRY_METRICS_PORT', undefined)
  const metricsHost = read('STOREFERRY_METRICS_HOST', '127.0.0.1')
  const openSearchUrl = read('OPENSEARCH_URL', undefined)
  const prefix = read('OPENSEARCH_INDEX', 'storeferry')
  const collectorUrl = read('OTEL_EXPORTER_OTLP_ENDPOINT', undefined)
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', {})
  const config: Config = {
    siteUrl: ownUrl,
    host: read('HOST', '127.0.0.1'),
    port,
    trustedProxies: read('TRUSTED_PROXIES', []),
    dataDirectory: read('STOREFERRY_DATA', defaultDataDirectory(environment)),
    key: read('STOREFERRY_KEY', undefined),
    oldKeys: read('STOREFERRY_OLD_KEYS', []),
    databaseUrl: read('DATABASE_URL', undefined),
    openSearch: openSearchUrl === undefined ? undefined : { url: openSearchUrl, prefix },
    bigcommerceApiUrl: read('BIGCOMMERCE_API_URL', 'https://api.bigcommerce.com'),
    app: completeApp(
      {
        clientId: read('STOREFERRY_APP_CLIENT_ID', undefined),
        clientSecret: read('STOREFERRY_APP_CLIENT_SECRET', undefined),
        loginUrl: read('BIGCOMMERCE_LOGIN_URL', 'https://login.bigcommerce.com'),
      },
      problems,
    ),
    requestTimeoutSeconds: read('STOREFERRY_REQUEST_TIMEOUT_SECONDS', 75),
    settleSeconds: read('STOREFERRY_SETTLE_SECONDS', 30),
    outageHours: read('STOREFERRY_OUTAGE_HOURS', 24),
    retention: {
      ledger: read('STOREFERRY_LEDGER_DAYS', 90),
      personal: read('STOREFERRY_PERSONAL_DAYS', 30),
      originals: read('STOREFERRY_BEFORE_IMAGE_DAYS', undefined),
      findings: read('STOREFERRY_FINDING_DAYS', undefined),
    },
    maxRuns: read('STOREFERRY_MAX_RUNS', 4),
    runMemoryMiB: read('STOREFERRY_RUN_MEMORY_MIB', defaultRunMemoryMiB()),
    hostTierRuns: read('STOREFERRY_HOST_TIERS', {}),
    tierRuns: read('STOREFERRY_TIERS', runsByTier.parse(defaultTierRuns)),
    organisationRuns: read('STOREFERRY_ORGANISATION_RUNS', 4),
    quotaReserve: read('STOREFERRY_QUOTA_RESERVE', 0.1),
    recordDirectory: read('STOREFERRY_RECORD', undefined),
    assistantOrigins: read('STOREFERRY_ASSISTANT_ORIGINS', []),
    clientDocuments: read('STOREFERRY_CLIENT_DOCUMENTS', 'off') === 'on',
    administratorSecondStep: read('STOREFERRY_ADMINISTRATOR_SECOND_STEP', 'required') === 'required',
    smtpUrl: read('SMTP_URL', undefined),
    mailFrom: read('STOREFERRY_MAIL_FROM', `storeferry@${new URL(ownUrl).hostname}`),
    logLevel: read('LOG_LEVEL', 'info'),
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    tracing: collectorUrl === undefined ? undefined : { url: collectorUrl, headers },
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return config
}

/**
 * Reads a setting, or its fallback where the variable is absent, empty, wrong, or none where that is the default.
 * @param problems gets a line if it is wrong
 */
function readerOf(environment: Environment, problems: string[]) {
  return function read<N extends Name, Fallback>(name: N, fallback: Fallback): Value<N> | Fallback {
    const text = environment[name]
    if (!text || (text === 'none' && settings[name].fallback === 'none')) return fallback
    const parsed = settings[name].schema.safeParse(text)
    // The schema is the one named N; TypeScript cannot follow the index through safeParse.
    if (parsed.success) return parsed.data as Value<N>
    problems.push(describe(name, text, parsed.error.issues[0]?.message ?? 'is not valid'))
    return fallback
  }
}

function describe(name: Name, text: string, remedy: string): string {
  const secret = 'secret' in settings[name]
  return `${name}${secret ? '' : ` is ${JSON.stringify(text)}`}: ${remedy}.`
}

/** The container's limit, if there is one, instead of the machine's memory. */
function defaultRunMemoryMiB(): number {
  const limit = process.constrainedMemory() || totalmem()
  return Math.floor((Math.min(limit, totalmem()) / 1024 / 1024) * 0.75)
}

function defaultDataDirectory(environment: Environment): string {
  return join(environment.XDG_DATA_HOME || join(environment.HOME || homedir(), '.local', 'share'), 'storeferry')
}
