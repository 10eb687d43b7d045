import {
  CredentialsError,
  PlatformError,
  StoreUnreachableError,
  UnreadableAnswerError,
} from '../../bigcommerce/errors.ts'
import { isItemFault } from './item-faults.ts'
import { isAboutScope } from './store-failures.ts'

type Side = 'source' | 'destination'

/** A store's refusal of a list, or of another response that a pass needs. */
export interface ListRefusal {
  /** Undefined when the error does not say which store it was. */
  store: string | undefined
  method: string
  /** Undefined when the error does not say. */
  path: string | undefined
  /** 0 when the error has no status. */
  httpStatus: number
  title: string
  errors: Record<string, string>
  /**
   * A possible cause that concerns more than this list, so that the store has to be checked. `access`: its token is
   * rejected or lacks a scope. `outage`: the whole store is down.
   */
  suspect: 'access' | 'outage' | null
}

/** What an error says about one list; null for a stop, a database fault, or an error that concerns the whole run. */
export function refusalIn(error: unknown): ListRefusal | null {
  if (error instanceof PlatformError) {
    const { store, method, path, httpStatus, title, errors } = error
    const suspect = error instanceof CredentialsError || isAboutScope(error) ? 'access' : null
    return { store, method, path, httpStatus, title, errors, suspect }
  }
  if (error instanceof StoreUnreachableError) {
    const { store, method, path, httpStatus } = error
    const answered = httpStatus !== null && httpStatus < 300
    const title = answered ? 'The answer cannot be read' : 'No valid response'
    return { store, method, path, httpStatus: httpStatus ?? 0, title, errors: {}, suspect: answered ? null : 'outage' }
  }
  if (error instanceof MisreadList) {
    const refusal = unreadable(error.cause)
    return { ...refusal, store: error.store, path: refusal.path ?? error.path }
  }
  return isItemFault(error) ? unreadable(error) : null
}

export function isOfCall(refusal: ListRefusal | null): refusal is ListRefusal & { path: string } {
  return refusal?.path !== undefined
}

/** The refused call as an issue shows it; null when the refusal does not say which call it was. */
export function refusedCall(refusal: ListRefusal | null) {
  if (!isOfCall(refusal)) return null
  const { method, path, httpStatus: status, title, errors } = refusal
  return { method, path, status, title, errors }
}

/** The refused call and its answer, in words, such as `the source store answered GET /v2/banners with HTTP 403`. */
export function describeRefusal(
  stores: Readonly<Record<Side, { hash: string }>>,
  { store, method, path, httpStatus, title, suspect }: ListRefusal,
): string {
  const side = store === stores.destination.hash ? 'destination' : 'source'
  if (suspect === 'outage' && httpStatus === 0) return `the ${side} store did not answer ${method} ${path}`
  const reason = title === '' ? '' : ` (${title})`
  const answer = httpStatus >= 300 ? `with HTTP ${httpStatus}${reason}` : `in a way that cannot be used${reason}`
  return `the ${side} store answered ${method} ${path} ${answer}`
}

/** Describes in our own words a response that does not have the form of its list. */
function unreadable(error: unknown): ListRefusal {
  const { message: title, path } =
    error instanceof UnreadableAnswerError ? error : { message: 'The answer has another form', path: undefined }
  return { store: undefined, method: 'GET', path, httpStatus: 0, title, errors: {}, suspect: null }
}

/** Names the list where the error itself does not say which one was read. */
export class MisreadList extends Error {
  readonly store: string
  readonly path: string

  constructor(store: string, path: string, cause: unknown) {
    super(`${path} could not be read.`, { cause })
    this.name = 'MisreadList'
    this.store = store
    this.path = path
  }
}

/** @throws what the work throws, or a MisreadList that names the list */
export async function readingList<T>(
  { stores }: { stores: Readonly<Record<Side, { hash: string }>> },
  side: Side,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalIn(error)
    throw refusal && refusal.store === undefined ? new MisreadList(stores[side].hash, path, error) : error
  }
}
