import type { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { type MigrationDetail, migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { requireAnyRun } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { cancelAsAdministrator } from '../shared/runs/control-run.ts'

type Input = z.infer<typeof oneMigrationInput>

export const cancelAnyMigration = defineOperation<Input, MigrationDetail, Administrator>({
  name: 'cancel-any-migration',
  summary: 'End a migration of any organisation for good; what was copied stays.',
  input: oneMigrationInput,
  output: migrationDetail,
  async run({ id }, administrator, deps) {
    return cancelAsAdministrator(await requireAnyRun(deps.database, id), administrator, deps)
  },
})
