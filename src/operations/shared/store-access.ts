import type { StoreClient } from '../../bigcommerce/client.ts'
import { probeScopes, readStoreInformation } from '../../bigcommerce/store-information.ts'

export interface StoreAccess {
  /** The store's own name. */
  name: string
  /** Scopes that the token lacks for reading, by the platform's names. Write access is only known after the first write. */
  missingScopes: string[]
}

/** @throws the connector's errors, when the token is not valid for this store or may not read its information. */
export async function readStoreAccess(client: StoreClient, signal: AbortSignal): Promise<StoreAccess> {
  const { name } = await readStoreInformation(client, { signal })
  const missing = await probeScopes(client, { signal })
  return { name, missingScopes: [...new Set(missing.map(({ scope }) => scope))] }
}
