import { randomBytes } from 'node:crypto'
import type { StoreApp } from '../../accounts/app/store-app.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { ServiceError } from '../../contract/service-error.ts'
import {
  findUnclaimed,
  installationTokenContext,
  type UnclaimedInstallation,
} from '../../db/accounts/app-installations.ts'
import type { Database, InTransaction } from '../../db/core/database.ts'
import type { Deps } from '../shared/operation.ts'
import type { StoreAccess } from '../shared/store-access.ts'
import { checkToken } from '../shared/store-connection.ts'

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

/**
 * Calls a store with the token of its unclaimed installation.
 *
 * @throws ServiceError `invalid_transition` if the store no longer accepts the token; otherwise as `checkToken`
 */
export async function checkInstalled(
  { hash, tokenEncrypted }: UnclaimedInstallation,
  deps: Deps,
): Promise<StoreAccess & { hash: string; token: string }> {
  const token = deps.keyring.decrypt(tokenEncrypted, installationTokenContext(hash)).toString()
  try {
    return { hash, token, ...(await checkToken({ hash, token }, deps)) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'validation_failed') throw error
    throw new ServiceError(
      'invalid_transition',
      `Store ${hash} does not accept the token of this installation. Uninstall the app in its control panel and install it again.`,
      { cause: error },
    )
  }
}
