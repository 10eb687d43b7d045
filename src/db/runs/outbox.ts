import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** A run that has changed since it was last indexed. */
export type ChangedRun = Columns<'outbox', 'organisationId' | 'attempts'> & { runId: string; ids: string[] }

/**
 * Runs to index, longest waiting first, locked until the transaction ends; other indexers get other runs. Across
 * organisations: for indexers only.
 */
export async function takeChangedRuns(tx: InTransaction, limit: number): Promise<ChangedRun[]> {
  const { rows } = await sql<ChangedRun>`
    with taken as (
      select id, organisation_id, subject_id, attempts from outbox
      where kind = 'run' and dead_at is null and next_try_at <= now()
      order by next_try_at, id limit ${limit} for update skip locked)
    select organisation_id as "organisationId", subject_id as "runId", max(attempts) as attempts,
      array_agg(id::text) as ids
    from taken group by organisation_id, subject_id`.execute(tx)
  return rows
}

/**
 * Lets the transaction wait for a search store; otherwise the server would end it as if its process were frozen. No one
 * waits for an indexer, because others skip the rows it holds.
 */
export async function allowPauses(tx: InTransaction): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx)
}

/** Keeps a row that was added in the meantime. */
export async function removeFromOutbox(tx: InTransaction, { ids }: Pick<ChangedRun, 'ids'>): Promise<void> {
  await sql`delete from outbox where id = any(${ids}::bigint[])`.execute(tx)
}

/** @param waitSeconds until the next try; null to give up. */
export async function keepInOutbox(
  tx: InTransaction,
  { ids }: Pick<ChangedRun, 'ids'>,
  error: string,
  waitSeconds: number | null,
): Promise<void> {
  await sql`
    update outbox set attempts = attempts + 1, last_error = ${error},
      next_try_at = now() + ${waitSeconds ?? 0} * interval '1 second',
      dead_at = case when ${waitSeconds === null} then now() end
    where id = any(${ids}::bigint[])`.execute(tx)
}

/**
 * Queues every run with a snapshot for indexing, including those given up on. An indexer that holds a row may have read
 * that run from a store that no longer exists, so such a run gets another row. Across organisations.
 *
 * @param isThere whether the index has all runs but those in the outbox, and so answers for the others meanwhile
 */
export async function indexAllAgain(database: Database, isThere: boolean): Promise<void> {
  await sql`
    with free as (select id from outbox where kind = 'run' for update skip locked),
      again as (
        update outbox set attempts = 0, last_error = null, next_try_at = now(), dead_at = null,
          renewal = renewal and ${isThere}
        where id in (select id from free) returning organisation_id, subject_id)
    insert into outbox (kind, organisation_id, subject_id, revision, renewal)
    select 'run', organisation_id, run_id, revision, ${isThere} from snapshots snapshot
    where not exists (select from again where organisation_id = snapshot.organisation_id and subject_id = run_id)
    order by at desc`.execute(database)
}

/**
 * Runs that an indexer may take or is holding, and those that wait longer or were given up after a failure. A row that
 * was never tried is due even if its time is later than `now()`: its transaction may have begun after this one, and
 * ended before the rows are read. Across organisations.
 */
export async function countToIndex(database: Database): Promise<{ due: number; failed: number }> {
  const { rows } = await sql<{ due: number; failed: number }>`
    select (count(distinct subject_id) filter (where not failed))::integer as due,
      (count(distinct subject_id) filter (where failed))::integer as failed
    from (select subject_id, dead_at is not null or (attempts > 0 and next_try_at > now()) as failed
      from outbox where kind = 'run') waiting`.execute(database)
  return rows[0] ?? { due: 0, failed: 0 }
}

/** Changes that an indexer may take, counted up to a limit, and how long the first of them has waited. Across organisations. */
export async function readOutboxLag(database: Database): Promise<{ due: number; lagSeconds: number }> {
  const { rows } = await sql<{ due: number; lagSeconds: number }>`
    select count(*)::integer as due, coalesce(extract(epoch from now() - min(next_try_at)), 0)::real as "lagSeconds"
    from (select next_try_at from outbox where dead_at is null and next_try_at <= now()
      order by next_try_at, id limit 10000) first`.execute(database)
  return rows[0] ?? { due: 0, lagSeconds: 0 }
}

/** Runs waiting for an indexer, and those given up. Across organisations. */
export async function countOutbox(database: Database): Promise<{ waiting: number; dead: number }> {
  const { rows } = await sql<{ waiting: number; dead: number }>`
    select (count(distinct subject_id) filter (where dead_at is null))::integer as waiting,
      (select count(distinct subject_id) from outbox_dead_letters)::integer as dead
    from outbox where kind = 'run'`.execute(database)
  return rows[0] ?? { waiting: 0, dead: 0 }
}
