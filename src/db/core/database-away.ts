/**
 * SQLSTATEs: read-only, as a server is whose place another has taken; a transaction that was idle for too long, because
 * its process was frozen; shutting down, starting up. Class 08 is connection errors, class 53 a server that is short of
 * disk, memory or connections, which a person can change.
 */
const states = new Set(['25006', '25P03', '57P01', '57P02', '57P03'])
const classes = new Set(['08', '53'])

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
  return states.has(code) || classes.has(code.slice(0, 2)) || (isOfSocket(syscall) && socketErrors.has(code))
}

function isOfSocket(syscall: unknown): boolean {
  return syscall === 'connect' || syscall === 'read' || syscall === 'write' || syscall === 'getaddrinfo'
}
