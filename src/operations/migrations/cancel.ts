import { migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { defineOperation } from '../shared/operation.ts'
import { cancelLocked, controlRun } from '../shared/runs/control-run.ts'

export const cancel = defineOperation({
  name: 'cancel',
  summary: 'End a migration for good; what was copied stays.',
  input: oneMigrationInput,
  output: migrationDetail,
  run: ({ id }, caller, deps) => controlRun('cancel', id, caller, deps, cancelLocked),
})
