import { sql } from 'kysely'
import type { Difference } from '../../contract/differences.ts'
import { healedRemedy, type IssueCode } from '../../contract/issue-codes.ts'
import type { Issue } from '../../contract/issues.ts'
import { isLive } from '../../contract/status.ts'
import type { Columns } from '../core/columns.ts'
import { allOf, isEmpty } from '../core/conditions.ts'
import type { Database } from '../core/database.ts'
import type { DifferenceCount } from '../core/stored-types.ts'
import { mentions } from '../core/text-search.ts'
import { differencesByKind } from '../ledger/differences.ts'
import type { RunRow } from '../runs/runs.ts'
import { findFindings } from '../runs/snapshots.ts'

export interface IssueFilters {
  phase?: string
  component?: string
  severity?: Issue['severity']
  code?: IssueCode
  state?: Issue['state']
  text?: string
}

export type IssuePosition = Columns<'issues', 'id'> & {
  /** In microseconds, because a whole page of items may fail within one millisecond. */
  firstMicros: string
}

export type IssueRow = IssuePosition &
  Columns<
    'issues',
    | 'runId'
    | 'phase'
    | 'component'
    | 'severity'
    | 'code'
    | 'message'
    | 'remedy'
    | 'sourceId'
    | 'item'
    | 'destinationId'
    | 'platform'
    | 'state'
    | 'reason'
    | 'rule'
    | 'attempts'
    | 'firstAt'
    | 'lastAt'
  >

export const issueColumns = sql`id, run_id as "runId", phase, component, severity, code, message,
  case when state = 'healed' then ${healedRemedy} else remedy end as remedy, source_id as "sourceId", item,
  destination_id as "destinationId", platform, state, reason, rule, attempts, first_at as "firstAt", last_at as "lastAt",
  (extract(epoch from first_at) * 1000000)::bigint::text as "firstMicros"`

const textsOfIssue = [sql`message`, sql`source_id`, sql`item ->> 'name'`, sql`item ->> 'sku'`]

/** The texts in which a search across migrations looks. */
export const issueTexts = [...textsOfIssue, sql`code`]

/** Whether the text is part of the message, or of the item's name, SKU or id. */
export function saysText(text: string | null) {
  return mentions(text, textsOfIssue)
}

export async function findIssue(
  database: Database,
  run: { organisationId: string; runId: string },
  id: string,
): Promise<IssueRow | undefined> {
  const found = await sql<IssueRow>`
    select ${issueColumns} from issues
    where organisation_id = ${run.organisationId} and run_id = ${run.runId} and id = ${id}`.execute(database)
  return found.rows[0]
}

/** Oldest first; the page after `position`. */
export async function listIssues(
  database: Database,
  run: { organisationId: string; runId: string },
  filters: IssueFilters,
  page: { after: IssuePosition | null; limit: number },
): Promise<IssueRow[]> {
  const { after, limit } = page
  const isUsual = after === null && isEmpty(filters)
  const found = await sql<IssueRow>`
    ${isUsual ? sql`/* kept: issues-of-run */` : sql``} select ${issueColumns} from issues
    where organisation_id = ${run.organisationId} and run_id = ${run.runId} and ${allOf(
      after && sql`(first_at, id) > (${momentOf(after.firstMicros)}, ${after.id}::uuid)`,
      ...conditionsOf(filters),
    )}
    order by first_at, id limit ${limit}`.execute(database)
  return found.rows
}

function conditionsOf({ phase, component, severity, code, state, text }: IssueFilters) {
  return [
    phase !== undefined && sql`phase = ${phase}`,
    component !== undefined && sql`component = ${component}`,
    severity && sql`severity = ${severity}`,
    code && sql`code = ${code}`,
    state && sql`state = ${state}`,
    text !== undefined && saysText(text),
  ]
}

