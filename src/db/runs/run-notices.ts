import type { EventKind } from '../../contract/event-kinds.ts'
import type { MigrationDetail } from '../../contract/migration.ts'
import type { InTransaction } from '../core/database.ts'
import { migrationFacts, recordEvent } from '../notifications/events.ts'
import { findRun } from './runs.ts'
import { readDetail } from './snapshots.ts'

interface ChangedRun {
  id: string
  organisationId: string
}

/** A run has ended. A comparison that found differences is complete, and still needs review. */
export async function recordEnd(
  tx: InTransaction,
  { id, organisationId }: ChangedRun,
  detail: MigrationDetail,
): Promise<void> {
  const { status, failuresOpen } = detail
  const needsReview = status === 'partial_completed' || (status === 'completed' && failuresOpen > 0)
  const kind = needsReview ? 'migration.needs_review' : 'migration.finished'
  await recordEvent(tx, { organisationId, kind, runId: id, data: migrationFacts(detail) })
}

/** A run in progress was paused. If a person requested that, there is nothing to report. */
export async function recordPause(tx: InTransaction, { id, organisationId }: ChangedRun): Promise<void> {
  const run = await findRun(tx, organisationId, id)
  if (!run) return
  const waitsForAnswer = run.pruneDigest !== null && run.pruneAnswer === null
  const kind: EventKind | undefined = waitsForAnswer
    ? 'migration.waiting_for_confirmation'
    : run.failureCode !== null
      ? 'migration.paused'
      : undefined
  if (!kind) return
  const detail = await readDetail(tx, organisationId, id)
  await recordEvent(tx, { organisationId, kind, runId: id, data: migrationFacts(detail) })
}
