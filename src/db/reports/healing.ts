import { type RawBuilder, sql } from 'kysely'
import type { IssueCode } from '../../contract/issue-codes.ts'
import { isLive } from '../../contract/status.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'
import { writeSnapshot } from '../runs/snapshots.ts'
import { type IssueFilters, saysText } from './run-findings.ts'

interface RunName {
  id: string
  organisationId: string
}

export type IssueChoice = Omit<IssueFilters, 'state'> & { ids?: string[] }

/** The issues of a run that match. */
function isChosen(run: RunName, choice: IssueChoice, state: Tables['issues']['state'] = 'open') {
  const { ids = null, phase = null, component = null, severity = null, code = null, text = null } = choice
  return sql`organisation_id = ${run.organisationId} and run_id = ${run.id} and state = ${state}
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
      and (${phase}::text is null or phase = ${phase})
      and (${component}::text is null or component = ${component})
      and (${severity}::text is null or severity = ${severity})
      and (${code}::text is null or code = ${code})
      and ${saysText(text)}`
}

/** @returns those of the ids that the run has. */
export async function idsAmong(
  tx: InTransaction,
  run: RunName,
  table: 'issues' | 'differences',
  ids: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from ${sql.table(table)}
    where organisation_id = ${run.organisationId} and run_id = ${run.id}
      and id = any(${ids}::${sql.raw(table === 'issues' ? 'uuid' : 'bigint')}[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Dismisses matching open issues. @returns how many. */
export async function dismissOpen(
  tx: InTransaction,
  run: RunName,
  choice: IssueChoice,
  reason: string | null,
): Promise<number> {
  const { rows } = await sql`
    update issues set state = 'dismissed', reason = ${reason}, last_at = now()
    where ${isChosen(run, choice)} returning id`.execute(tx)
  return rows.length
}

/** Reopens matching dismissed issues, and removes the reason. @returns how many. */
export async function reopenDismissed(tx: InTransaction, run: RunName, choice: IssueChoice): Promise<number> {
  const { rows } = await sql`
    update issues set state = 'open', reason = null, last_at = now()
    where ${isChosen(run, choice, 'dismissed')} returning id`.execute(tx)
  return rows.length
}

/** Limits the next round of healing to these issues. @returns how many. */
export async function chooseForHealing(tx: InTransaction, run: RunName, choice: IssueChoice): Promise<number> {
  const { rows } = await sql`
    update issues set chosen_round = (select heal_round + 1 from runs where id = ${run.id})
    where ${isChosen(run, choice)} returning id`.execute(tx)
  return rows.length
}

/**
 * Starts another round of healing at a person's request, with passes and time of its own.
 *
 * @param which `chosen`: only the issues chosen for it
 */
export async function requestHealing(tx: InTransaction, run: RunName, which: 'all' | 'chosen'): Promise<void> {
  await sql`
    update runs set heal_round = heal_round + 1, heal_pass = 0, heal_ms = 0, heal_chosen = ${which === 'chosen'}
    where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(tx)
}

/** An issue that reported something as missing, which its item now has. */
export interface Settled {
  component: string
  sourceId: string
  code: IssueCode
  /** Destination ids of copies about which the issue still holds. */
  except?: string[]
}

/**
 * Heals issues of items that exist and are now complete. An issue that covers failed items is healed with the last of
 * them.
 */
export async function settleIssues(tx: InTransaction, run: RunName, settled: Settled[]): Promise<void> {
  await settle(tx, run, sql`run_id = ${run.id}`, settled)
}

/**
 * The same in all runs between the stores of this one: what an earlier run had to leave is now done, and its snapshot
 * says so.
 */
export async function settleIssuesOfPair(tx: InTransaction, run: RunName, settled: Settled[]): Promise<void> {
  const ofPair = sql`run_id in (
    select other.id from runs this join runs other using (organisation_id, source_store_id, destination_store_id)
    where organisation_id = ${run.organisationId} and this.id = ${run.id})`
  const changed = await settle(tx, run, ofPair, settled)
  // The snapshot of the run itself is written by the transaction that ends it.
  const { rows } = await sql<Columns<'runs', 'id' | 'status'>>`
    select id, status from runs where id = any(${changed}::uuid[]) and id <> ${run.id} order by id`.execute(tx)
  for (const { id, status } of rows) if (!isLive(status)) await writeSnapshot(tx, run.organisationId, id)
}

/** @returns the runs whose issues were healed. */
async function settle(
  tx: InTransaction,
  { organisationId }: RunName,
  ofRuns: RawBuilder<unknown>,
  settled: Settled[],
): Promise<string[]> {
  if (settled.length === 0) return []
  const { rows } = await sql<Renamed<'issues', { runId: 'runId' }>>`
    update issues set state = 'healed', message = coalesce(told, message), last_at = now()
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as s("component" text, "sourceId" text, "code" text,
      "except" jsonb)
    where issues.organisation_id = ${organisationId} and ${ofRuns} and issues.component = s."component"
      and source_id = s."sourceId" and issues.code = s."code" and state = 'open'
      and not coalesce(jsonb_exists(s."except", issues.destination_id), false)
      and not exists (select from failed_items f where f.issue_id = issues.id)
    returning run_id as "runId"`.execute(tx)
  return [...new Set(rows.map(({ runId }) => runId))]
}

/** An open issue that a rule may apply to. */
export type OpenIssue = Columns<
  'issues',
  'id' | 'rootId' | 'component' | 'sourceId' | 'severity' | 'code' | 'item' | 'platform' | 'tried'
>

interface HealingPage {
  pass: string
  stamp: string
  /** The round whose chosen issues are tried; null for all. */
  chosenRound: number | null
  after: string
  limit: number
}

function isOfRound(chosenRound: number | null) {
  return sql`(${chosenRound}::integer is null or chosen_round = ${chosenRound})`
}

/** Roots of a pass with open issues not tried yet in this pass of healing, ordered by id. */
export async function rootsToHeal(
  database: Database,
  run: RunName,
  { pass, stamp, chosenRound, after, limit }: HealingPage,
): Promise<OpenIssue[]> {
  const { rows } = await sql<OpenIssue>`
    with roots as (
      select distinct root_id from issues
      where organisation_id = ${run.organisationId} and run_id = ${run.id} and pass = ${pass} and state = 'open'
        and tried_in <> ${stamp} and root_id > ${after}
        and ${isOfRound(chosenRound)}
      order by root_id limit ${limit})
    select id, root_id as "rootId", component, source_id as "sourceId", severity, code, item, platform, tried
    from issues join roots using (root_id)
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and pass = ${pass} and state = 'open'
      and tried_in <> ${stamp} and ${isOfRound(chosenRound)}
    order by root_id, first_at, id`.execute(database)
  return rows
}

type FailedItem = Columns<'failed_items', 'component' | 'sourceId' | 'issueId'> & Columns<'issues', 'rootId'>

/** What failed on the given roots, and the issues that cover it. */
export async function failedOf(
  database: Database,
  run: RunName,
  pass: string,
  rootIds: string[],
): Promise<FailedItem[]> {
  const { rows } = await sql<FailedItem>`
    select i.root_id as "rootId", f.component, f.source_id as "sourceId", f.issue_id as "issueId"
    from failed_items f join issues i on i.id = f.issue_id
    where i.organisation_id = ${run.organisationId} and i.run_id = ${run.id} and i.pass = ${pass}
      and i.root_id = any(${rootIds})`.execute(database)
  return rows
}

export interface Try {
  issueId: string
  rule: string
  told: string
  fingerprint: string
}

/** Records the rule being tried, so that a healed issue can say what was done. */
export async function beginTries(tx: InTransaction, run: RunName, tries: Try[]): Promise<void> {
  await sql`
    update issues set rule = t."rule", told = t."told"
    from jsonb_to_recordset(${JSON.stringify(tries)}::jsonb) as t("issueId" uuid, "rule" text, "told" text)
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and id = t."issueId"`.execute(tx)
}

/** Called after the try, so that a process that dies during it has not used it up. */
export async function endTries(tx: InTransaction, run: RunName, stamp: string, tries: Try[]): Promise<void> {
  await sql`
    update issues set tried_in = ${stamp}, tried = tried || jsonb_build_object(t."rule", t."fingerprint")
    from jsonb_to_recordset(${JSON.stringify(tries)}::jsonb) as t("issueId" uuid, "rule" text, "fingerprint" text)
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and id = t."issueId"`.execute(tx)
}

/** How many issues were tried in a pass of healing. */
export async function countTried(database: Database, run: RunName, stamp: string): Promise<number> {
  const { rows } = await sql<{ tried: number }>`
    select count(*)::int as tried from issues
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and tried_in = ${stamp}`.execute(database)
  return rows[0]?.tried ?? 0
}

export async function hasOpen(database: Database, run: RunName): Promise<boolean> {
  const { rows } = await sql`
    select from issues where organisation_id = ${run.organisationId} and run_id = ${run.id} and state = 'open'
    limit 1`.execute(database)
  return rows.length > 0
}

/** Differences do not count, as they fail nothing (F1). */
export async function hasOpenFailures(tx: InTransaction, run: RunName): Promise<boolean> {
  const { rows } = await sql`
    select from issues
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and severity = 'failure' and state = 'open'
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Passes whose list was refused by a store and has not been read since. */
export async function refusedPasses(database: Database | InTransaction, run: RunName): Promise<string[]> {
  const { rows } = await sql<Columns<'issues', 'pass'>>`
    select pass from issues
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and code = 'list_refused' and state = 'open'`.execute(
    database,
  )
  return rows.map(({ pass }) => pass)
}

/** Refused lists that were not read again yet in this pass of healing. */
export async function refusedLists(
  database: Database,
  run: RunName,
  { stamp, chosenRound }: Pick<HealingPage, 'stamp' | 'chosenRound'>,
): Promise<Columns<'issues', 'id' | 'pass'>[]> {
  const { rows } = await sql<Columns<'issues', 'id' | 'pass'>>`
    select id, pass from issues
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and code = 'list_refused' and state = 'open'
      and tried_in <> ${stamp} and ${isOfRound(chosenRound)}`.execute(database)
  return rows
}

/** Records the progress of a round of healing, for a process that takes over. */
export async function noteHealing(
  tx: InTransaction,
  run: RunName,
  { pass, ms }: { pass: number; ms: number },
): Promise<void> {
  await sql`
    update runs set heal_pass = ${pass}, heal_ms = ${Math.round(ms)}, updated_at = now()
    where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(tx)
}

/** Records whether what failed is being tried again, for readers. */
export async function markHealing(tx: InTransaction, run: RunName, healing: boolean): Promise<void> {
  await sql`
    update runs set healing = ${healing}, updated_at = now()
    where organisation_id = ${run.organisationId} and id = ${run.id} and healing <> ${healing}`.execute(tx)
}

/** Time the run has been in progress. */
export async function workedMs(database: Database | InTransaction, run: RunName): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select worked_ms + greatest(0, coalesce(extract(epoch from now() - admitted_at) * 1000, 0))::bigint as ms
    from runs where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(database)
  return rows[0]?.ms ?? 0
}
