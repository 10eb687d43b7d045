import { sql } from 'kysely'
import type { QuotaShare } from '../../model/forecast/duration.ts'
import type { PriceBasis } from '../../model/forecast/forecast.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export async function saveBasis(tx: InTransaction, runId: string, basis: PriceBasis): Promise<void> {
  await sql`insert into plan_bases (run_id, basis) values (${runId}, ${JSON.stringify(basis)}::jsonb)`.execute(tx)
}

/** What the forecast of a dry run was computed from; undefined for other runs and without a forecast. */
export async function findPriceBasis(
  database: Database,
  organisationId: string,
  runId: string,
): Promise<PriceBasis | undefined> {
  const { rows } = await sql<Columns<'plan_bases', 'basis'>>`
    select basis from plan_bases join runs on runs.id = plan_bases.run_id
    where runs.organisation_id = ${organisationId} and runs.id = ${runId}`.execute(database)
  const basis = rows[0]?.basis
  return (
    basis && {
      ...basis,
      // Missing in older stored rows.
      opening: basis.opening ?? { source: 0, destination: 0 },
      quotas: { source: atRest(basis.quotas.source), destination: atRest(basis.quotas.destination) },
    }
  )
}

/** The plan is carried out later, in a quota window of its own. JSON has no Infinity. */
function atRest({ calls, windowSeconds }: QuotaShare): QuotaShare {
  return { calls: calls ?? Infinity, windowSeconds }
}
