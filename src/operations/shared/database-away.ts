/** SQLSTATE: too many connections, ended or not yet begun by whoever runs the server. Class 08 is the connection itself. */
const states = new Set(['53300', '57P01', '57P02', '57P03'])

/** Of the socket to the server; without its file nothing listens there either. */
const socketErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])

/** The driver gives these no code. */
const words =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/

/** Whether a statement failed because the database takes none at this moment, rather than for what it says. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return words.test(error.message)
  return states.has(code) || code.startsWith('08') || (isOfSocket(syscall) && socketErrors.has(code))
}

function isOfSocket(syscall: unknown): boolean {
  return syscall === 'connect' || syscall === 'read' || syscall === 'write'
}