function momentOf(micros: string) {
  return sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`
}

export interface DifferenceFilters {
  phase?: string
  component?: string
  kind?: Difference['kind']
  /** `only`: differences in destination-owned values alone; `without`: all others. */
  living?: 'only' | 'without'
  text?: string
}

/** An id is '' if that store does not have the item. */
export type DifferenceRow = Columns<
  'differences',
  | 'id'
  | 'phase'
  | 'component'
  | 'kind'
  | 'sourceId'
  | 'destinationId'
  | 'item'
  | 'fields'
  | 'living'
  | 'kept'
  | 'changedMeanwhile'
  | 'state'
>

/** In the order they were found; the page after the difference `after`. */
export async function listDifferences(
  database: Database,
  run: { organisationId: string; runId: string },
  filters: DifferenceFilters,
  page: { after: string | null; limit: number },
): Promise<DifferenceRow[]> {
  const found = await sql<DifferenceRow>`
    select id, phase, component, kind, source_id as "sourceId", destination_id as "destinationId", item, fields,
      living, kept, changed_meanwhile as "changedMeanwhile", state
    from differences
    where organisation_id = ${run.organisationId} and run_id = ${run.runId}
      and (${page.after}::bigint is null or id > ${page.after}::bigint)
      and (${filters.phase ?? null}::text is null or phase = ${filters.phase ?? null})
      and (${filters.component ?? null}::text is null or component = ${filters.component ?? null})
      and (${filters.kind ?? null}::text is null or kind = ${filters.kind ?? null})
      and (${filters.living ?? null}::text is null or living = (${filters.living ?? null} = 'only'))
      and ${mentions(filters.text, [sql`item ->> 'name'`, sql`item ->> 'sku'`], [sql`source_id`, sql`destination_id`])}
    order by id limit ${page.limit}`.execute(database)
  return found.rows
}

export type IssueGrouping = 'code' | 'phase' | 'component' | 'severity' | 'state'

export interface IssueGroup {
  key: string
  total: number
  open: number
  failures: number
  warnings: number
  /** One of its issues, preferably an open failure. */
  exampleId: string
}

/** Issues of a run, grouped; the largest group first. */
export async function groupIssues(
  database: Database,
  run: { organisationId: string; runId: string },
  by: IssueGrouping,
  filters: IssueFilters,
): Promise<IssueGroup[]> {
  const fitting = sql`organisation_id = ${run.organisationId} and run_id = ${run.runId} and ${allOf(...conditionsOf(filters))}`
  // Sorting all issues to find the first of each group takes ten times as long as counting them.
  const { rows } = await sql<IssueGroup>`
    with kinds as (
      select ${sql.ref(by)} as key, state = 'open' as is_open, severity = 'failure' as is_failure, count(*) as issues,
        min(first_at) as first_at
      from issues where ${fitting} group by 1, 2, 3
    ), groups as (
      select key, sum(issues)::integer as total, coalesce(sum(issues) filter (where is_open), 0)::integer as open,
        coalesce(sum(issues) filter (where is_failure), 0)::integer as failures,
        coalesce(sum(issues) filter (where not is_failure), 0)::integer as warnings
      from kinds group by key
    ), examples as (
      select distinct on (key) * from kinds order by key, is_open desc, is_failure desc
    )
    select groups.*, (
      select id from issues
      where ${fitting} and ${sql.ref(by)} = examples.key and first_at = examples.first_at
        and (state = 'open') = is_open and (severity = 'failure') = is_failure
      order by id limit 1
    ) as "exampleId"
    from groups join examples using (key) order by total desc, key`.execute(database)
  return rows
}

/** Issues of an organisation by id, in whichever run. */
export async function findIssues(database: Database, organisationId: string, ids: string[]): Promise<IssueRow[]> {
  const { rows } = await sql<IssueRow>`
    select ${issueColumns} from issues where organisation_id = ${organisationId} and id = any(${ids}::uuid[])`.execute(
    database,
  )
  return rows
}

export interface IssueSearch extends Pick<IssueFilters, 'text' | 'code' | 'severity' | 'phase' | 'state'> {
  itemId?: string
  since?: string
  /** Only issues of these runs. */
  runIds?: string[]
}

/**
 * How long a search over all runs may read in PostgreSQL, which has no index for texts: seconds for a million issues. A
 * larger number lets a few searches take all connections, a smaller one refuses searches that would end.
 */
export const mostSearchSeconds = 30

/** Issues of all runs of an organisation, latest first; the page after `position`. */
export async function searchIssues(
  database: Database,
  organisationId: string,
  search: IssueSearch,
  page: { after: IssuePosition | null; limit: number },
): Promise<IssueRow[]> {
  const { after } = page
  const { rows } = await sql<IssueRow>`
    select ${issueColumns} from issues
    where organisation_id = ${organisationId} and ${fits(search)}
      and (${after?.firstMicros ?? null}::bigint is null or (first_at, id)
        < ('epoch'::timestamptz + ${after?.firstMicros ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::uuid))
    order by first_at desc, id desc limit ${page.limit}`.execute(database)
  return rows
}

export type IssueCountRow = Columns<'issues', 'code' | 'severity' | 'phase' | 'state'> & { issues: number }

/** How many issues of all runs of an organisation have each combination of these values. */
export async function countIssues(
  database: Database,
  organisationId: string,
  search: IssueSearch,
): Promise<IssueCountRow[]> {
  const { rows } = await sql<IssueCountRow>`
    select code, severity, phase, state, count(*)::integer as issues from issues
    where organisation_id = ${organisationId} and ${fits(search)}
    group by code, severity, phase, state`.execute(database)
  return rows
}

function fits({ text, code, severity, phase, state, itemId, since, runIds }: IssueSearch) {
  return sql`(${code ?? null}::text is null or code = ${code ?? null})
      and (${severity ?? null}::text is null or severity = ${severity ?? null})
      and (${phase ?? null}::text is null or phase = ${phase ?? null})
      and (${state ?? null}::text is null or state = ${state ?? null})
      and (${itemId ?? null}::text is null or ${itemId ?? null} in (source_id, destination_id))
      and (${since ?? null}::timestamptz is null or last_at >= ${since ?? null}::timestamptz)
      and (${runIds ?? null}::uuid[] is null or run_id = any(${runIds ?? null}::uuid[]))
      and ${mentions(text, issueTexts)}`
}

/** For a run that has ended, as in its snapshot. */
export async function countDifferences(database: Database, run: RunRow): Promise<DifferenceCount[]> {
  const of = { organisationId: run.organisationId, runId: run.id }
  const found = isLive(run.status) ? null : await findFindings(database, of)
  return found ? found.differences : (await differencesByKind(of).execute(database)).rows
}
