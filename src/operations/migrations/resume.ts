import { includesPermission } from '../../contract/accounts/permissions.ts'
import { migrationDetail } from '../../contract/migration.ts'
import { resumeInput } from '../../contract/migration-request.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { answerPrune } from '../../db/ledger/prune.ts'
import { requeue } from '../../db/runs/run-controls.ts'
import type { RunRow } from '../../db/runs/runs.ts'
import { defineOperation } from '../shared/operation.ts'
import { controlRun } from '../shared/runs/control-run.ts'
import { beginHealing } from '../shared/runs/price-fix.ts'

export const resume = defineOperation({
  name: 'resume',
  summary: 'Continue a paused migration, or retry what failed in a partly completed one.',
  input: resumeInput,
  output: migrationDetail,
  needsProof: ({ confirmPrune }) => confirmPrune !== undefined,
  run: ({ id, confirmPrune }, caller, deps) =>
    controlRun('resume', id, caller, deps, async (tx, run) => {
      if (confirmPrune !== undefined && !includesPermission(caller.role, 'migration.delete')) throw ownersOnly()
      await answerGuard(tx, run, confirmPrune)
      if (run.status === 'partial_completed' && run.mode === 'full') await beginHealing(tx, run, deps.clock.now())
      await requeue(tx, run)
    }),
})

/** Only an owner may decide about a deletion beyond the limits (S18). */
function ownersOnly(): ServiceError {
  return new ServiceError(
    'forbidden',
    'Only an owner of the organisation may confirm a deletion beyond the limits of `replace`. Ask an owner, or resume without confirmPrune: then nothing is deleted.',
  )
}

/**
 * Resuming answers the prune guard: with the digest of the set the set is deleted, without a digest it is kept (D4).
 */
async function answerGuard(tx: InTransaction, run: RunRow, confirmPrune: string | undefined): Promise<void> {
  const openQuestion = run.status === 'paused' && run.pruneAnswer === null ? run.pruneDigest : null
  if (confirmPrune !== undefined && confirmPrune !== openQuestion) {
    const message = openQuestion
      ? 'This is not the set waiting for confirmation; use `prune` from GET /v2/migrations/{id}/request.'
      : 'Nothing is waiting for confirmation; leave it out.'
    throw new ServiceError('validation_failed', 'The request is not valid; see "errors".', {
      errors: { confirmPrune: [message] },
    })
  }
  if (openQuestion !== null) await answerPrune(tx, run, confirmPrune === undefined ? 'declined' : 'confirmed')
}
