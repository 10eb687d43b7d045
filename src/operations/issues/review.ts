import type { Caller } from '../../accounts/caller.ts'
import type { RunAction } from '../../contract/accounts/audit-actions.ts'
import type { OperationName } from '../../contract/accounts/permissions.ts'
import { isLive } from '../../contract/status.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { completeReviewed } from '../../db/runs/run-controls.ts'
import { lockRun, type RunRow } from '../../db/runs/runs.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import type { Deps } from '../shared/operation.ts'

export interface Review {
  operation: OperationName & `${string}-${'issue' | 'issues' | 'differences'}`
  action: RunAction
}

/**
 * Changes which issues or differences count as open, with the run's row locked, and audits the change. A partly
 * completed run with no open failures left becomes completed, and its snapshot is updated.
 */
export async function review<Answer>(
  { operation, action, changed }: Review & { changed: (answer: Answer) => number },
  id: string,
  caller: Caller,
  deps: Deps,
  act: (tx: InTransaction, run: RunRow) => Promise<Answer>,
): Promise<Answer> {
  const { organisationId, userId } = caller
  return deps.database.transaction().execute(async (tx) => {
    await confirmCaller(tx, caller, operation)
    const run = orNotFound(await lockRun(tx, organisationId, id), id)
    const answer = await act(tx, run)
    const count = changed(answer)
    if (count === 0) return answer
    const details = { [operation.endsWith('differences') ? 'differences' : 'issues']: count }
    await recordRunAction(tx, { organisationId, userId, action, runId: run.id, at: deps.clock.now(), details })
    if (!(await completeReviewed(tx, run)) && !isLive(run.status)) await writeSnapshot(tx, organisationId, run.id)
    return answer
  })
}
