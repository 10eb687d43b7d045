import { sql } from 'kysely'
import type { Columns, OrNull } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'
import type { Tally } from './counters.ts'
import { closeEmptied } from './failed-items.ts'

export type LedgerState = Tables['ledger']['state']

export type LedgerRow = Columns<'ledger', 'component' | 'sourceId' | 'pass' | 'rootId' | 'state'>

/**
 * Plans items; an already planned one keeps its state. Usually none is, and then no list of the new ones is returned.
 *
 * @returns the new ones
 */
export async function planItems(tx: InTransaction, runId: string, rows: LedgerRow[]): Promise<LedgerRow[]> {
  if (rows.length === 0) return []
  const { rows: inserted } = await sql<{ only: string[] | null }>`
    with inserted as (
      insert into ledger (run_id, component, source_id, pass, root_id, state)
      select ${runId}, r."component", r."sourceId", r."pass", r."rootId", r."state"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
        "component" text, "sourceId" text, "pass" text, "rootId" text, "state" text)
      on conflict do nothing returning component || '/' || source_id as name)
    select case when count(*) < ${rows.length} then coalesce(json_agg(name), '[]') end as only from inserted`.execute(
    tx,
  )
  const only = inserted[0]?.only
  if (!only) return rows
  const fresh = new Set(only)
  return rows.filter(({ component, sourceId }) => fresh.has(`${component}/${sourceId}`))
}

/** An item in its final state, and whether it had failed before. */
export type Ended = Columns<'ledger', 'component' | 'sourceId' | 'state'> & { healed: boolean }

/**
 * Ends pending items, and failed ones that now exist, and returns them: only they may be counted. A failed item leaves
 * its issue, which is healed with its last item (F4); its ledger row is written again if it is gone.
 *
 * Each item is looked up by its key (`offset 0`): PostgreSQL expects next to no pending items, and would compare each of
 * them with each that ends, eight million times for a call of 2,000 stock levels. With `=` instead of `like` it would
 * prefer the index of pending items, which holds everything the run has begun.
 */
export async function endItems(
  tx: InTransaction,
  runId: string,
  ends: { component: string; sourceId: string; state: LedgerState }[],
): Promise<Ended[]> {
  if (ends.length === 0) return []
  const column = (of: 'component' | 'sourceId' | 'state') => ends.map((end) => end[of])
  const { rows } = await sql<Ended & OrNull<Columns<'failed_items', 'issueId'>>>`
    with ends as (
      select * from unnest(${column('component')}::text[], ${column('sourceId')}::text[], ${column('state')}::text[])
        as e("component", "sourceId", "state")),
    ended as (
      update ledger as l set state = e."state"
      from ends as e
      cross join lateral (
        select p.ctid as row_at from ledger p
        where p.run_id = ${runId} and p.component = e."component" and p.source_id = e."sourceId" and p.state like 'pending'
        offset 0) pending
      where l.ctid = pending.row_at
      returning l.component, l.source_id, l.state),
    healed as (
      delete from failed_items as f using ends as e
      where f.run_id = ${runId} and f.component = e."component" and f.source_id = e."sourceId" and e."state" <> 'failed'
      returning f.component, f.source_id, e."state" as state, f.issue_id),
    recorded as (
      insert into ledger (run_id, component, source_id, pass, root_id, state)
      select ${runId}, h.component, h.source_id, i.pass, i.root_id, h.state from healed h join issues i on i.id = h.issue_id
      on conflict (run_id, component, source_id) do update set state = excluded.state)
    select component, source_id as "sourceId", state, false as healed, null::uuid as "issueId" from ended
    union all select component, source_id, state, true, issue_id from healed`.execute(tx)
  await closeEmptied(
    tx,
    rows.flatMap(({ issueId }) => issueId ?? []),
  )
  return rows
}

/** Ends items and counts them in the same transaction (E3). @returns those that were counted. */
export async function endAndCount(
  tx: InTransaction,
  tally: Tally,
  runId: string,
  ends: { component: string; sourceId: string; state: LedgerState }[],
): Promise<Ended[]> {
  const ended = await endItems(tx, runId, ends)
  for (const { component, state, healed } of ended) {
    // An item that has ended is never pending.
    tally.add(component, state as 'created')
    if (healed) tally.add(component, 'failed', -1)
  }
  return ended
}

