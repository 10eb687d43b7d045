import { z } from 'zod'
import { lockInstallation, saveClaimed } from '../../db/accounts/app-installations.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { defineOperation } from '../shared/operation.ts'
import { saveConnection } from '../shared/store-connection.ts'
import { checkInstalled, requireStoreApp, requireUnclaimed } from './app-installation.ts'

/** Another organisation that has connected the same store by a token keeps it: every organisation has its own row (S2). */
export const claimStore = defineOperation({
  name: 'claim-store',
  summary: 'Connect a store that has installed the app to the organisation.',
  input: z.strictObject({ key: z.string().max(100) }),
  output: z.strictObject({ hash: z.string(), label: z.string() }),
  needsProof: () => true,
  async run({ key }, caller, deps) {
    requireStoreApp(deps)
    const { organisationId, userId } = caller
    const { hash, token, information } = await checkInstalled(await requireUnclaimed(deps.database, key, deps), deps)
    return deps.database.transaction().execute(async (transaction) => {
      await confirmCaller(transaction, caller, 'claim-store')
      await lockInstallation(transaction, hash)
      // Again, because someone else may have claimed or installed it meanwhile; then the key has ended.
      const { installedAt } = await requireUnclaimed(transaction, key, deps)
      const actor = { actor: 'user' as const, actorUserId: userId }
      const connection = { organisationId, hash, shopName: information.name, token, from: 'app' as const }
      const { id: storeId, label } = await saveConnection(transaction, connection, actor, deps)
      await saveClaimed(transaction, { hash, installedAt, organisationId, storeId })
      return { hash, label }
    })
  },
})
