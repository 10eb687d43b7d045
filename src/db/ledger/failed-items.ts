import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'

/** An item of a run. */
export interface ItemName {
  component: string
  sourceId: string
}

/**
 * Records which failed items an open failure covers; an item covered by another issue moves to this one. Only items
 * that did fail are recorded: a child may succeed although its parent failed. `offset 0` looks each one up, because a
 * join would read the whole ledger.
 */
export async function coverFailed(
  tx: InTransaction,
  runId: string,
  covers: (ItemName & { issueId: string })[],
): Promise<void> {
  if (covers.length === 0) return
  const { rows } = await sql<Columns<'failed_items', 'issueId'>>`
    with covers as (
      select * from jsonb_to_recordset(${JSON.stringify(covers)}::jsonb) as c("component" text, "sourceId" text, "issueId" uuid)),
    before as (
      select f.issue_id from failed_items f join covers c on c."component" = f.component and c."sourceId" = f.source_id
      where f.run_id = ${runId} and f.issue_id <> c."issueId"),
    kept as (
      insert into failed_items (run_id, component, source_id, issue_id)
      select distinct on (c."component", c."sourceId") ${runId}::uuid, c."component", c."sourceId", c."issueId" from covers c
      where exists (
          select from ledger l where l.run_id = ${runId} and l.component = c."component" and l.source_id = c."sourceId"
            and l.state = 'failed' offset 0)
        or exists (
          select from failed_items f
          where f.run_id = ${runId} and f.component = c."component" and f.source_id = c."sourceId")
      on conflict (run_id, component, source_id) do update set issue_id = excluded.issue_id)
    select distinct issue_id as "issueId" from before`.execute(tx)
  await closeEmptied(
    tx,
    rows.map(({ issueId }) => issueId),
  )
}

/**
 * Heals issues that have just lost their last item; what was done becomes their message. They no longer count as
 * unexpected failures (F5).
 */
export async function closeEmptied(tx: InTransaction, issueIds: string[]): Promise<void> {
  if (issueIds.length === 0) return
  await sql`
    with closed as (
      update issues set state = 'healed', message = coalesce(told, message), last_at = now()
      where id = any(${issueIds}::uuid[]) and state = 'open'
        and not exists (select from failed_items f where f.issue_id = issues.id)
      returning run_id, component, code)
    update run_counters c set exceptions = c.exceptions - gone.items
    from (select run_id, component, count(*)::integer as items from closed where code = 'unexpected' group by 1, 2) gone
    where c.run_id = gone.run_id and c.component = gone.component`.execute(tx)
}
