import { recordAudit } from '../../db/accounts/audit.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import { disconnectStore, lockStore, type StoreRow, saveUninstalled, whatNeedsStore } from '../../db/accounts/stores.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { lockRun } from '../../db/runs/runs.ts'
import { cancelLocked } from '../shared/runs/control-run.ts'

/**
 * Cancels the migrations of a store from which the app was uninstalled: one in progress ends at its next item, any other
 * at once. The store is disconnected when none is in progress any more, because a process that takes over a migration
 * needs both tokens, even if only to end it. Until then the store is marked for `leaveUninstalled`.
 */
export async function leaveStore(
  tx: InTransaction,
  { id, organisationId, hash }: Pick<StoreRow, 'id' | 'organisationId' | 'hash'>,
  at: Date,
): Promise<void> {
  const by = { organisationId, actor: 'visitor' as const, at }
  // Locked, so that no run can start with the store meanwhile.
  await lockStore(tx, organisationId, hash)
  const { runs, left } = await whatNeedsStore(tx, { id, organisationId })
  let working = 0
  for (const runId of runs.toSorted()) {
    const run = await lockRun(tx, organisationId, runId)
    if (!run || !unfinished.includes(run.status)) continue
    if (run.status === 'in_progress') working += 1
    if (run.asked === 'cancel') continue
    await cancelLocked(tx, run)
    await recordRunAction(tx, { ...by, userId: null, action: 'migration.cancel', runId })
  }
  if (working > 0) return saveUninstalled(tx, { id, organisationId, at })
  await disconnectStore(tx, { id, organisationId, at })
  const details = { hash, from: 'app', ...(left.length > 0 && { leftSwitchedOff: true }) }
  await recordAudit(tx, { ...by, actorUserId: null, action: 'store.disconnect', details })
}

const unfinished: readonly string[] = ['queued', 'in_progress', 'paused']
