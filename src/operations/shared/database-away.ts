import { ServiceError } from '../../contract/service-error.ts'
import { isDatabaseAway } from '../../db/core/database-away.ts'
import { wasDeadlocked, wasEnded } from '../../db/core/time-limit.ts'

/**
 * What a caller learns if the database is away, took too long, or undid a change for the sake of another; undefined if
 * the error is another one. Here because the API and MCP do not import the database. Temporary: the same request can be
 * repeated.
 */
export function withoutDatabase(error: unknown): ServiceError | undefined {
  if (isDatabaseAway(error))
    return new ServiceError('unavailable', 'The service cannot reach its database. Try again in a few seconds.', {
      retryAfterSeconds: 5,
    })
  if (wasDeadlocked(error))
    return new ServiceError(
      'unavailable',
      'Another change came at the same moment, and this one was undone. Send it again.',
      { retryAfterSeconds: 1 },
    )
  if (!wasEnded(error)) return undefined
  const message =
    'The database took too long for this. Try again in a minute, and ask for less if you can, for example with a filter.'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 60 })
}
