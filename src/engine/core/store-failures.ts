import {
  CredentialsError,
  MissingScopeError,
  StoreUnreachableError,
  UnconfirmedWriteError,
} from '../../bigcommerce/errors.ts'
import { RunFailure } from './stopping.ts'

export interface StoreInRun {
  side: 'source' | 'destination'
  hash: string
}

/** The scope that a token needs to write below a path; reading needs the same name with `_read_only`. The first match counts. */
const scopes: [prefix: string, scope: string][] = [
  ['/v2/store', 'store_v2_information'],
  ['/v2/coupons', 'store_v2_marketing'],
  ['/v2/gift_certificates', 'store_v2_marketing'],
  ['/v2/banners', 'store_v2_marketing'],
  ['/v3/content', 'store_v2_content'],
  ['/v3/promotions', 'store_v2_marketing'],
  ['/v3/channels', 'store_channel_settings'],
  ['/v3/catalog', 'store_v2_products'],
  ['/v3/customers', 'store_v2_customers'],
  ['/v2/customer_groups', 'store_v2_customers'],
  ['/v3/wishlists', 'store_v2_customers'],
  ['/v3/segments', 'store_v2_customers'],
  ['/v3/shopper-profiles', 'store_v2_customers'],
  ['/v3/storefront/redirects', 'store_v2_content'],
  ['/v2/blog', 'store_v2_content'],
  ['/v2/orders', 'store_v2_orders'],
  ['/v3/orders', 'store_v2_orders'],
  ['/v3/inventory/locations', 'store_locations'],
  ['/v3/inventory', 'store_inventory'],
]

const again = 'then start a new migration: it continues where this one ended.'

/** What a store's answer means for the whole run; null when it is about one call only. */
export function storeFailure(error: unknown, store: StoreInRun): RunFailure | null {
  if (error instanceof CredentialsError) return refusedToken(error, store)
  if (error instanceof MissingScopeError && isAboutScope(error)) return missingScope(scopeOf(error), store, error)
  if (error instanceof StoreUnreachableError || (error instanceof UnconfirmedWriteError && !error.onSocket))
    return unreachable(error, store)
  return null
}

/** The platform also answers 403 to a POST beyond one of its limits, which is no matter of the token. */
export function isAboutScope(error: unknown): error is MissingScopeError {
  return error instanceof MissingScopeError && /scope/i.test(error.title)
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

function unreachable(error: StoreUnreachableError | UnconfirmedWriteError, { side, hash }: StoreInRun): RunFailure {
  const answered = error.httpStatus === null ? 'no answer' : `HTTP ${error.httpStatus}`
  const message = `The ${side} store ${hash} cannot be reached (${answered} to ${error.method} ${error.path}). Wait until it is up again, ${again}`
  return new RunFailure('store_unreachable', message, { cause: error, mayPass: true })
}

function scopeOf({ method, path }: MissingScopeError): string {
  const scope = scopes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? `for ${path}`
  return method === 'GET' ? `${scope}_read_only` : scope
}
