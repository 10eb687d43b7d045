import { randomBytes } from 'node:crypto'
import type { StoreApp } from '../../accounts/app/store-app.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { findUnclaimed, type UnclaimedInstallation } from '../../db/accounts/app-installations.ts'
import type { Database, InTransaction } from '../../db/core/database.ts'
import type { Deps } from './operation.ts'

/** @throws ServiceError `not_found` if no app is configured */
export function requireStoreApp({ storeApp }: Pick<Deps, 'storeApp'>): StoreApp {
  if (storeApp) return storeApp
  throw new ServiceError('not_found', 'Stores are connected by their API tokens here: no app is set up.')
}

/** 256 random bits, for the link to the page where an owner claims the store. Only the hash is stored. */
export function newClaimKey(): { claimKey: string; claimHash: Buffer } {
  const claimKey = randomBytes(32).toString('base64url')
  return { claimKey, claimHash: sha256(claimKey) }
}

/** @throws ServiceError `not_found`, with the same message for a key that never existed, was used, or has expired */
export async function requireUnclaimed(
  database: Database | InTransaction,
  key: string,
  { clock }: Pick<Deps, 'clock'>,
): Promise<UnclaimedInstallation> {
  const installation = await findUnclaimed(database, { claimHash: sha256(key), at: clock.now() })
  if (installation) return installation
  throw new ServiceError(
    'not_found',
    'This link has expired, was used, or was replaced by a newer one. Open the app in the control panel of the store for a new link; after 30 minutes, uninstall the app there and install it again.',
  )
}