/** Marks items as updated that the run had left as they are. @returns how many there are */
export async function markUpdated(
  tx: InTransaction,
  runId: string,
  component: string,
  sourceIds: string[],
): Promise<number> {
  const { rows } = await sql`
    update ledger set state = 'updated'
    where run_id = ${runId} and component = ${component} and source_id = any(${sourceIds}) and state = 'skipped'
    returning source_id`.execute(tx)
  return rows.length
}

/** Records deleted destination-only items. @returns those not recorded before: only they may be counted. */
export async function recordPruned(
  tx: InTransaction,
  runId: string,
  { pass, rootId }: { pass: string; rootId: string },
  items: { component: string; destinationId: string }[],
): Promise<LedgerRow[]> {
  const rows = items.map(({ component, destinationId }) => {
    const row: LedgerRow = { component, sourceId: `there:${destinationId}`, pass, rootId, state: 'pruned' }
    return row
  })
  return planItems(tx, runId, rows)
}

/** Roots of a pass that have something pending, in order; `after` is the last one returned before. */
export async function pendingRoots(
  database: Database,
  runId: string,
  pass: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<Columns<'ledger', 'rootId'>>`
    select distinct root_id as "rootId" from ledger
    where run_id = ${runId} and pass = ${pass} and state = 'pending' and root_id > ${after}
    order by root_id limit ${limit}`.execute(database)
  return rows.map((row) => row.rootId)
}

/** States of all items of the given roots. */
export async function statesOf(
  database: Database,
  runId: string,
  pass: string,
  rootIds: string[],
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select component, source_id as "sourceId", pass, root_id as "rootId", state from ledger
    where run_id = ${runId} and pass = ${pass} and root_id = any(${rootIds})`.execute(database)
  return rows
}

/**
 * States of roots without children, read by primary key, because a search by root would read everything the run has
 * planned.
 */
export async function statesOfRoots(
  database: Database,
  runId: string,
  component: string,
  rootIds: string[],
): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select component, source_id as "sourceId", pass, root_id as "rootId", state from ledger
    where run_id = ${runId} and component = ${component} and source_id = any(${rootIds})`.execute(database)
  return rows
}

/** Which of the items this run was to write; those that are skipped were left as they are. */
export async function triedAmong(
  database: Database,
  runId: string,
  component: string,
  sourceIds: string[],
): Promise<Set<string>> {
  if (sourceIds.length === 0) return new Set()
  const { rows } = await sql<Columns<'ledger', 'sourceId'>>`
    select source_id as "sourceId" from ledger
    where run_id = ${runId} and component = ${component} and source_id = any(${sourceIds})
      and state <> 'skipped'`.execute(database)
  return new Set(rows.map((row) => row.sourceId))
}

/** Matched and skipped items get no row each (E3). */
export async function recordPage(
  tx: InTransaction,
  runId: string,
  page: { number: number; firstId: string; lastId: string },
  counts: Map<string, { matched: number; skipped: number }>,
): Promise<void> {
  const rows = [...counts].map(([component, count]) => ({ component, ...count }))
  if (rows.length === 0) return
  await sql`
    insert into ledger_pages (run_id, component, page, first_id, last_id, matched, skipped)
    select ${runId}, r.component, ${page.number}, ${page.firstId}, ${page.lastId}, r.matched, r.skipped
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(component text, matched integer, skipped integer)`.execute(
    tx,
  )
}

/** Cancels discovered items without a final state, in the ledger and in the counters. */
export async function cancelPending(tx: InTransaction, runId: string): Promise<void> {
  await sql`update ledger set state = 'cancelled' where run_id = ${runId} and state = 'pending'`.execute(tx)
  await sql`
    update run_counters set cancelled = cancelled
      + greatest(0, discovered - (created + updated + matched + skipped + failed + cancelled))
    where run_id = ${runId}`.execute(tx)
}

type LedgerCount = Columns<'ledger', 'component' | 'state'> & { count: number }

/** Counts computed from the ledger, which the counter rows must equal at the end of a run (E3). */
export async function foldLedger(database: Database | InTransaction, runId: string): Promise<LedgerCount[]> {
  const { rows } = await sql<LedgerCount>`
    select component, state, sum(count)::integer as count from (
      select component, state, count(*) as count from ledger where run_id = ${runId} group by 1, 2
      union all select component, 'matched', sum(matched) from ledger_pages where run_id = ${runId} group by 1
      union all select component, 'skipped', sum(skipped) from ledger_pages where run_id = ${runId} group by 1
    ) as folded group by 1, 2 order by 1, 2`.execute(database)
  return rows
}
