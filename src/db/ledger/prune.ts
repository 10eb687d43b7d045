import { type RawBuilder, sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { type MappingSet, mappingsIn, setId } from './mappings.ts'
import { copiesFrom, otherSources } from './other-sources.ts'
import { allStorefronts, type StorePair, storefrontsOf } from './store-pair.ts'

export interface SourceItem {
  id: string
  keys: string[]
}

/**
 * Saves source items, whatever their outcome: a destination item that shares the id or a key of one of them has a
 * source (D4, G3).
 */
export async function saveSourceKeys(
  tx: InTransaction,
  runId: string,
  component: string,
  items: SourceItem[],
): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into source_ids (run_id, component, source_id)
    select ${runId}, ${component}, id from unnest(${items.map(({ id }) => id)}::text[]) as id on conflict do nothing`.execute(
    tx,
  )
  await sql`
    insert into source_keys (run_id, component, key)
    select ${runId}, ${component}, key from unnest(${items.flatMap(({ keys }) => keys)}::text[]) as key
    on conflict do nothing`.execute(tx)
}

/** Which of the ids lists of the source have shown. */
export async function listedInSource(
  database: Database,
  runId: string,
  component: string,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select source_id as id from source_ids
    where run_id = ${runId} and component = ${component} and source_id = any(${ids})`.execute(database)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Finds the destination items that no source item of the run maps to or shares a key with, and that are not copies from
 * another store of the organisation or from another storefront of the source. It is one statement whose result is read
 * in pages later, so that the time grows with the number of items and not with its square. `except` sorts or hashes whatever the planner expects; joins would
 * compare every pair of items until the tables are analysed. `offset 0` keeps the look-up from becoming such a join.
 */
export async function findCandidates(
  database: Database,
  pair: StorePair,
  { runId, scope, component }: { runId: string; scope: string; component: string },
): Promise<void> {
  const others = await otherSources(database, pair)
  await sql`delete from prune_candidates where run_id = ${runId} and component = ${component}`.execute(database)
  await sql`
    insert into prune_candidates (run_id, component, destination_id, source_id)
    select ${runId}, ${component}, unmatched.destination_id, known.source_id
    from (
      select destination_id from destination_items where run_id = ${runId} and component = ${component}
      except
      select unnest(array_agg(destination_id) filter (where destination_id is not null)) from (
        select source_id, destination_id from ${mappingsIn(pair, { scope, component })} known
        union all
        select source_id, null from source_ids where run_id = ${runId} and component = ${component}) copies
      group by source_id having bool_or(destination_id is null)
      except
      select destination_id from ${copiesFrom(others, pair, { scope, component })}
      ${scope === 'store' ? sql`` : sql`except ${ofOtherStorefronts(pair, { scope, component })}`}
      except
      select unnest(array_agg(destination_id) filter (where destination_id is not null)) from (
        select key, destination_id from destination_keys where run_id = ${runId} and component = ${component}
        union all
        select key, null from source_keys where run_id = ${runId} and component = ${component}) keys
      group by key having bool_or(destination_id is null)) unmatched
    left join lateral (
      select source_id from ${mappingsIn(pair, { scope, component })} m
      where m.destination_id = unmatched.destination_id
      order by source_id limit 1 offset 0) known on true
    on conflict do nothing`.execute(database)
}

/**
 * Copies that belong to runs between other storefronts: to the one of this run, or in a run over the whole store to one
 * that is not the counterpart of their own. A run between storefronts that are no counterparts leaves what the whole
 * store has copied.
 */
function ofOtherStorefronts(pair: StorePair, { scope, component }: MappingSet, narrowed = sql``): RawBuilder<unknown> {
  const { organisationId, sourceStoreId, destinationStoreId } = pair
  const { source, destination } = storefrontsOf(scope)
  const areCounterparts = (from: unknown, to: unknown) => sql`
    exists (
      select from ${mappingsIn(pair, { scope: allStorefronts, component: 'channels' })} known
      where source_id = ${from} and destination_id = ${to} offset 0)`
  const isOfOthers =
    destination === null
      ? sql`scope like 'storefront:%' and not ${areCounterparts(sql`split_part(substr(s.scope, 12), '>', 1)`, sql`split_part(s.scope, '>', 2)`)}`
      : sql`(scope like ${`storefront:%>${destination}`} or (scope = ${allStorefronts} and not ${areCounterparts(source, destination)}))`
  return sql`
      select copy.destination_id from mapping_sets s
      cross join lateral (select destination_id from mappings where set_id = s.id ${narrowed} offset 0) copy
      where organisation_id = ${organisationId} and source_store_id = ${sourceStoreId}
        and destination_store_id = ${destinationStoreId} and component = ${component} and scope <> ${scope} and ${isOfOthers}`
}

/** Which of the destination items are such copies. */
export async function copiesOfOtherStorefronts(
  database: Database,
  pair: StorePair,
  set: MappingSet,
  destinationIds: string[],
): Promise<Set<string>> {
  if (set.scope === 'store' || destinationIds.length === 0) return new Set()
  const { rows } = await sql<Columns<'mappings', 'destinationId'>>`
    select destination_id as "destinationId"
    from (${ofOtherStorefronts(pair, set, sql`and destination_id = any(${destinationIds})`)}) others`.execute(database)
  return new Set(rows.map(({ destinationId }) => destinationId))
}

export type WithoutSource = Columns<'prune_candidates', 'destinationId' | 'sourceId'> &
  Columns<'destination_items', 'body'>

/**
 * Adds the copies whose source items no list has shown, even if others have their keys now: the source may have given
 * the name of a deleted item to one that has a copy of its own.
 */
export async function findCopiesWithoutSource(
  database: Database,
  pair: StorePair,
  { runId, scope, component }: { runId: string; scope: string; component: string },
): Promise<void> {
  await sql`
    insert into prune_candidates (run_id, component, destination_id, source_id)
    select ${runId}, ${component}, copy.destination_id, copy.source_id from ${mappingsIn(pair, { scope, component })} copy
    where not exists (
        select from source_ids s where s.run_id = ${runId} and s.component = ${component} and s.source_id = copy.source_id)
      and exists (
        select from destination_items d
        where d.run_id = ${runId} and d.component = ${component} and d.destination_id = copy.destination_id)
    on conflict do nothing`.execute(database)
}

/** The refusals of updates of copies that are open failures of the run. */
export async function refusedCopies(
  database: Database,
  pair: StorePair,
  runId: string,
  { scope, component }: { scope: string; component: string },
): Promise<Columns<'issues', 'platform'>[]> {
  const { rows } = await sql<Columns<'issues', 'platform'>>`
    select i.platform from issues i
    where i.organisation_id = ${pair.organisationId} and i.run_id = ${runId} and i.component = ${component}
      and i.code in ('platform_refused', 'natural_key_collision') and i.severity = 'failure' and i.state = 'open'
      and exists (
        select from mappings m
        where m.set_id = ${setId(pair, { scope, component })} and m.source_id = i.source_id)`.execute(database)
  return rows
}

/** Items found to have no source, ordered by id. */
export async function candidatesAfter(
  database: Database,
  requested: { runId: string; component: string; after: string; limit: number },
): Promise<WithoutSource[]> {
  const { runId, component, after, limit } = requested
  const { rows } = await sql<WithoutSource>`
    select c.destination_id as "destinationId", c.source_id as "sourceId", item.body
    from (
      select destination_id, source_id from prune_candidates
      where run_id = ${runId} and component = ${component} and destination_id > ${after}
      order by destination_id limit ${limit}) c
    cross join lateral (
      select body from destination_items d
      where d.run_id = ${runId} and d.component = ${component} and d.destination_id = c.destination_id
      offset 0) item
    order by c.destination_id`.execute(database)
  return rows
}

/** What decides whether a component may be pruned (D4). */
export type PruneConditions = Columns<'run_counters', 'discovered' | 'failed'> & {
  /** The source counted more items than it returned. */
  sourceShort: boolean
  /** One of its lists was refused and has not been read since. */
  listRefused: boolean
}

export async function pruneConditions(
  database: Database,
  run: { id: string; organisationId: string },
  component: string,
): Promise<PruneConditions> {
  const { rows } = await sql<PruneConditions>`
    select discovered, failed,
      exists (
        select 1 from issues
        where organisation_id = ${run.organisationId} and run_id = ${run.id} and component = ${component}
          and code = 'source_changed') as "sourceShort",
      exists (
        select 1 from issues
        where organisation_id = ${run.organisationId} and run_id = ${run.id} and component = ${component}
          and code = 'list_refused' and state = 'open') as "listRefused"
    from run_counters where run_id = ${run.id} and component = ${component}`.execute(database)
  return rows[0] ?? { discovered: 0, failed: 0, sourceShort: false, listRefused: false }
}

/** What a paused `replace` needs confirmed; another set of items needs a new answer. */
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
