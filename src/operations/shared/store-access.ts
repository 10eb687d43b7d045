import type { StoreClient } from '../../bigcommerce/client.ts'
import { probeScopes, readStoreInformation } from '../../bigcommerce/store-information.ts'

export interface StoreAccess {
  /** The shop's own name. */
  name: string
  /** Scopes that the token lacks even for reading, in the platform's words. Whether it may write shows only at the first write. */
  missingScopes: string[]
}

/** @throws the connector's errors: when the token is not one of this store, or may not read the store's information. */
export async function readStoreAccess(client: StoreClient, signal: AbortSignal): Promise<StoreAccess> {
  const { name } = await readStoreInformation(client, { signal })
  const missing = await probeScopes(client, { signal })
  return { name, missingScopes: [...new Set(missing.map(({ scope }) => scope))] }
}
