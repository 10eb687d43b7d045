import {
  CredentialsError,
  PlatformError,
  StoreUnreachableError,
  UnreadableAnswerError,
} from '../../bigcommerce/errors.ts'
import { isItemFault } from './item-faults.ts'
import { isAboutScope } from './store-failures.ts'

type Side = 'source' | 'destination'

/** A list, or another answer that a pass needs, that a store does not give. */
export interface ListRefusal {
  /** Undefined when the error does not say which store it was. */
  store: string | undefined
  method: string
  /** Undefined when the error does not say. */
  path: string | undefined
  /** 0 when the answer was no error by its status. */
  httpStatus: number
  title: string
  errors: Record<string, string>
  /**
   * What else might be the reason, so that the store has to be looked at: `access`, that its token is rejected or lacks a scope;
   * `outage`, that the whole store is away.
   */
  suspect: 'access' | 'outage' | null
}

/** What an error says about one list; null for a stop, a fault of the database, or what is known to concern the run. */
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

/** As an issue shows it; null when it does not say which call it was. */
export function refusedCall(refusal: ListRefusal | null) {
  if (refusal?.path === undefined) return null
  const { method, path, httpStatus: status, title, errors } = refusal
  return { method, path, status, title, errors }
}

/** Our own words about an answer of another form than its list has. */
function unreadable(error: unknown): ListRefusal {
  const { message: title, path } =
    error instanceof UnreadableAnswerError ? error : { message: 'The answer has another form', path: undefined }
  return { store: undefined, method: 'GET', path, httpStatus: 0, title, errors: {}, suspect: null }
}

/** Names the list of an answer that does not say itself which one it is. */
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
