import { sql } from 'kysely'
import { type IssueCode, issueRemedies } from '../../contract/issue-codes.ts'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'
import { coverFailed, type ItemName } from './failed-items.ts'

export interface IssueToWrite {
  phase: string
  component: string
  severity: 'failure' | 'warning'
  code: IssueCode
  message: string
  /** If absent, the remedy of its code. */
  remedy?: string
  sourceId: string
  item: { name: string | null; sku: string | null; path: string | null }
  destinationId?: string | null
  /** What the platform answered; null if it was not called. */
  platform?: { method: string; path: string; status: number; title: string; errors: Record<string, string> } | null
  /** Where healing finds the item again: the pass that reads it, and its root item there. */
  position?: { pass: string; rootId: string }
  /** Items that failed with it, itself included. */
  covers?: ItemName[]
}

/**
 * Saves issues. A repeated issue gets one more attempt, and is reopened if it was healed. A failed item has one open
 * failure, whose code changes when the item fails for another reason.
 *
 * @returns those that are not counted yet: an issue that was dismissed still counts, and a warning even if it was healed.
 */
export async function saveIssues(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  issues: IssueToWrite[],
): Promise<IssueToWrite[]> {
  if (issues.length === 0) return []
  const rows = issues.map(({ position, covers: _covers, ...issue }) => ({
    destinationId: null,
    platform: null,
    pass: '',
    rootId: '',
    ...issue,
    ...position,
    remedy: issue.remedy ?? issueRemedies[issue.code],
  }))
  const json = JSON.stringify(rows)
  await renameOpen(tx, run.id, json)
  const { rows: saved } = await sql<
    Columns<'issues', 'id' | 'component' | 'sourceId' | 'code'> & { wasCounted: boolean }
  >`
    with before as (
      select component, source_id, code from issues
      where run_id = ${run.id} and (state <> 'healed' or severity = 'warning') and (component, source_id) in (
        select "component", "sourceId" from jsonb_to_recordset(${json}::jsonb) as i("component" text, "sourceId" text))),
    saved as (
      insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item,
        destination_id, platform, pass, root_id)
      select ${run.organisationId}, ${run.id}, i."phase", i."component", i."severity", i."code", i."message", i."remedy",
        i."sourceId", i."item", i."destinationId", nullif(i."platform", 'null'::jsonb), i."pass", i."rootId"
      from jsonb_to_recordset(${json}::jsonb) as i("phase" text, "component" text, "severity" text, "code" text,
        "message" text, "remedy" text, "sourceId" text, "item" jsonb, "destinationId" text, "platform" jsonb, "pass" text,
        "rootId" text)
      on conflict (run_id, component, source_id, code) do update set
        attempts = issues.attempts + 1, last_at = now(), message = excluded.message, remedy = excluded.remedy,
        platform = excluded.platform,
        state = case when issues.state = 'healed' then 'open' else issues.state end
      returning id, component, source_id, code)
    select saved.id, saved.component, saved.source_id as "sourceId", saved.code, before.code is not null as "wasCounted"
    from saved left join before using (component, source_id, code)`.execute(tx)
  const byName = new Map(saved.map((row) => [`${row.component}/${row.sourceId}/${row.code}`, row]))
  const savedOf = (issue: IssueToWrite) => byName.get(`${issue.component}/${issue.sourceId}/${issue.code}`)
  await coverFailed(
    tx,
    run.id,
    issues
      .filter(({ severity }) => severity === 'failure')
      .flatMap((issue) => (issue.covers ?? []).map((one) => ({ ...one, issueId: savedOf(issue)?.id ?? '' }))),
  )
  return issues.filter((issue) => savedOf(issue)?.wasCounted === false)
}

/**
 * Changes the code of an item's open failure, which keeps its row, its first time and its attempts. The counter of
 * unexpected failures is adjusted (F5).
 */
async function renameOpen(tx: InTransaction, runId: string, json: string): Promise<void> {
  await sql`
    with renamed as (
      select old.id, old.run_id, old.component, old.code as was, i."code" as is, i."remedy", i."destinationId"
      from issues old join jsonb_to_recordset(${json}::jsonb) as i("component" text, "severity" text, "code" text,
        "remedy" text, "sourceId" text, "destinationId" text) on old.component = i."component" and old.source_id = i."sourceId"
      where old.run_id = ${runId} and old.state = 'open' and old.severity = 'failure' and i."severity" = 'failure'
        and old.code <> i."code" and not exists (
          select from issues other where other.run_id = ${runId} and other.component = old.component
            and other.source_id = old.source_id and other.code = i."code")),
    changed as (
      update issues set code = renamed.is, remedy = renamed."remedy", destination_id = renamed."destinationId"
      from renamed where issues.id = renamed.id)
    update run_counters c set exceptions = c.exceptions + delta.items
    from (
      select component, sum(case 'unexpected' when renamed.is then 1 when renamed.was then -1 else 0 end)::integer as items
      from renamed group by component) delta
    where c.run_id = ${runId} and c.component = delta.component and delta.items <> 0`.execute(tx)
}
