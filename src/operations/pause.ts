import { migrationDetail } from '../contract/migration.ts'
import { oneMigrationInput } from '../contract/migration-request.ts'
import { pauseQueued } from '../db/run-controls.ts'
import { setAsked } from '../db/runs.ts'
import { controlRun } from './control-run.ts'
import { defineOperation } from './operation.ts'

export const pause = defineOperation({
  name: 'pause',
  summary: 'Stop writing and keep everything for a later resume.',
  input: oneMigrationInput,
  output: migrationDetail,
  run: ({ id }, caller, deps) =>
    controlRun('pause', id, caller, deps, (tx, run) =>
      // The engine reports `paused` when the last answer is recorded (A7).
      run.status === 'in_progress' ? setAsked(tx, run.organisationId, run.id, 'pause') : pauseQueued(tx, run),
    ),
})
