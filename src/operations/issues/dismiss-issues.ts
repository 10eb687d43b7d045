import type { Caller } from '../../accounts/caller.ts'
import { dismissed, dismissIssuesInput } from '../../contract/issues.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { dismissOpen, type IssueChoice, idsAmong } from '../../db/reports/healing.ts'
import { isUuid, type RunRow } from '../../db/runs/runs.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { refuseUnknownIds, refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { type Review, review } from './review.ts'

export const dismissIssues = defineOperation({
  name: 'dismiss-issues',
  summary: 'Accept issues as they are: those named, or all that match the filters.',
  input: dismissIssuesInput,
  output: dismissed,
  isLong: () => true,
  run: ({ id, ids, reason = null, ...filters }, caller, deps) =>
    dismiss('dismiss-issues', id, caller, deps, async (tx, run) => {
      const count = await dismissOpen(tx, run, await issueChoice(tx, run, ids, filters), reason)
      if (count === 0) refuseUnknownParts(filters, run.phases)
      return { dismissed: count }
    }),
})

/**
 * @throws ServiceError if neither ids nor filters are given, because that would mean every issue, perhaps by accident
 * @throws ServiceError if an id is not one of the migration's issues
 */
export async function issueChoice(
  tx: InTransaction,
  run: RunRow,
  ids: string[] | undefined,
  filters: Omit<IssueChoice, 'ids'>,
): Promise<IssueChoice> {
  if (ids === undefined && Object.values(filters).every((filter) => filter === undefined))
    throw nothingNamed('issues', 'severity')
  if (ids === undefined) return filters
  const known = new Set(await idsAmong(tx, run, 'issues', ids.filter(isUuid)))
  refuseUnknownIds('issue', ids, (id) => known.has(id.toLowerCase()))
  return { ...filters, ids }
}

export function nothingNamed(what: 'issues' | 'differences', filter: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { ids: [`Name ${what} by id, or give at least one filter, such as ${filter}.`] },
  })
}

/** Dismisses issues or differences. */
export function dismiss<Answer extends { dismissed: number }>(
  operation: Review['operation'],
  id: string,
  caller: Caller,
  deps: Deps,
  act: (tx: InTransaction, run: RunRow) => Promise<Answer>,
): Promise<Answer> {
  const what = { operation, action: 'migration.dismiss', changed: ({ dismissed }: Answer) => dismissed } as const
  return review(what, id, caller, deps, act)
}
