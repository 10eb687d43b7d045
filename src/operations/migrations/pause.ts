import { migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { pauseQueued } from '../../db/runs/run-controls.ts'
import { setRequestedControl } from '../../db/runs/runs.ts'
import { defineOperation } from '../shared/operation.ts'
import { controlRun } from '../shared/runs/control-run.ts'

export const pause = defineOperation({
  name: 'pause',
  summary: 'Stop writing; the migration can be resumed later.',
  input: oneMigrationInput,
  output: migrationDetail,
  run: ({ id }, caller, deps) =>
    controlRun('pause', id, caller, deps, (tx, run) =>
      // The engine sets `paused` once the last response is recorded (A7).
      run.status === 'in_progress'
        ? setRequestedControl(tx, run.organisationId, run.id, 'pause')
        : pauseQueued(tx, run),
    ),
})
