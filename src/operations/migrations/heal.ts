import { migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { requeue } from '../../db/runs/run-controls.ts'
import { defineOperation } from '../shared/operation.ts'
import { controlRun } from '../shared/runs/control-run.ts'
import { beginHealing } from '../shared/runs/price-fix.ts'

export const heal = defineOperation({
  name: 'heal',
  summary: 'Retry only what failed in a partly completed migration.',
  input: oneMigrationInput,
  output: migrationDetail,
  run: ({ id }, caller, deps) =>
    controlRun('heal', id, caller, deps, async (tx, run) => {
      await beginHealing(tx, run, deps.clock.now())
      await requeue(tx, run)
    }),
})
