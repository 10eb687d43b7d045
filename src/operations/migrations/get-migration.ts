import { migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { Answer, defineOperation } from '../shared/operation.ts'
import { readAsStored } from '../shared/runs/read-run.ts'

export const getMigration = defineOperation({
  name: 'get-migration',
  summary: 'One migration: status, progress, results by phase and forecast.',
  input: oneMigrationInput,
  output: migrationDetail,
  async run({ id }, { organisationId }, deps) {
    const { detail, readSource } = await readAsStored(deps, organisationId, id)
    return new Answer(detail, { readSource })
  },
})
