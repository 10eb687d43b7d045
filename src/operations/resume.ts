import { migrationDetail } from '../contract/migration.ts'
import { oneMigrationInput } from '../contract/migration-request.ts'
import { requeue } from '../db/run-controls.ts'
import { controlRun } from './control-run.ts'
import { defineOperation } from './operation.ts'

export const resume = defineOperation({
  name: 'resume',
  summary: 'Go on with a paused migration, or try again what a partly completed one could not do.',
  input: oneMigrationInput,
  output: migrationDetail,
  run: ({ id }, caller, deps) => controlRun('resume', id, caller, deps, requeue),
})
