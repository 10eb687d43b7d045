import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

interface RunName {
  id: string
  organisationId: string
}

export type SignOffRow = Columns<'sign_offs', 'id' | 'comparisonId' | 'signedBy' | 'note' | 'at'> & {
  isCurrent: boolean
}

/** Whether the run has not been resumed since the comparison. */
const isCurrent = sql`coalesce(comparison.created_at >= copied.finished_at, false) as "isCurrent"`

/** Sign-offs of a run, newest first. */
export async function listSignOffs(database: Database | InTransaction, run: RunName): Promise<SignOffRow[]> {
  const { rows } = await sql<SignOffRow>`
    select signed.id, signed.comparison_id as "comparisonId", signed.signed_by as "signedBy", signed.note, signed.at,
      ${isCurrent}
    from sign_offs signed
      join runs copied on copied.id = signed.run_id
      join runs comparison on comparison.id = signed.comparison_id
    where signed.organisation_id = ${run.organisationId} and signed.run_id = ${run.id}
    order by signed.id desc`.execute(database)
  return rows
}

/** Stores the person's name as it is now. */
export async function addSignOff(
  tx: InTransaction,
  run: RunName,
  signed: { comparisonId: string; userId: string; note: string | null; at: Date },
): Promise<void> {
  await sql`
    insert into sign_offs (organisation_id, run_id, comparison_id, signed_by, user_id, note, at)
    select ${run.organisationId}, ${run.id}, ${signed.comparisonId}, first_name || ' ' || last_name, id, ${signed.note}, ${signed.at}
    from users where id = ${signed.userId}`.execute(tx)
}

export type Comparison = Renamed<'runs', { requestId: 'id'; createdAt: 'createdAt' }> &
  Columns<'runs', 'status'> & { isCurrent: boolean }

/** The latest finished comparison of a run. */
export async function findComparison(
  database: Database | InTransaction,
  run: RunName,
): Promise<Comparison | undefined> {
  const { rows } = await sql<Comparison>`
    select comparison.id as "requestId", comparison.created_at as "createdAt", comparison.status,
      ${isCurrent}
    from runs comparison join runs copied on copied.id = comparison.verifies_run_id
    where comparison.organisation_id = ${run.organisationId} and comparison.verifies_run_id = ${run.id}
      and comparison.status in ('completed', 'partial_completed')
    order by comparison.created_at desc limit 1`.execute(database)
  return rows[0]
}
