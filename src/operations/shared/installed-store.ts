import { ServiceError } from '../../contract/service-error.ts'
import { installationTokenContext, type UnclaimedInstallation } from '../../db/accounts/app-installations.ts'
import type { Deps } from './operation.ts'
import type { StoreAccess } from './store-access.ts'
import { checkToken } from './store-connection.ts'

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
