import type { z } from 'zod'
import { dismissDifferencesInput, dismissedDifferences } from '../../contract/differences.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { changeDifferences, type DifferenceChoice } from '../../db/ledger/differences.ts'
import { idsAmong } from '../../db/reports/healing.ts'
import type { RunRow } from '../../db/runs/runs.ts'
import { dismiss, nothingNamed } from '../issues/dismiss-issues.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { openRowId } from '../shared/row-ids.ts'
import { refuseUnknownIds, refuseUnknownParts } from '../shared/runs/known-parts.ts'

export const dismissDifferences = defineOperation({
  name: 'dismiss-differences',
  summary: 'Accept differences of a verify run as they are: those named, or all that match the filters.',
  input: dismissDifferencesInput,
  output: dismissedDifferences,
  isLong: () => true,
  run: ({ id, ...choice }, caller, deps) =>
    dismiss('dismiss-differences', id, caller, deps, async (tx, run) => {
      const chosen = await chosenDifferences(tx, run, choice, deps)
      const count = await changeDifferences(tx, run, { from: 'open', to: 'dismissed' }, chosen)
      if (count === 0) refuseUnknownParts(choice, run.phases)
      return { dismissed: count }
    }),
})

/**
 * @throws ServiceError if neither ids nor filters are given, because that would mean every difference, perhaps by
 * accident
 * @throws ServiceError if an id is not one of the comparison's differences
 */
export async function chosenDifferences(
  tx: InTransaction,
  run: RunRow,
  { ids, ...filters }: Omit<z.output<typeof dismissDifferencesInput>, 'id'>,
  { keyring }: Pick<Deps, 'keyring'>,
): Promise<DifferenceChoice> {
  if (run.mode !== 'verify')
    throw new ServiceError('invalid_transition', 'Only a verify run has differences that can be dismissed.')
  if (ids === undefined && Object.values(filters).every((filter) => filter === undefined))
    throw nothingNamed('differences', 'kind')
  if (ids === undefined) return filters
  const rowOf = (id: string) => openRowId(keyring, `differences of ${run.id}`, id) ?? ''
  const named = ids.map(rowOf).filter((row) => row !== '')
  const known = new Set(await idsAmong(tx, run, 'differences', named))
  refuseUnknownIds('difference', ids, (id) => known.has(rowOf(id)))
  return { ...filters, ids: named }
}
