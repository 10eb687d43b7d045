import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

export type LedgerState = 'pending' | 'created' | 'updated' | 'matched' | 'skipped' | 'failed' | 'cancelled'

export interface LedgerRow {
  component: string
  sourceId: string
  pass: string
  /** The item of the pass this one belongs to. */
  rootId: string
  state: LedgerState
}

/** Plans items; one that is planned already keeps its state. Returns how many rows were new, by component. */
export async function planItems(tx: InTransaction, runId: string, rows: LedgerRow[]): Promise<LedgerRow[]> {
  if (rows.length === 0) return []
  const { rows: inserted } = await sql<{ component: string; source_id: string }>`
    insert into ledger (run_id, component, source_id, pass, root_id, state)
    select ${runId}, r."component", r."sourceId", r."pass", r."rootId", r."state"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      "component" text, "sourceId" text, "pass" text, "rootId" text, "state" text)
    on conflict do nothing returning component, source_id`.execute(tx)
  const fresh = new Set(inserted.map((row) => `${row.component}\n${row.source_id}`))
  return rows.filter((row) => fresh.has(`${row.component}\n${row.sourceId}`))
}

/** Ends pending items. Returns those that were pending until now: the only ones that may be counted. */
export async function endItems(
  tx: InTransaction,
  runId: string,
  ends: { component: string; sourceId: string; state: LedgerState }[],
): Promise<{ component: string; state: LedgerState }[]> {
  if (ends.length === 0) return []
  const { rows } = await sql<{ component: string; state: LedgerState }>`
    update ledger as l set state = e."state"
    from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as e("component" text, "sourceId" text, "state" text)
    where l.run_id = ${runId} and l.component = e."component" and l.source_id = e."sourceId" and l.state = 'pending'
    returning l.component, l.state`.execute(tx)
  return rows
}

/** Roots of a pass that have something pending, in order; `after` is the last one seen. */
export async function pendingRoots(
  database: Database,
  runId: string,
  pass: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ root_id: string }>`
    select distinct root_id from ledger
    where run_id = ${runId} and pass = ${pass} and state = 'pending' and root_id > ${after}
    order by root_id limit ${limit}`.execute(database)
  return rows.map((row) => row.root_id)
}

/** States of everything that belongs to the given roots. */
export async function statesOf(
  database: Database,
  runId: string,
  pass: string,
  rootIds: string[],
): Promise<(LedgerRow & { state: LedgerState })[]> {
  const { rows } = await sql<LedgerRow>`
    select component, source_id as "sourceId", pass, root_id as "rootId", state from ledger
    where run_id = ${runId} and pass = ${pass} and root_id = any(${rootIds})`.execute(database)
  return rows
}

/** Which of the items this run has in its ledger: those it wrote or failed to write. */
export async function heldByLedger(
  database: Database,
  runId: string,
  component: string,
  sourceIds: string[],
): Promise<Set<string>> {
  if (sourceIds.length === 0) return new Set()
  const { rows } = await sql<{ source_id: string }>`
    select source_id from ledger
    where run_id = ${runId} and component = ${component} and source_id = any(${sourceIds})`.execute(database)
  return new Set(rows.map((row) => row.source_id))
}

/** Matched and skipped items need no row each (E3). */
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

/** Whatever was discovered and has not ended becomes cancelled, in the ledger and in the counters. */
export async function cancelPending(tx: InTransaction, runId: string): Promise<void> {
  await sql`update ledger set state = 'cancelled' where run_id = ${runId} and state = 'pending'`.execute(tx)
  await sql`
    update run_counters set cancelled = cancelled
      + greatest(0, discovered - (created + updated + matched + skipped + failed + cancelled))
    where run_id = ${runId}`.execute(tx)
}

/** The ledger folded into counts: what the counter rows must equal at a run's end (E3). */
export async function foldLedger(
  database: Database | InTransaction,
  runId: string,
): Promise<{ component: string; state: string; count: number }[]> {
  const { rows } = await sql<{ component: string; state: string; count: number }>`
    select component, state, sum(count)::integer as count from (
      select component, state, count(*) as count from ledger where run_id = ${runId} group by 1, 2
      union all select component, 'matched', sum(matched) from ledger_pages where run_id = ${runId} group by 1
      union all select component, 'skipped', sum(skipped) from ledger_pages where run_id = ${runId} group by 1
    ) as folded group by 1, 2 order by 1, 2`.execute(database)
  return rows
}
