import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'
import { mappingsBetween, type StorePair } from './mappings.ts'

/** Keys of source items, whatever became of them: nothing that carries one is destination-only (D4). */
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

export interface DestinationOnly {
  destinationId: string
  body: unknown
}

/** Listed at the destination, nobody's copy, and none of its keys met at the source; in order of their ids. */
export async function destinationOnly(
  database: Database,
  pair: StorePair,
  wanted: { runId: string; scope: string; component: string; after: string; limit: number },
): Promise<DestinationOnly[]> {
  const { runId, scope, component } = wanted
  const { rows } = await sql<DestinationOnly>`
    select d.destination_id as "destinationId", d.body from destination_items d
    where d.run_id = ${runId} and d.component = ${component} and d.destination_id > ${wanted.after}
      and not exists (
        select 1 from ${mappingsBetween(pair)} m
        where m.scope = ${scope} and m.component = ${component} and m.destination_id = d.destination_id)
      and not exists (
        select 1 from destination_keys k join source_keys s using (run_id, component, key)
        where k.run_id = ${runId} and k.component = ${component} and k.destination_id = d.destination_id)
    order by d.destination_id limit ${wanted.limit}`.execute(database)
  return rows
}

/** Of the given items those with something below them in the hierarchy that is not among them. */
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

/** What decides whether a component may be pruned at all (D4). */
export interface PruneConditions {
  listed: number
  discovered: number
  failed: number
  /** The source counted more than it gave. */
  sourceShort: boolean
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
          and code = 'source_changed') as "sourceShort"
    from run_counters where run_id = ${run.id} and component = ${component}`.execute(database)
  return rows[0] ?? { listed: 0, discovered: 0, failed: 0, sourceShort: false }
}

/** What a paused `replace` wants confirmed; another set is asked about again. */
export async function askToPrune(tx: InTransaction, runId: string, digest: string, items: number): Promise<void> {
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
