import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { mappingsBetween } from './mappings.ts'
import type { StorePair } from './store-pair.ts'

/** Keys of source items, whatever their outcome: an item with one of them is not destination-only (D4). */
export async function saveSourceKeys(
  tx: InTransaction,
  runId: string,
  component: string,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into source_keys (run_id, component, key)
    select ${runId}, ${component}, key from unnest(${keys}::text[]) as key on conflict do nothing`.execute(tx)
}

export type DestinationOnly = Columns<'destination_items', 'destinationId' | 'body'>

/**
 * Items listed at the destination that are no copy and share no key with the source, in the order of their ids. `except` sorts or
 * hashes whatever the planner expects; before the tables are analysed, joins would compare every item with every other one.
 * `offset 0` keeps the last look-up from becoming such a join.
 */
export async function destinationOnly(
  database: Database,
  pair: StorePair,
  requested: { runId: string; scope: string; component: string; after: string; limit: number },
): Promise<DestinationOnly[]> {
  const { runId, scope, component, after, limit } = requested
  const { rows } = await sql<DestinationOnly>`
    select unmatched.destination_id as "destinationId", item.body
    from (
      select destination_id from destination_items
      where run_id = ${runId} and component = ${component} and destination_id > ${after}
      except
      select destination_id from ${mappingsBetween(pair)} known where scope = ${scope} and component = ${component}
      except
      select unnest(array_agg(destination_id) filter (where destination_id is not null)) from (
        select key, destination_id from destination_keys where run_id = ${runId} and component = ${component}
        union all
        select key, null from source_keys where run_id = ${runId} and component = ${component}) keys
      group by key having bool_or(destination_id is null)
      order by destination_id limit ${limit}) unmatched
    cross join lateral (
      select body from destination_items d
      where d.run_id = ${runId} and d.component = ${component} and d.destination_id = unmatched.destination_id
      offset 0) item
    order by unmatched.destination_id`.execute(database)
  return rows
}

/** Of the given items those with a child that is not among them. */
export async function findAboveKept(
  database: Database,
  runId: string,
  component: string,
  ids: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct body ->> 'above' as id from destination_items
    where run_id = ${runId} and component = ${component}
      and body ->> 'above' = any(${ids}::text[]) and not destination_id = any(${ids}::text[])`.execute(database)
  return rows.map(({ id }) => id)
}

/** What decides whether a component may be pruned (D4). */
export type PruneConditions = Columns<'run_counters', 'discovered' | 'failed'> & {
  listed: number
  /** The source counted more items than it returned. */
  sourceShort: boolean
  /** One of its lists was refused and not read since. */
  listRefused: boolean
}

export async function pruneConditions(
  database: Database,
  run: { id: string; organisationId: string },
  component: string,
): Promise<PruneConditions> {
  const { rows } = await sql<PruneConditions>`
    select discovered, failed,
      (select count(*) from destination_items where run_id = ${run.id} and component = ${component})::integer as listed,
      exists (
        select 1 from issues
        where organisation_id = ${run.organisationId} and run_id = ${run.id} and component = ${component}
          and code = 'source_changed') as "sourceShort",
      exists (
        select 1 from issues
        where organisation_id = ${run.organisationId} and run_id = ${run.id} and component = ${component}
          and code = 'list_refused' and state = 'open') as "listRefused"
    from run_counters where run_id = ${run.id} and component = ${component}`.execute(database)
  return rows[0] ?? { listed: 0, discovered: 0, failed: 0, sourceShort: false, listRefused: false }
}

/** What a paused `replace` needs confirmed; another set needs a new answer. */
export async function requestPruneConfirmation(
  tx: InTransaction,
  runId: string,
  digest: string,
  items: number,
): Promise<void> {
  await sql`
    update runs set prune_digest = ${digest}, prune_items = ${items}, prune_answer = null where id = ${runId}`.execute(
    tx,
  )
}

export async function answerPrune(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  answer: 'confirmed' | 'declined',
): Promise<void> {
  await sql`
    update runs set prune_answer = ${answer}
    where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(tx)
}
