import { sql } from 'kysely'
import type { MigrationDetail } from '../../contract/migration.ts'
import { migrationDetail } from '../../model/migration-detail.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { countOpenFailures, findPace, findRun, listCounts, type RunRow, raisePercent } from './runs.ts'

/** A run as its rows say. Remembers the percentage it returns, so that no reader sees it go back. */
export async function readDetail(database: Database, run: RunRow): Promise<MigrationDetail> {
  // One after the other: inside a transaction they share a connection.
  const counts = await listCounts(database, [run.id])
  const pace = await findPace(database, run.id)
  const failures = await countOpenFailures(database, [run.id])
  const detail = migrationDetail({
    run,
    counts: counts.get(run.id) ?? [],
    pace,
    failuresOpen: failures.get(run.id) ?? 0,
  })
  const { percent } = detail.progress
  if (percent < 100 && percent > pace.percentReached) await raisePercent(database, run.id, percent)
  return detail
}

/**
 * Writes the snapshot of a finished run and its outbox row. Call it in the transaction that changes the status, after the last
 * change, so that no reader finds one without the other (F3).
 */
export async function writeSnapshot(
  tx: InTransaction,
  organisationId: string,
  runId: string,
): Promise<MigrationDetail> {
  const revised = await sql<Columns<'runs', 'revision'>>`
    update runs set revision = revision + 1
    where organisation_id = ${organisationId} and id = ${runId} returning revision`.execute(tx)
  const revision = revised.rows[0]?.revision
  const run = await findRun(tx, organisationId, runId)
  if (revision === undefined || !run) throw new Error(`Run ${runId} has no row to make a snapshot of.`)
  const detail = await readDetail(tx, run)
  await saveSnapshot(tx, { organisationId, runId, revision, detail })
  return detail
}

/** A lower revision never replaces a higher one (F3). */
export async function saveSnapshot(
  tx: InTransaction,
  snapshot: { organisationId: string; runId: string; revision: number; detail: MigrationDetail },
): Promise<void> {
  const { organisationId, runId, revision } = snapshot
  await sql`
    insert into snapshots (run_id, organisation_id, revision, document)
    values (${runId}, ${organisationId}, ${revision}, ${JSON.stringify(snapshot.detail)}::jsonb)
    on conflict (run_id) do update set revision = excluded.revision, document = excluded.document, at = now()
    where snapshots.revision < excluded.revision`.execute(tx)
  await sql`
    insert into outbox (kind, organisation_id, subject_id, revision)
    values ('run', ${organisationId}, ${runId}, ${revision})`.execute(tx)
}

export async function findSnapshot(
  database: Database,
  organisationId: string,
  runId: string,
): Promise<MigrationDetail | undefined> {
  const found = await sql<Columns<'snapshots', 'document'>>`
    select document from snapshots where organisation_id = ${organisationId} and run_id = ${runId}`.execute(database)
  return found.rows[0]?.document
}
