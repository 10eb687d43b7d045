import { migrationDetail } from '../contract/migration.ts'
import { oneMigrationInput } from '../contract/migration-request.ts'
import { isLive } from '../contract/status.ts'
import { findRun } from '../db/runs.ts'
import { findSnapshot, readDetail } from '../db/snapshots.ts'
import { orNotFound } from './find-migration.ts'
import { Answer, defineOperation } from './operation.ts'

/** The status of the row decides who answers, whatever snapshots exist (F3). */
export const getMigration = defineOperation({
  name: 'get-migration',
  summary: 'One migration: status, progress, results by phase and forecast.',
  input: oneMigrationInput,
  output: migrationDetail,
  async run({ id }, { organisationId }, { database }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    if (isLive(run.status)) return new Answer(await readDetail(database, run), { readSource: 'engine' })
    const snapshot = await findSnapshot(database, organisationId, run.id)
    return new Answer(snapshot ?? (await readDetail(database, run)), { readSource: 'postgres' })
  },
})
