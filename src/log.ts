import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'

export type Log = Logger

/**
 * The fields a log line may have (S22): what happened, to which of our ids, and how long it took. Any other field is logged as
 * `[not listed]`, so a new field is a decision and not a leak. `path` is a store's path without its query; requests to us are logged
 * by route.
 */
const listedFields = new Set([
  'err',
  'req',
  'res',
  'reqId',
  'responseTime',
  'name',
  'pid',
  'postgresPid',
  'hostname',
  'role',
  'version',
  'organisationId',
  'storeId',
  'storeHash',
  'runId',
  'jobId',
  'queue',
  'userId',
  'credentialId',
  'oauthClientId',
  'webhookId',
  'deliveryId',
  'requestId',
  'hostId',
  'workerId',
  'entity',
  'phase',
  'pass',
  'component',
  'sideEffect',
  'sourceId',
  'destinationId',
  'mode',
  'status',
  'action',
  'operation',
  'tool',
  'tier',
  'method',
  'route',
  'path',
  'httpStatus',
  'code',
  'cls',
  'reason',
  'signal',
  'exitCode',
  'migration',
  'host',
  'port',
  'directory',
  'epoch',
  'attempt',
  'tries',
  'count',
  'total',
  'items',
  'calls',
  'durationMs',
  'latencyMs',
  'waitMs',
  'seconds',
  'memMiB',
  'rssMiB',
  'left',
  'quota',
  'inFlight',
  'dataDirectory',
  'home',
  'waitingFor',
  'skewMs',
])

export function isListedField(name: string): boolean {
  return listedFields.has(name)
}

/** Removed anywhere inside a listed field, whatever the value: a second line of defence. */
const secretFields = new Set([
  'token',
  'accessToken',
  'bearerToken',
  'password',
  'secret',
  'authorization',
  'cookie',
  'code_verifier',
  'email',
])
/** What a listed field holds is never deeper, unless something is logged by mistake. */
const deepest = 5

/** Fields of which serializers take only what they know. */
const serializers = { err: serializeError, req: serializeRequest, res: serializeAnswer }

/**
 * Errors with messages of our own, free of data from stores, shoppers and callers. Other messages are withheld: a database quotes the
 * value it refused, a parser the text it could not read.
 */
const ownErrors = new Set([
  'PlatformError',
  'CredentialsError',
  'MissingScopeError',
  'UnconfirmedWriteError',
  'StoreUnreachableError',
  'ReadOnlyStoreError',
  'CallTimeoutError',
  'UnreadableAnswerError',
  'ServiceError',
  'RunFailure',
  'ItemGone',
  'MissingReference',
  'Stopped',
  'LeaseLost',
])
/** Bugs in our code; JavaScript's messages for them name code, not data. */
const programErrors = new Set(['TypeError', 'RangeError', 'ReferenceError', 'AssertionError'])

export interface LogOptions {
  level?: string
  /** The part of the service: server, worker or run. */
  role?: string
  /** Default: standard output. */
  destination?: DestinationStream
}

export function createLog({ level = 'info', role, destination }: LogOptions = {}): Log {
  const options: LoggerOptions = {
    level,
    base: role === undefined ? { pid: process.pid } : { pid: process.pid, role },
    formatters: { log: onlyListed },
    hooks: { logMethod: nameErrors },
    serializers,
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return guardChildren(destination === undefined ? pino(options) : pino(options, destination))
}

/** pino does not apply the formatters to the bindings of a child logger, so this `child` does. Children inherit it. */
function guardChildren(log: Log): Log {
  const child = log.child
  // Only values of the first argument change, so the generic signature still holds.
  log.child = function guarded(this: Log, bindings: Record<string, unknown>, options: object) {
    return child.call(this, onlyListed(bindings), options)
  } as Log['child']
  return log
}

/** Without a message, pino would use the error's own one, bypassing the serializer. */
function nameErrors(this: Log, args: unknown[], method: (...args: unknown[]) => void): void {
  const [first, message, ...rest] = args
  const error = first instanceof Error ? first : errorIn(first)
  if (error === undefined) {
    method.apply(this, args)
    return
  }
  const fields = first instanceof Error ? { err: first } : first
  method.apply(this, [fields, message ?? serializeError(error).message, ...rest])
}

function errorIn(fields: unknown): unknown {
  return typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined
}

export interface SerializedError {
  name: string
  message: string
  code?: string
  method?: string
  path?: string
  httpStatus?: number
  tries?: number
  /** The stack, without the message it begins with. */
  stack: string[]
  cause?: SerializedError
}

/** Known fields only: other errors carry requests, rows, headers and texts. */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { name: typeof error, message: '[withheld]', stack: [] }
  const fields = error as Error & Record<string, unknown>
  const known: SerializedError = {
    name: error.name,
    message: ownErrors.has(error.name) || programErrors.has(error.name) ? error.message : '[withheld]',
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .map((line) => line.trim()),
  }
  if (typeof fields.code === 'string') known.code = fields.code
  if (ownErrors.has(error.name)) copyCall(fields, known)
  if (error.cause !== undefined && depth < 4) known.cause = serializeError(error.cause, depth + 1)
  return known
}

function copyCall(from: Record<string, unknown>, to: SerializedError): void {
  if (typeof from.method === 'string') to.method = from.method
  if (typeof from.path === 'string') to.path = from.path
  if (typeof from.httpStatus === 'number') to.httpStatus = from.httpStatus
  if (typeof from.tries === 'number') to.tries = from.tries
}

function onlyListed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isListedField(name) ? shown(name, value) : '[not listed]']),
  )
}

/** Not by pino's `redact`: with paths for any field, it takes most of the time of a short request. */
function shown(name: string, value: unknown): unknown {
  return Object.hasOwn(serializers, name) ? value : withoutSecrets(value, 1)
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth > deepest) return '[too deep]'
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretFields.has(name) ? '[redacted]' : withoutSecrets(inner, depth + 1),
    ]),
  )
}

interface RoutedRequest {
  method?: unknown
  routeOptions?: { url?: unknown }
}

/** A request, by its route: the URL may hold names and one-time tokens. */
function serializeRequest(request: RoutedRequest): Record<string, unknown> {
  return { method: request?.method, route: request?.routeOptions?.url ?? '[no route]' }
}

function serializeAnswer(answer: { statusCode?: unknown }): Record<string, unknown> {
  return { httpStatus: answer?.statusCode }
}
