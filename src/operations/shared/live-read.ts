import { PlatformError, StoreUnreachableError } from '../../bigcommerce/errors.ts'
import type { Clock } from '../../clock.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { isAboutScope } from '../../engine/core/store-failures.ts'
import { scopeOfCall } from '../../entities/token-scopes.ts'

/** Long enough to try again after a brief failure, and short enough for a person who waits. */
export const patienceMs = 10_000

/**
 * Reads a store while a caller waits.
 *
 * @throws ServiceError `platform_error` if the store refuses, `unavailable` if it does not respond in time
 */
export async function liveRead<T>(
  clock: Clock,
  read: (signal: AbortSignal) => Promise<T>,
  withinMs = patienceMs,
): Promise<T> {
  const tooLate = new AbortController()
  const answered = new AbortController()
  const deadline = clock.sleep(withinMs, answered.signal).then(
    () => tooLate.abort(unavailable()),
    () => undefined,
  )
  try {
    return await read(tooLate.signal)
  } catch (error) {
    throw tooLate.signal.aborted ? tooLate.signal.reason : asServiceError(error)
  } finally {
    answered.abort()
    await deadline
  }
}

function asServiceError(error: unknown): unknown {
  if (error instanceof PlatformError) return platformError(error, error.httpStatus)
  if (error instanceof StoreUnreachableError)
    return error.httpStatus === null ? unavailable(error) : platformError(error, error.httpStatus)
  return error
}

/** The connector's message contains the method, path and status, but no text from the platform (S9). */
function platformError(cause: Error, upstreamStatus: number): ServiceError {
  return new ServiceError('platform_error', missingScope(cause) ?? cause.message, { upstreamStatus, cause })
}

/** A person who connected a store knows scopes, and not the addresses of the API. */
function missingScope(cause: Error): string | undefined {
  if (!isAboutScope(cause)) return undefined
  const scope = scopeOfCall(cause)
  return scope && `The API token of the store lacks the scope ${scope}. Give it to the API account, then try again.`
}

function unavailable(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'The store does not respond. Try again in a minute.', {
    retryAfterSeconds: 60,
    cause,
  })
}
