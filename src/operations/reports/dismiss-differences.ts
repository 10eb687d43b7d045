import { dismissDifferencesInput, dismissedDifferences } from '../../contract/differences.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { dismissOpenDifferences } from '../../db/ledger/differences.ts'
import { dismiss, nothingNamed } from '../issues/dismiss-issues.ts'
import { defineOperation } from '../shared/operation.ts'
import { openRowId } from '../shared/row-ids.ts'

export const dismissDifferences = defineOperation({
  name: 'dismiss-differences',
  summary: 'Accept differences of a verify run as they are: those named, or all that match the filters.',
  input: dismissDifferencesInput,
  output: dismissedDifferences,
  run: ({ id, ids, ...filters }, caller, deps) =>
    dismiss('dismiss-differences', id, caller, deps, async (tx, run) => {
      if (run.mode !== 'verify')
        throw new ServiceError('invalid_transition', 'Only a verify run has differences that can be dismissed.')
      // Guards against dismissing every difference by accident.
      if (ids === undefined && Object.values(filters).every((filter) => filter === undefined))
        throw nothingNamed('differences', 'kind')
      const named = ids?.flatMap((one) => openRowId(deps.keyring, `differences of ${run.id}`, one) ?? [])
      return { dismissed: await dismissOpenDifferences(tx, run, { ...filters, ...(named && { ids: named }) }) }
    }),
})
