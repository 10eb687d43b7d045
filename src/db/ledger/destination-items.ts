import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export interface ListedItem {
  destinationId: string
  keys: string[]
  /** What to compare with; null if only existence and keys were listed. */
  body: unknown
}

/** Remembers the destination's items until the run ends. */
export async function saveListed(
  tx: InTransaction,
  runId: string,
  component: string,
  items: ListedItem[],
): Promise<void> {
  if (items.length === 0) return
  // An item that moves while the page is being read appears on it twice.
  const json = JSON.stringify([...new Map(items.map((item) => [item.destinationId, item])).values()])
  await sql`
    insert into destination_items (run_id, component, destination_id, body)
    select ${runId}, ${component}, i."destinationId", i."body"
    from jsonb_to_recordset(${json}::jsonb) as i("destinationId" text, "body" jsonb)
    on conflict (run_id, component, destination_id) do update set body = excluded.body`.execute(tx)
  await sql`
    insert into destination_keys (run_id, component, key, destination_id)
    select ${runId}, ${component}, k.key, i."destinationId"
    from jsonb_to_recordset(${json}::jsonb) as i("destinationId" text, "keys" jsonb),
      jsonb_array_elements_text(i."keys") as k(key)
    on conflict do nothing`.execute(tx)
}

/** Forgets items that no longer exist. */
export async function dropListed(
  tx: InTransaction,
  runId: string,
  component: string,
  destinationIds: string[],
): Promise<void> {
  if (destinationIds.length === 0) return
  for (const table of ['destination_keys', 'destination_items'])
    await sql`
      delete from ${sql.table(table)}
      where run_id = ${runId} and component = ${component} and destination_id = any(${destinationIds})`.execute(tx)
}

/** Destination ids by key, for one page of source items. */
export async function lookUpKeys(
  database: Database,
  runId: string,
  component: string,
  keys: string[],
): Promise<Map<string, string[]>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<Columns<'destination_keys', 'key' | 'destinationId'>>`
    select key, destination_id as "destinationId" from destination_keys
    where run_id = ${runId} and component = ${component} and key = any(${keys})`.execute(database)
  const found = new Map<string, string[]>()
  for (const row of rows) found.set(row.key, [...(found.get(row.key) ?? []), row.destinationId])
  return found
}

/** All keys of the given destination items: a second identifier may contradict the one that matched (B6). */
export async function keysOf(
  database: Database,
  runId: string,
  component: string,
  destinationIds: string[],
): Promise<Map<string, string[]>> {
  if (destinationIds.length === 0) return new Map()
  const { rows } = await sql<Columns<'destination_keys', 'key' | 'destinationId'>>`
    select key, destination_id as "destinationId" from destination_keys
    where run_id = ${runId} and component = ${component} and destination_id = any(${destinationIds})`.execute(database)
  const keys = new Map<string, string[]>()
  for (const row of rows) keys.set(row.destinationId, [...(keys.get(row.destinationId) ?? []), row.key])
  return keys
}

/** Which of the ids exist at the destination, with what was stored for comparison. */
export async function listedItems(
  database: Database,
  runId: string,
  component: string,
  destinationIds: string[],
): Promise<Map<string, unknown>> {
  if (destinationIds.length === 0) return new Map()
  const { rows } = await sql<Columns<'destination_items', 'destinationId' | 'body'>>`
    select destination_id as "destinationId", body from destination_items
    where run_id = ${runId} and component = ${component} and destination_id = any(${destinationIds})`.execute(database)
  return new Map(rows.map((row) => [row.destinationId, row.body]))
}

export async function markSeen(
  tx: InTransaction,
  runId: string,
  component: string,
  destinationIds: string[],
): Promise<void> {
  if (destinationIds.length === 0) return
  await sql`
    update destination_items set seen = true
    where run_id = ${runId} and component = ${component} and destination_id = any(${destinationIds})`.execute(tx)
}

/**
 * Items paired with no source item, which verify reports as extra. `twins`: only those that share a key with a paired
 * one.
 */
export async function unseenItems(
  database: Database,
  runId: string,
  component: string,
  { after, limit, twins = false }: { after: string; limit: number; twins?: boolean },
): Promise<string[]> {
  const { rows } = await sql<Columns<'destination_items', 'destinationId'>>`
    select destination_id as "destinationId" from destination_items item
    where run_id = ${runId} and component = ${component} and not seen and destination_id > ${after}
      and (not ${twins}::boolean or exists (
        select from destination_keys own
        join destination_keys theirs using (run_id, component, key)
        join destination_items other on other.run_id = theirs.run_id and other.component = theirs.component
          and other.destination_id = theirs.destination_id and other.seen
        where own.run_id = item.run_id and own.component = item.component and own.destination_id = item.destination_id))
    order by destination_id limit ${limit}`.execute(database)
  return rows.map((row) => row.destinationId)
}

/**
 * Forgets the listed items, because others may write to the destination while a run is paused. A verify run keeps them
 * and what it has marked as seen.
 */
export async function forgetListed(tx: InTransaction, runId: string): Promise<void> {
  const { rows } = await sql`select 1 from runs where id = ${runId} and mode <> 'verify'`.execute(tx)
  if (rows.length === 0) return
  await sql`delete from checkpoints where run_id = ${runId} and pass like '%:destination'`.execute(tx)
  await sql`delete from destination_keys where run_id = ${runId}`.execute(tx)
  await sql`delete from scope_items where run_id = ${runId} and side = 'destination'`.execute(tx)
  await sql`delete from named_items where run_id = ${runId} and side = 'destination'`.execute(tx)
  await sql`delete from destination_items where run_id = ${runId}`.execute(tx)
}
