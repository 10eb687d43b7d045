import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { deleteInstallation, findInstallation, lockInstallation } from '../../db/accounts/app-installations.ts'
import { keepOrganisation } from '../../db/accounts/organisations.ts'
import { lockStore } from '../../db/accounts/stores.ts'
import { defineOperation } from '../shared/operation.ts'
import { wakeEngine } from '../shared/wake-engine.ts'
import { requireStoreApp } from './app-installation.ts'
import { leaveStore } from './leave-store.ts'

const input = z.strictObject({ payload: z.string().max(10_000) })

export const uninstallApp = defineOperation<z.infer<typeof input>, undefined, Visitor>({
  name: 'uninstall-app',
  summary: 'Cancel the migrations of a store that has uninstalled the app, and disconnect it.',
  input,
  output: z.undefined(),
  async run({ payload }, _, deps) {
    const { hash, issuedAt } = await requireStoreApp(deps).verify(payload)
    await deps.database.transaction().execute(async (transaction) => {
      await lockInstallation(transaction, hash)
      const present = await findInstallation(transaction, hash)
      // Signed before the present installation, so it is a late or repeated callback about an earlier one (S1).
      if (!present || issuedAt < present.installedAt) return
      const { organisationId, storeId: id } = present
      if (organisationId !== null && id !== null) {
        await keepOrganisation(transaction, organisationId)
        // The store before its installation, as where a person gives it a token or disconnects it.
        await lockStore(transaction, organisationId, hash)
        // A person has just done so, or the organisation was erased.
        if (!(await findInstallation(transaction, hash))) return
        await leaveStore(transaction, { id, organisationId, hash }, deps.clock.now())
      }
      await deleteInstallation(transaction, hash)
    })
    wakeEngine(deps)
    return undefined
  },
})
