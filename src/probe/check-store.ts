import { CredentialsError, MissingScopeError, PlatformError, StoreUnreachableError } from '../bigcommerce/errors.ts'
import { numberedPages } from '../bigcommerce/pages.ts'
import { carriesPrefix } from './guard.ts'
import type { Item } from './kinds.ts'
import type { ProbeStore } from './probe-store.ts'

/** Says why the probe does not start or cannot go on, and what to do about it. */
export class ProbeRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProbeRefusedError'
  }
}

/** A shop that sells has more products. */
const mostProducts = 50

/**
 * Checks that this may be a throw-away store: few products and no orders, except those of an earlier probe.
 *
 * @throws ProbeRefusedError with the remedy.
 */
export async function checkStore(store: ProbeStore, hash: string, signal?: AbortSignal): Promise<void> {
  await describing(hash, async () => {
    await store.client.get('/v2/store', {}, { signal })
    if ((await foreign(store, '/v2/orders', 0, signal)) > 0)
      throw new ProbeRefusedError(
        `Store ${hash} has orders, so it is not a throw-away store. Create a trial store and probe that.`,
      )
    const products = await foreign(store, '/v3/catalog/products', mostProducts, signal)
    if (products > mostProducts)
      throw new ProbeRefusedError(
        `Store ${hash} has more than ${mostProducts} products, so it is not a throw-away store. Create a trial store and probe that.`,
      )
  })
}

/** Counts items that the probe did not create; stops counting once there are more than `most`. */
async function foreign(store: ProbeStore, path: string, most: number, signal?: AbortSignal): Promise<number> {
  let count = 0
  for await (const { items } of numberedPages<Item>(store.client, path, {}, { signal })) {
    count += items.filter((item) => !carriesPrefix(item)).length
    if (count > most) return count
  }
  return count
}

/** Adds what to do when the first calls are refused. */
async function describing(hash: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const message = remedyOf(error, hash)
    throw message === undefined ? error : new ProbeRefusedError(message, { cause: error })
  }
}

export function refusedToken(hash: string): string {
  return `Store ${hash} did not accept the token. Create an API account in its control panel (Settings, Store-level API accounts) and put its access token into the token file.`
}

export function remedyOf(error: unknown, hash: string): string | undefined {
  if (error instanceof CredentialsError) return refusedToken(hash)
  if (error instanceof MissingScopeError)
    return `The token may not read ${error.path} of store ${hash}. Give its API account the scopes that docs/probe.md names, "modify" for each, and try again.`
  if (error instanceof PlatformError)
    return `${error.path} of store ${hash} answered HTTP ${error.httpStatus}. Check the store hash: it is the part after "store-" in the address of the control panel.`
  if (error instanceof StoreUnreachableError)
    return `Store ${hash} did not answer (${error.path}). Check the connection to the internet, and BIGCOMMERCE_API_URL if you have set it.`
  return undefined
}
