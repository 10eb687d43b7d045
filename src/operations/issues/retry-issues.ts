import { retryIssuesInput } from '../../contract/issues.ts'
import { migrationDetail } from '../../contract/migration.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { chooseForHealing } from '../../db/reports/healing.ts'
import { requeue } from '../../db/runs/run-controls.ts'
import { defineOperation } from '../shared/operation.ts'
import { controlRun } from '../shared/runs/control-run.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { beginHealing } from '../shared/runs/price-fix.ts'
import { issueChoice } from './dismiss-issues.ts'

export const retryIssues = defineOperation({
  name: 'retry-issues',
  summary:
    'Retry some of what failed in a partly completed migration: the issues named, or all that match the filters.',
  input: retryIssuesInput,
  output: migrationDetail,
  isLong: () => true,
  run: ({ id, ids, ...filters }, caller, deps) =>
    controlRun('heal', id, caller, deps, async (tx, run) => {
      if ((await chooseForHealing(tx, run, await issueChoice(tx, run, ids, filters))) === 0) {
        refuseUnknownParts(filters, run.phases)
        throw new ServiceError(
          'invalid_transition',
          'No open issue of this migration matches; there is nothing to retry.',
        )
      }
      await beginHealing(tx, run, deps.clock.now(), 'chosen')
      await requeue(tx, run)
    }),
})
