import { z } from 'zod'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { disconnectStore as disconnect, type LeftAtStore, lockStore, whatNeedsStore } from '../../db/accounts/stores.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { notConnected } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'

export const disconnectStore = defineOperation({
  name: 'disconnect-store',
  summary:
    'Delete the API token of a store. Its migrations stay readable, and connecting it again restores its history.',
  input: z.strictObject({
    hash: storeHash,
    leaveSwitchedOff: z
      .boolean()
      .default(false)
      .describe(
        'Disconnect the store even if a migration left something switched off there. It stays off until the store is connected again.',
      ),
  }),
  output: z.undefined(),
  needsProof: () => true,
  async run({ hash, leaveSwitchedOff }, caller, { database, clock }) {
    const { organisationId, userId } = caller
    await database.transaction().execute(async (transaction) => {
      await confirmCaller(transaction, caller, 'disconnect-store')
      // Locked, so that no run can start with the store during the check.
      const present = await lockStore(transaction, organisationId, hash)
      if (!present?.connected) throw notConnected()
      const needs = await whatNeedsStore(transaction, { id: present.id, organisationId })
      refuseRuns(hash, needs.runs)
      const left = needs.left.map(inWords)
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

/** Without the token a run could not be stopped cleanly. */
function refuseRuns(hash: string, runs: string[]): void {
  if (runs.length === 0) return
  throw new ServiceError(
    'invalid_transition',
    `Store ${hash} is part of unfinished migrations: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ` and ${runs.length - 5} more` : ''}. Cancel them or wait for them to end, then disconnect the store.`,
  )
}

/** What migrations disabled or took and have not restored yet, in words. */
function inWords({ kind, count, subjects }: LeftAtStore): string {
  switch (kind) {
    case 'deferred-write':
      return `${count} copied items are waiting to be switched on`
    case 'mail':
      return `emails about orders are switched off (${subjects.join(', ')})`
    case 'stock':
      return 'stock taken by copied orders has not been restored yet'
    default:
      return kind satisfies never
  }
}

/** Without the token nothing can be enabled again, so the caller has to confirm this (D5). */
function stillOff(hash: string, left: string[]): ServiceError {
  return new ServiceError(
    'invalid_transition',
    `Store ${hash} still has unfinished changes: ${left.join('; ')}. Wait a few minutes or check the issues of its last migration, then disconnect it. With leaveSwitchedOff it is disconnected at once and stays as it is.`,
  )
}
