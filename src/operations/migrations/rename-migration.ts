import { renamedMigration, renameMigrationInput } from '../../contract/migration-request.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import { lockRun, saveRunLabel } from '../../db/runs/runs.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'

export const renameMigration = defineOperation({
  name: 'rename-migration',
  summary: 'Change or remove the label of a migration, also while it is in progress. Its settings keep the first one.',
  input: renameMigrationInput,
  output: renamedMigration,
  run: ({ id, label }, caller, { database, clock }) => {
    const { organisationId, userId } = caller
    return database.transaction().execute(async (tx) => {
      await confirmCaller(tx, caller, 'rename-migration')
      const run = orNotFound(await lockRun(tx, organisationId, id), id)
      await saveRunLabel(tx, run, label)
      await recordRunAction(tx, { organisationId, userId, action: 'migration.rename', runId: run.id, at: clock.now() })
      return { requestId: run.id, label }
    })
  },
})
