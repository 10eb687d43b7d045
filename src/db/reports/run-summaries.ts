import { sql } from 'kysely'
import type { Columns, OrNull } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

type StatusCount = Columns<'runs', 'status'> & { runs: number; openFailures: number }

/**
 * How many runs of the organisation have each status, and how many open failures they have; for ended runs, as in their
 * snapshots.
 */
export async function countByStatus(
  database: Database,
  organisationId: string,
  since: string | null,
): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select status, count(*)::integer as runs, coalesce(sum(open), 0)::integer as "openFailures"
    from (
      select status, case when status in ('queued', 'in_progress', 'paused') or findings is null
        then (select count(*) from issues where run_id = runs.id and severity = 'failure' and state = 'open')
        else (select sum((one ->> 'count')::integer) from json_array_elements(findings -> 'issues') one
          where one ->> 'severity' = 'failure' and one ->> 'state' = 'open') end as open
      from runs left join snapshots on snapshots.run_id = runs.id
      where runs.organisation_id = ${organisationId}
        and (${since}::timestamptz is null or created_at >= ${since}::timestamptz)) counted
    group by status order by status`.execute(database)
  return rows
}

/** The people who created runs of the organisation, also those who have left it. */
export async function listCreators(
  database: Database,
  organisationId: string,
): Promise<{ id: string; name: string; email: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string; email: string | null }>`
    select id, name, case when count(*) over (partition by name) > 1 then email end as email
    from (select id, first_name || ' ' || last_name as name, email from users
      where id in (select created_by from runs where organisation_id = ${organisationId})) person
    order by name, email`.execute(database)
  return rows
}

/** The latest run of each pair of stores, newest first. */
export async function latestByPair(
  database: Database,
  organisationId: string,
  { since, limit }: { since: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Columns<'runs', 'id'>>`
    select id from (
      select distinct on (source_store_id, destination_store_id) id, created_at from runs
      where organisation_id = ${organisationId} and (${since}::timestamptz is null or created_at >= ${since}::timestamptz)
      order by source_store_id, destination_store_id, created_at desc) latest
    order by created_at desc limit ${limit}`.execute(database)
  return rows.map(({ id }) => id)
}

/** Unfinished runs, oldest first. */
export async function activeRuns(database: Database, organisationId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<Columns<'runs', 'id'>>`
    select id from runs where organisation_id = ${organisationId} and status in ('queued', 'in_progress', 'paused')
    order by created_at limit ${limit}`.execute(database)
  return rows.map(({ id }) => id)
}

export type UsedStore = Columns<'stores', 'id' | 'hash' | 'label' | 'platform' | 'connectedAt'> & {
  runsAsSource: number
  runsAsDestination: number
  lastRunAt: Date | null
}

/** The connected stores of an organisation, and how often each was used. */
export async function listUsedStores(database: Database, organisationId: string): Promise<UsedStore[]> {
  const { rows } = await sql<UsedStore>`
    /* kept: used-stores */ select store.id, store.hash, store.label, store.platform, store.connected_at as "connectedAt",
      coalesce(used.as_source, 0) as "runsAsSource", coalesce(used.as_destination, 0) as "runsAsDestination",
      used.last_at as "lastRunAt"
    from stores store left join (
      select store_id, (count(*) filter (where side = 'source'))::integer as as_source,
        (count(*) filter (where side = 'destination'))::integer as as_destination, max(created_at) as last_at
      from runs, lateral (values (source_store_id, 'source'), (destination_store_id, 'destination')) as side_of (store_id, side)
      where organisation_id = ${organisationId} group by store_id) used on used.store_id = store.id
    where store.organisation_id = ${organisationId} and store.disconnected_at is null
    order by store.label, store.hash`.execute(database)
  return rows
}

export interface SizeSeen {
  at: string
  products: number
  variants: number
  brands: number
  categories: number
}

/** How large a store was when last counted for a forecast; undefined if it never was. */
export async function lastSizeSeen(
  database: Database,
  organisationId: string,
  storeId: string,
): Promise<SizeSeen | undefined> {
  const { rows } = await sql<SizeSeen>`
    select forecast ->> 'at' as at, (forecast ->> 'products')::integer as products,
      (forecast ->> 'variants')::integer as variants, (forecast ->> 'brands')::integer as brands,
      (forecast ->> 'categories')::integer as categories
    from runs where organisation_id = ${organisationId} and source_store_id = ${storeId}
      and forecast ->> 'basis' = 'forecast'
    order by created_at desc limit 1`.execute(database)
  return rows[0]
}

export type RunEvent = OrNull<Columns<'run_phase_times', 'phase'> & Columns<'restarts', 'reason'>> & {
  at: Date
  event: string
  /** The name of the person. */
  by: string | null
}

/** The first `limit` events of a run, in order. */
export async function listRunEvents(
  database: Database,
  run: { organisationId: string; id: string },
  limit: number,
): Promise<RunEvent[]> {
  const { rows } = await sql<RunEvent>`
    select at, event, phase, reason, person.first_name || ' ' || person.last_name as by from (
      select created_at as at, 'created' as event, null as phase, null as reason, created_by as person_id, 0 as rank
        from runs where id = ${run.id}
      union all select started_at, 'started', null, null, null, 1 from runs where id = ${run.id} and started_at is not null
      union all select started_at, 'phase_started', phase, null, null, 2 from run_phase_times
        where run_id = ${run.id} and started_at is not null
      union all select finished_at, 'phase_finished', phase, null, null, 3 from run_phase_times
        where run_id = ${run.id} and finished_at is not null
      union all select at, 'taken_over', null, reason, null, 4 from restarts where run_id = ${run.id}
      union all select at, replace(action, 'migration.', 'asked_to_'), null, null, actor_user_id, 5 from audit
        where organisation_id = ${run.organisationId} and details ->> 'runId' = ${run.id}
          and starts_with(action, 'migration.') and action <> 'migration.create'
      union all select finished_at, 'ended_' || status, null, failure_code, null, 6 from runs
        where id = ${run.id} and finished_at is not null) happened
      left join users person on person.id = person_id
    order by at, rank limit ${limit}`.execute(database)
  return rows
}

export type PhaseTime = Columns<'run_phase_times', 'phase' | 'predictedSeconds' | 'workedSeconds'> & {
  finished: boolean
}

export async function listPhaseTimes(database: Database, runId: string): Promise<PhaseTime[]> {
  const { rows } = await sql<PhaseTime>`
    select phase, predicted_seconds as "predictedSeconds", worked_seconds as "workedSeconds",
      finished_at is not null as finished
    from run_phase_times where run_id = ${runId}`.execute(database)
  return rows
}

export type CallsMade = Columns<'run_calls', 'side' | 'class' | 'predicted' | 'calls'>

export async function listCallsMade(database: Database, runId: string): Promise<CallsMade[]> {
  const { rows } = await sql<CallsMade>`
    select side, class, predicted, calls from run_calls where run_id = ${runId} order by side, class`.execute(database)
  return rows
}
