/**
 * SQLSTATEs: read-only, as a server is whose place another has taken; disk full, which a person can change; too many
 * connections, shutting down, starting up. Class 08 is connection errors.
 */
const states = new Set(['25006', '53100', '53300', '57P01', '57P02', '57P03'])

/**
 * Socket errors. ENOENT means that the Unix socket does not exist; ENOTFOUND and EAI_AGAIN, that the server's name does
 * not: some networks name only what runs.
 */
const socketErrors = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Errors to which the driver gives no code. */
const words =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/

/** Whether a statement failed because the database is unavailable, not because of the statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A name with several addresses: each was tried, and the error of all has no system call.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return words.test(error.message)
  return states.has(code) || code.startsWith('08') || (isOfSocket(syscall) && socketErrors.has(code))
}

function isOfSocket(syscall: unknown): boolean {
  return syscall === 'connect' || syscall === 'read' || syscall === 'write' || syscall === 'getaddrinfo'
}
