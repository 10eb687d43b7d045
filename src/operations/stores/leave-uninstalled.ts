import { deleteExpiredInstallations } from '../../db/accounts/app-installations.ts'
import { keepOrganisation } from '../../db/accounts/organisations.ts'
import { listUninstalled, lockUninstalled } from '../../db/accounts/stores.ts'
import type { Deps } from '../shared/operation.ts'
import { leaveStore } from './leave-store.ts'

/** Disconnects uninstalled stores whose migrations have ended since, and deletes tokens that no one claimed in time (S1). */
export async function leaveUninstalled({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await deleteExpiredInstallations(database, clock.now())
  for (const store of await listUninstalled(database))
    await database.transaction().execute(async (transaction) => {
      await keepOrganisation(transaction, store.organisationId)
      // It may have been connected again meanwhile, or erased with its organisation.
      if (await lockUninstalled(transaction, store)) await leaveStore(transaction, store, clock.now())
    })
}
