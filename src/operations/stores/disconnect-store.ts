import { z } from 'zod'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { disconnectStore as disconnect, lockStore, whatNeedsStore } from '../../db/accounts/stores.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { notConnected } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'

export const disconnectStore = defineOperation({
  name: 'disconnect-store',
  summary: 'Forget the API token of a store. Its migrations stay readable; connected again it goes on where it was.',
  input: z.strictObject({
    hash: storeHash,
    leaveSwitchedOff: z
      .boolean()
      .default(false)
      .describe(
        'Disconnects the store although a migration left something switched off there. It stays off until the store is connected again.',
      ),
  }),
  output: z.undefined(),
  async run({ hash, leaveSwitchedOff }, caller, { database, clock }) {
    const { organisationId, userId } = caller
    await database.transaction().execute(async (transaction) => {
      await confirmCaller(transaction, caller, 'disconnect-store')
      // Held, so that no run begins over the store between the look and the end.
      const present = await lockStore(transaction, organisationId, hash)
      if (!present?.connected) throw notConnected()
      const needs = await whatNeedsStore(transaction, { id: present.id, organisationId })
      refuseRuns(hash, needs.runs)
      const left = leftOff(needs)
      if (left.length > 0 && !leaveSwitchedOff) throw stillOff(hash, left)
      const at = clock.now()
      await disconnect(transaction, { id: present.id, organisationId, at })
      const entry = {
        action: 'store.disconnect' as const,
        details: { hash, ...(left.length > 0 && { leftSwitchedOff: left.join('; ') }) },
        at,
      }
      await recordAudit(transaction, { organisationId, actorUserId: userId, actor: 'user', ...entry })
    })
    return undefined
  },
})

/** Without its token nobody could stop a run in order. */
function refuseRuns(hash: string, runs: string[]): void {
  if (runs.length === 0) return
  throw new ServiceError(
    'invalid_transition',
    `Store ${hash} is part of migrations that are not over: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ` and ${runs.length - 5} more` : ''}. Cancel them or wait for them, then disconnect it.`,
  )
}

/** What a migration switched off or took, and nobody put right again, in words. */
function leftOff({
  deferredWrites,
  muted,
  stock,
}: {
  deferredWrites: number
  muted: string[]
  stock: boolean
}): string[] {
  return [
    ...(deferredWrites > 0 ? [`${deferredWrites} copied items wait to be switched on`] : []),
    ...(muted.length > 0 ? [`mails about orders are switched off (${muted.join(', ')})`] : []),
    ...(stock ? ['stock that copied orders took is not given back yet'] : []),
  ]
}

/** Without its token nobody could switch it on, so whoever wants that says so (D5). */
function stillOff(hash: string, left: string[]): ServiceError {
  return new ServiceError(
    'invalid_transition',
    `Store ${hash} is not as it should be: ${left.join('; ')}. Wait a few minutes, or read the issues of its last migration; then disconnect it. With leaveSwitchedOff it is disconnected at once, and stays so.`,
  )
}
