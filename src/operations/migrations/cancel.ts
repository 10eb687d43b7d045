import { migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { finishCancelled } from '../../db/runs/run-controls.ts'
import { setRequestedControl } from '../../db/runs/runs.ts'
import { defineOperation } from '../shared/operation.ts'
import { controlRun } from '../shared/runs/control-run.ts'

export const cancel = defineOperation({
  name: 'cancel',
  summary: 'End a migration for good; what was copied stays.',
  input: oneMigrationInput,
  output: migrationDetail,
  run: ({ id }, caller, deps) =>
    controlRun('cancel', id, caller, deps, (tx, run) =>
      run.status === 'in_progress'
        ? setRequestedControl(tx, run.organisationId, run.id, 'cancel')
        : finishCancelled(tx, run),
    ),
})
