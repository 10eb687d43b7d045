import { type RawBuilder, sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** Days after the end of a run; undefined: never. */
interface Retention {
  personal: number
  originals: number | undefined
  findings: number | undefined
}

type Forgotten = 'personal_forgotten_at' | 'originals_forgotten_at' | 'findings_forgotten_at'
type EndedRun = Columns<'runs', 'id' | 'organisationId'>

/**
 * Deletes the before-images of one run that ended long enough ago: those of personal and secret data with the key they
 * are encrypted with (S9), and all others if they have a time as well. Across organisations: for hosts only.
 */
export async function forgetOriginals(database: Database, { personal, originals }: Retention): Promise<void> {
  await forgetOfOne(database, 'personal_forgotten_at', { days: personal, status: ended }, async (tx, { id }) => {
    await sql`delete from before_images where run_id = ${id} and body_sealed is not null`.execute(tx)
    await sql`update runs set before_image_salt = default where id = ${id}`.execute(tx)
  })
  if (originals === undefined) return
  await forgetOfOne(database, 'originals_forgotten_at', { days: originals, status: ended }, async (tx, { id }) => {
    await sql`delete from before_images where run_id = ${id}`.execute(tx)
  })
}

/**
 * Deletes the issues and differences of one run that ended long enough ago and cannot go on; its snapshot has their
 * numbers. Across organisations: for hosts only.
 */
export async function forgetFindings(database: Database, { findings }: Retention): Promise<void> {
  if (findings === undefined) return
  await forgetOfOne(database, 'findings_forgotten_at', { days: findings, status: atRest }, async (tx, run) => {
    for (const table of ['issues', 'differences'] as const)
      await sql`delete from ${sql.table(table)} where run_id = ${run.id}`.execute(tx)
    // They leave the search index as well.
    await sql`
      insert into outbox (kind, organisation_id, subject_id, revision)
      select 'run', organisation_id, run_id, revision from snapshots where run_id = ${run.id}`.execute(tx)
  })
}

const ended = sql`run.status in ('completed', 'partial_completed', 'failed', 'cancelled')`
/** Healing needs the issues of a run that can go on. */
const atRest = sql`run.status in ('completed', 'failed', 'cancelled')`

async function forgetOfOne(
  database: Database,
  column: Forgotten,
  { days, status }: { days: number; status: RawBuilder<unknown> },
  forget: (tx: InTransaction, run: EndedRun) => Promise<void>,
): Promise<void> {
  const at = sql.ref(column)
  await database.transaction().execute(async (tx) => {
    const { rows } = await sql<EndedRun>`
      select id, organisation_id as "organisationId" from runs run
      where (${at} is null or ${at} < finished_at) and ${status} and finished_at < now() - ${days} * interval '1 day'
      order by finished_at limit 1 for update skip locked`.execute(tx)
    const [run] = rows
    if (!run) return
    await forget(tx, run)
    await sql`update runs set ${at} = now() where id = ${run.id}`.execute(tx)
  })
}
