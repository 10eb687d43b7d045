import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'
import { mappingsIn } from '../ledger/mappings.ts'
import type { StorePair } from '../ledger/store-pair.ts'

export type Side = Tables['scope_items']['side']

/** Why a source item is part of a selection. */
export type Reason = Exclude<Tables['scope_items']['why'], 'met'>

export interface ScopeItem {
  component: string
  id: string
  why: Reason
}

/** Saves the scope of a run over picked items, as shown at its creation (C4). */
export async function saveScope(tx: InTransaction, runId: string, items: ScopeItem[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into scope_items (run_id, side, component, item_id, why)
    select ${runId}, 'source', i.component, i.id, i.why
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i(component text, id text, why text)`.execute(tx)
}

/** Copies the scope of the run that a verify run refers to. */
export async function copyScope(tx: InTransaction, from: string, to: string): Promise<void> {
  await sql`
    insert into scope_items (run_id, side, component, item_id, why)
    select ${to}, side, component, item_id, why from scope_items
    where run_id = ${from} and why in ('picked', 'needed')`.execute(tx)
}

/** Remembers items found to be in scope: those of the one storefront, and children of picked items. */
export async function markItemsInScope(
  tx: InTransaction,
  runId: string,
  side: Side,
  items: { component: string; id: string }[],
): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into scope_items (run_id, side, component, item_id, why)
    select ${runId}, ${side}, i.component, i.id, 'met'
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i(component text, id text)
    on conflict do nothing`.execute(tx)
}

/** Picked and needed ids of a component, by size; `after` is the last one returned before. */
export async function scopedIds(
  database: Database,
  runId: string,
  requested: { component: string; reasons: readonly Reason[]; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Renamed<'scope_items', { id: 'itemId' }>>`
    select item_id as id from scope_items
    where run_id = ${runId} and side = 'source' and component = ${requested.component} and why = any(${requested.reasons})
      and (length(item_id), item_id) > (length(${requested.after}::text), ${requested.after}::text)
    order by length(item_id), item_id limit ${requested.limit}`.execute(database)
  return rows.map((row) => row.id)
}

/** Which of the source ids are in scope, and why. */
export async function inScopeAtSource(
  database: Database,
  runId: string,
  component: string,
  ids: string[],
): Promise<Map<string, Reason | 'met'>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Renamed<'scope_items', { id: 'itemId' }> & Columns<'scope_items', 'why'>>`
    select item_id as id, why from scope_items
    where run_id = ${runId} and side = 'source' and component = ${component} and item_id = any(${ids})`.execute(
    database,
  )
  return new Map(rows.map((row) => [row.id, row.why]))
}

/**
 * Which of the destination ids are in scope: found there, or copies of a source item in scope. `offset 0` looks up each
 * one, because a join would read the whole scope.
 */
export async function inScopeAtDestination(
  database: Database,
  pair: StorePair,
  requested: { runId: string; scope: string; component: string; ids: string[]; neededToo: boolean },
): Promise<Set<string>> {
  const { runId, scope, component, ids, neededToo } = requested
  if (ids.length === 0) return new Set()
  const { rows } = await sql<Renamed<'scope_items', { id: 'itemId' }>>`
    select item_id as id from scope_items
    where run_id = ${runId} and side = 'destination' and component = ${component} and item_id = any(${ids})
    union
    select m.destination_id from ${mappingsIn(pair, { scope, component })} m
    where m.destination_id = any(${ids}) and exists (
        select from scope_items s where s.run_id = ${runId} and s.side = 'source' and s.component = m.component
          and s.item_id = m.source_id and (s.why <> 'needed' or ${neededToo}) offset 0)`.execute(database)
  return new Set(rows.map((row) => row.id))
}

/** How many items of each component a selection includes. */
export async function countScope(database: Database, runId: string): Promise<Record<string, number>> {
  const { rows } = await sql<Columns<'scope_items', 'component'> & { items: number }>`
    select component, count(*)::integer as items from scope_items
    where run_id = ${runId} and why in ('picked', 'needed') group by component`.execute(database)
  return Object.fromEntries(rows.map(({ component, items }) => [component, items]))
}

export type ScopeSummary = Columns<'scope_items', 'component'> & {
  picked: number
  needed: number
  /** The first ids, by size. */
  ids: string[]
}

export async function summariseScope(database: Database, runId: string, atMost: number): Promise<ScopeSummary[]> {
  const { rows } = await sql<ScopeSummary>`
    select component, (count(*) filter (where why = 'picked'))::integer as picked,
      (count(*) filter (where why = 'needed'))::integer as needed,
      (array_agg(item_id order by length(item_id), item_id))[1:${sql.lit(atMost)}] as ids
    from scope_items where run_id = ${runId} and why in ('picked', 'needed') group by component order by component collate "C"`.execute(
    database,
  )
  return rows
}
