import type { z } from 'zod'
import { actorOf } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { anyMigration } from '../../contract/accounts/administration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { findUserName } from '../../db/reports/run-history.ts'
import { detailOf } from '../../db/runs/snapshots.ts'
import { requireAnyRun } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { queueOf } from '../shared/runs/queue.ts'
import { waitingOf } from '../shared/runs/waiting-of.ts'

type Input = z.infer<typeof oneMigrationInput>
type Output = z.infer<typeof anyMigration>

/**
 * Reads across organisations, so it returns no items and is always audited, also in the log that the organisation's
 * owners see (S18).
 */
export const getAnyMigration = defineOperation<Input, Output, Administrator>({
  name: 'get-any-migration',
  summary: 'A migration of any organisation, without its items; every call is audited.',
  input: oneMigrationInput,
  output: anyMigration,
  async run({ id }, administrator, deps) {
    const { database, clock } = deps
    const run = await requireAnyRun(database, id)
    const { organisationId, createdBy, failureCode, failureMessage } = run
    const entry = { action: 'migration.read' as const, details: { runId: run.id }, at: clock.now() }
    await recordAudit(database, { organisationId, ...actorOf(administrator), ...entry })
    const name = createdBy === null ? undefined : await findUserName(database, createdBy)
    return {
      organisation: { id: organisationId, name: run.organisationName },
      label: run.label,
      createdBy: createdBy !== null && name !== undefined ? { id: createdBy, name } : null,
      asked: run.asked,
      waiting: waitingOf(run),
      queue: await queueOf(run, deps),
      failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' },
      migration: await detailOf(database, run),
    }
  },
})
