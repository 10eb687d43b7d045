import { z } from 'zod'
import { visibleText } from '../../contract/primitives/text.ts'
import { store, storeHash } from '../../contract/stores.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { lockStore, saveStoreLabel } from '../../db/accounts/stores.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { notConnected } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'

export const labelStore = defineOperation({
  name: 'label-store',
  summary: 'Change the label of a connected store; earlier migrations keep the old one.',
  input: z.strictObject({ hash: storeHash, label: visibleText }),
  output: store,
  async run({ hash, label }, caller, { database, clock }) {
    const { organisationId, userId } = caller
    await database.transaction().execute(async (transaction) => {
      await confirmCaller(transaction, caller, 'label-store')
      const present = await lockStore(transaction, organisationId, hash)
      if (!present?.connected) throw notConnected()
      await saveStoreLabel(transaction, { id: present.id, organisationId, label })
      const entry = { action: 'store.label' as const, details: { hash, label }, at: clock.now() }
      await recordAudit(transaction, { organisationId, actorUserId: userId, actor: 'user', ...entry })
    })
    return { hash, label, platform: 'BC' as const }
  },
})
