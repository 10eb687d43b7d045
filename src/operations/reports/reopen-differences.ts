import { reopenDifferencesInput, reopenedDifferences } from '../../contract/differences.ts'
import { changeDifferences } from '../../db/ledger/differences.ts'
import { reopen } from '../issues/reopen-issues.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { chosenDifferences } from './dismiss-differences.ts'

export const reopenDifferences = defineOperation({
  name: 'reopen-differences',
  summary: 'Open dismissed differences of a verify run again: those named, or all that match the filters.',
  input: reopenDifferencesInput,
  output: reopenedDifferences,
  isLong: () => true,
  run: ({ id, ...choice }, caller, deps) =>
    reopen('reopen-differences', id, caller, deps, async (tx, run) => {
      const chosen = await chosenDifferences(tx, run, choice, deps)
      const count = await changeDifferences(tx, run, { from: 'dismissed', to: 'open' }, chosen)
      if (count === 0) refuseUnknownParts(choice, run.phases)
      return { reopened: count }
    }),
})
