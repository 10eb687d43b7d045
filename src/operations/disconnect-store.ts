import { z } from 'zod'
import { ServiceError } from '../contract/service-error.ts'
import { storeHash } from '../contract/stores.ts'
import { recordAudit } from '../db/audit.ts'
import { disconnectStore as disconnect, lockStore, whatNeedsStore } from '../db/stores.ts'
import { confirmCaller } from './confirm-caller.ts'
import { notConnected } from './connected-store.ts'
import { defineOperation } from './operation.ts'

export const disconnectStore = defineOperation({
  name: 'disconnect-store',
  summary: 'Forget the API token of a store. Its migrations stay readable; connected again it goes on where it was.',
  input: z.strictObject({ hash: storeHash }),
  output: z.undefined(),
  async run({ hash }, caller, { database, clock }) {
    const { organisationId, userId } = caller
    await database.transaction().execute(async (transaction) => {
      await confirmCaller(transaction, caller, 'disconnect-store')
      // Held, so that no run begins over the store between the look and the end.
      const present = await lockStore(transaction, organisationId, hash)
      if (!present?.connected) throw notConnected()
      refuseNeeded(hash, await whatNeedsStore(transaction, { id: present.id, organisationId }))
      const at = clock.now()
      await disconnect(transaction, { id: present.id, organisationId, at })
      const entry = { action: 'store.disconnect' as const, details: { hash }, at }
      await recordAudit(transaction, { organisationId, actorUserId: userId, actor: 'user', ...entry })
    })
    return undefined
  },
})

/** Without its token nobody could stop a run in order, or switch on what a copy left switched off. */
function refuseNeeded(hash: string, { runs, duties }: { runs: string[]; duties: number }): void {
  if (runs.length > 0) {
    throw new ServiceError(
      'invalid_transition',
      `Store ${hash} is part of migrations that are not over: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ` and ${runs.length - 5} more` : ''}. Cancel them or wait for them, then disconnect it.`,
    )
  }
  if (duties === 0) return
  throw new ServiceError(
    'invalid_transition',
    `${duties} copied items between store ${hash} and another wait to be switched on. Wait a few minutes, or read the issues of its last migration; then disconnect it.`,
  )
}
