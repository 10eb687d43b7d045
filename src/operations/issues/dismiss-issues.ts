import type { Caller } from '../../accounts/caller.ts'
import type { OperationName } from '../../contract/accounts/permissions.ts'
import { dismissed, dismissIssuesInput } from '../../contract/issues.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { isLive } from '../../contract/status.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { dismissOpen, type IssueChoice } from '../../db/reports/healing.ts'
import { completeReviewed } from '../../db/runs/run-controls.ts'
import { isUuid, lockRun, type RunRow } from '../../db/runs/runs.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

export const dismissIssues = defineOperation({
  name: 'dismiss-issues',
  summary: 'Accept issues as they are: those named, or all that match the filters.',
  input: dismissIssuesInput,
  output: dismissed,
  run: ({ id, ids, reason = null, ...filters }, caller, deps) =>
    dismiss('dismiss-issues', id, caller, deps, async (tx, run) => {
      return { dismissed: await dismissOpen(tx, run, issueChoice(ids, filters), reason) }
    }),
})

/** @throws ServiceError when nothing is named: that would be every issue, perhaps by accident. */
export function issueChoice(ids: string[] | undefined, filters: Omit<IssueChoice, 'ids'>): IssueChoice {
  if (ids === undefined && Object.values(filters).every((filter) => filter === undefined))
    throw nothingNamed('issues', 'severity')
  return { ...filters, ...(ids && { ids: ids.filter(isUuid) }) }
}

export function nothingNamed(what: 'issues' | 'differences', filter: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { ids: [`Name ${what} by id, or give at least one filter, such as ${filter}.`] },
  })
}

/**
 * Dismisses issues or differences with the run's row locked, and audits it. A partly completed run without open failures becomes
 * completed, and its snapshot is updated.
 */
export async function dismiss<Answer extends { dismissed: number }>(
  operation: OperationName,
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
    if (answer.dismissed === 0) return answer
    const details = { [operation === 'dismiss-differences' ? 'differences' : 'issues']: answer.dismissed }
    const at = deps.clock.now()
    await recordRunAction(tx, { organisationId, userId, action: 'migration.dismiss', runId: run.id, at, details })
    if (!(await completeReviewed(tx, run)) && !isLive(run.status)) await writeSnapshot(tx, organisationId, run.id)
    return answer
  })
}
