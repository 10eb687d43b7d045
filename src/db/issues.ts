import { sql } from 'kysely'
import { type IssueCode, issueRemedies } from '../contract/issue-codes.ts'
import type { InTransaction } from './database.ts'

export interface IssueToWrite {
  phase: string
  component: string
  severity: 'failure' | 'warning'
  code: IssueCode
  message: string
  sourceId: string
  item: { name: string | null; sku: string | null; path: string | null }
  destinationId?: string | null
  /** What the platform answered; null when it was not asked. */
  platform?: { method: string; path: string; status: number; title: string; errors: Record<string, string> } | null
}

/** Writes issues; the same one met again only counts up. */
export async function saveIssues(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  issues: IssueToWrite[],
): Promise<void> {
  if (issues.length === 0) return
  const rows = issues.map((issue) => ({
    destinationId: null,
    platform: null,
    ...issue,
    remedy: issueRemedies[issue.code],
  }))
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item,
      destination_id, platform)
    select ${run.organisationId}, ${run.id}, i."phase", i."component", i."severity", i."code", i."message", i."remedy",
      i."sourceId", i."item", i."destinationId", nullif(i."platform", 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i("phase" text, "component" text, "severity" text, "code" text,
      "message" text, "remedy" text, "sourceId" text, "item" jsonb, "destinationId" text, "platform" jsonb)
    on conflict (run_id, component, source_id, code) do update set
      attempts = issues.attempts + 1, last_at = now(), message = excluded.message, platform = excluded.platform`.execute(
    tx,
  )
}
