/** Errors that an operator can fix in DATABASE_URL. Never quotes it, because it holds a password. */
const unreachable: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  ETIMEDOUT: 'host not responding',
  '28P01': 'wrong user or password',
  '3D000': 'no such database',
  '42501': 'its user may not create tables and has to be its owner',
}

/** One line about a database that cannot be reached; every other error as it is. */
export function describeUnreachable(error: unknown): unknown {
  const reason = unreachable[String((error as { code?: unknown }).code)]
  if (!reason) return error
  return new Error(`The database of DATABASE_URL cannot be used: ${reason}. Correct it, then start again.`, {
    cause: error,
  })
}
