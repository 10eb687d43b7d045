import { deletionCounts } from '../../contract/deletions.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { countDeletionStates } from '../../db/ledger/deletions.ts'
import { findRun } from '../../db/runs/runs.ts'
import { componentOf } from '../../entities/registry.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'

export const countDeletions = defineOperation({
  name: 'count-deletions',
  summary: 'How much of each component a `replace` is about to delete, has deleted and has kept.',
  input: oneMigrationInput,
  output: deletionCounts,
  isLong: () => true,
  async run({ id }, { organisationId }, { database }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const counts = await countDeletionStates(database, { organisationId, runId: run.id })
    return { parts: counts.map((count) => ({ ...count, label: componentOf(count.component).label })) }
  },
})
