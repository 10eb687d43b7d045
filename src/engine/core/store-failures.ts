import {
  CredentialsError,
  MissingScopeError,
  PlatformError,
  StoreUnreachableError,
  UnconfirmedWriteError,
} from '../../bigcommerce/errors.ts'
import { scopeOfCall } from '../../entities/token-scopes.ts'
import { isItemFault } from './item-faults.ts'
import { RunFailure } from './stopping.ts'

export interface StoreInRun {
  side: 'source' | 'destination'
  hash: string
}

const again = 'then resume the migration: it continues where it stopped.'

/** What an error from a store means for the whole run; null if it only concerns one call. */
export function storeFailure(error: unknown, store: StoreInRun): RunFailure | null {
  if (error instanceof CredentialsError) return refusedToken(error, store)
  if (isAboutScope(error)) return missingScope(scopeOfCall(error) ?? `for ${error.path}`, store, error)
  if (error instanceof StoreUnreachableError || (error instanceof UnconfirmedWriteError && !error.onSocket))
    return unreachable(error, store)
  return null
}

/** The platform also answers 403 to a POST that exceeds one of its limits, which has nothing to do with the token. */
export function isAboutScope(error: unknown): error is MissingScopeError {
  return error instanceof MissingScopeError && namesScope(error.title)
}

export function namesScope(title: string): boolean {
  return /scope/i.test(title)
}

/** A store that does not even describe itself is down as a whole; null for other faults. */
export function lostStore(error: unknown, store: StoreInRun): RunFailure | null {
  const path = '/v2/store'
  if (error instanceof PlatformError) return unreachable(error, store)
  return isItemFault(error) ? unreachable({ method: 'GET', path, httpStatus: 200, cause: error }, store) : null
}

export function missingScope(scope: string, { side, hash }: StoreInRun, cause?: unknown): RunFailure {
  const remedy = `Give its API account this scope in the control panel, connect the store again with the token, ${again}`
  return new RunFailure(
    'missing_scope',
    `The API token of the ${side} store ${hash} lacks the scope ${scope}. ${remedy}`,
    { cause },
  )
}

function refusedToken(cause: unknown, { side, hash }: StoreInRun): RunFailure {
  const remedy = `Create an API account in its control panel, connect the store again with the new token, ${again}`
  return new RunFailure('credentials_revoked', `The ${side} store ${hash} does not accept its API token. ${remedy}`, {
    cause,
  })
}

type Silence = Pick<StoreUnreachableError | UnconfirmedWriteError, 'method' | 'path' | 'httpStatus' | 'cause'>

function unreachable(error: Silence, { side, hash }: StoreInRun): RunFailure {
  const answered = error.httpStatus === null ? 'no answer' : `HTTP ${error.httpStatus}`
  const message = `The ${side} store ${hash} cannot be reached (${answered} to ${error.method} ${error.path}). Wait until it is up again, ${again}`
  // Still 429 after minutes of retries: the store is up, but its quota is used up.
  const waitingFor = error.httpStatus === 429 ? 'quota' : side
  return new RunFailure('store_unreachable', message, { cause: error, outage: { waitingFor, waitingStore: hash } })
}
