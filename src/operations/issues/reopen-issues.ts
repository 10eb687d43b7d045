import type { Caller } from '../../accounts/caller.ts'
import { reopened, reopenIssuesInput } from '../../contract/issues.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { hasOpenFailures, reopenDismissed } from '../../db/reports/healing.ts'
import type { RunRow } from '../../db/runs/runs.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { issueChoice } from './dismiss-issues.ts'
import { type Review, review } from './review.ts'

export const reopenIssues = defineOperation({
  name: 'reopen-issues',
  summary:
    'Open dismissed issues again: those named, or all that match the filters. Failures of a completed migration stay dismissed.',
  input: reopenIssuesInput,
  output: reopened,
  isLong: () => true,
  run: ({ id, ids, ...filters }, caller, deps) =>
    reopen('reopen-issues', id, caller, deps, async (tx, run) => {
      const count = await reopenDismissed(tx, run, await issueChoice(tx, run, ids, filters))
      if (count === 0) refuseUnknownParts(filters, run.phases)
      if (run.status === 'completed' && (await hasOpenFailures(tx, run)))
        throw new ServiceError(
          'invalid_transition',
          'The migration is completed, which is final: its failures stay dismissed. Compare the two stores, or start another migration.',
        )
      return { reopened: count }
    }),
})

/** Reopens dismissed issues or differences. */
export function reopen<Answer extends { reopened: number }>(
  operation: Review['operation'],
  id: string,
  caller: Caller,
  deps: Deps,
  act: (tx: InTransaction, run: RunRow) => Promise<Answer>,
): Promise<Answer> {
  const what = { operation, action: 'migration.reopen', changed: ({ reopened }: Answer) => reopened } as const
  return review(what, id, caller, deps, act)
}
