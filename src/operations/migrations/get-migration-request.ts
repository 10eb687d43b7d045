import { runSettings } from '../../contract/create-migration.ts'
import { type MigrationRequest, migrationRequest, oneMigrationInput } from '../../contract/migration-request.ts'
import type { Database } from '../../db/core/database.ts'
import { findUserName } from '../../db/reports/run-history.ts'
import { findComparison } from '../../db/reports/sign-offs.ts'
import { findRun, type RunRow } from '../../db/runs/runs.ts'
import { requestOf } from '../../db/runs/snapshots.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { allowedNow } from '../shared/runs/control-run.ts'
import { queueOf } from '../shared/runs/queue.ts'
import { waitingOf } from '../shared/runs/waiting-of.ts'

export const getMigrationRequest = defineOperation({
  name: 'get-migration-request',
  summary: 'The request of a migration, who made it, and the controls allowed now.',
  input: oneMigrationInput,
  output: migrationRequest,
  async run({ id }, { organisationId }, deps) {
    const { database } = deps
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const name = run.createdBy === null ? undefined : await findUserName(database, run.createdBy)
    const record = await requestOf(database, run)
    const comparison = await comparisonOf(database, run)
    return answer(run, record, { creator: name, comparison, queue: await queueOf(run, deps) })
  },
})

/** The record leaves out what may change later: the label, a person's name, a later comparison, the queue, and the controls allowed now. */
function answer(
  run: RunRow,
  { settings, plan, ...record }: RequestRecord,
  { creator, ...now }: Pick<MigrationRequest, 'comparison' | 'queue'> & { creator: string | undefined },
): MigrationRequest {
  return {
    requestId: run.id,
    label: run.label,
    createdBy: run.createdBy !== null && creator !== undefined ? { id: run.createdBy, name: creator } : null,
    settings: runSettings.parse(settings),
    scope: record.scope,
    asked: run.asked,
    allowedControls: allowedNow(run),
    verifies: record.verifies,
    prune: pruneOf(run),
    waiting: waitingOf(run),
    fallbackReason: record.fallbackReason,
    failure: record.failure,
    plan,
    ...now,
  }
}

async function comparisonOf(database: Database, run: RunRow): Promise<MigrationRequest['comparison']> {
  const found = run.mode === 'full' ? await findComparison(database, run) : undefined
  return found ? { ...found, createdAt: found.createdAt.toISOString() } : null
}

function pruneOf(run: RunRow): MigrationRequest['prune'] {
  const { status, pruneDigest, pruneItems, pruneAnswer } = run
  const waits = status === 'paused' && pruneDigest !== null && pruneAnswer === null
  return waits ? { confirmPrune: pruneDigest, items: pruneItems ?? 0 } : null
}
