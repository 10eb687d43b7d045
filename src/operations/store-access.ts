import { z } from 'zod'
import type { StoreClient } from '../bigcommerce/client.ts'
import { MissingScopeError } from '../bigcommerce/errors.ts'

export interface StoreAccess {
  /** The shop's own name. */
  name: string
  /** Scopes that the token lacks even for reading, in the platform's words. */
  missingScopes: string[]
}

const storeInformation = z.looseObject({ name: z.string() })

/** One cheap read per scope that a catalogue copy needs. Source: BigCommerce "API accounts", OAuth scopes. */
const probes = [
  { scope: 'store_v2_products', path: '/v3/catalog/brands' },
  { scope: 'store_channel_settings', path: '/v3/channels' },
]

/**
 * What a token may read, found by reading: the platform has no list of a token's scopes. Whether it may also write shows only
 * at the first write.
 *
 * @throws PlatformError when the token is not one of this store, or may not read the store's information.
 */
export async function readStoreAccess(client: StoreClient, signal: AbortSignal): Promise<StoreAccess> {
  const { name } = storeInformation.parse((await client.get('/v2/store', {}, { signal })).body)
  const missingScopes: string[] = []
  for (const { scope, path } of probes) if (!(await mayRead(client, path, signal))) missingScopes.push(scope)
  return { name, missingScopes }
}

async function mayRead(client: StoreClient, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get(path, { limit: 1 }, { signal })
    return true
  } catch (error) {
    if (error instanceof MissingScopeError) return false
    throw error
  }
}
