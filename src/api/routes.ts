import { getStore } from '../operations/get-store.ts'
import { listStorefronts } from '../operations/list-storefronts.ts'
import { listStores } from '../operations/list-stores.ts'
import { login } from '../operations/login.ts'
import type { RoutedOperation } from '../operations/operation.ts'

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:name` parts are keys of the operation's input; the other keys come from the query (GET) or the JSON body. */
  path: `/v2/${string}`
  operation: RoutedOperation
  answer: 200 | 201 | 202 | 204
  /** The `Idempotency-Key` header becomes the input's `idempotencyKey`. */
  idempotent?: true
}

/** The API: one line per operation. */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/v2/login', operation: login, answer: 200 },
  { method: 'GET', path: '/v2/stores', operation: listStores, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash', operation: getStore, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/storefronts', operation: listStorefronts, answer: 200 },
]
