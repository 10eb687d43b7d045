import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { type IssuePosition, type IssueRow, issueColumns, issueTexts } from './run-findings.ts'

/** An issue, with what a search store needs to match it as PostgreSQL does. */
export type IssueToIndex = { row: IssueRow; lastMicros: string; texts: string[] }

const pageSize = 1_000

/** The issues of a run, page by page. */
export async function* issuesToIndex(
  tx: InTransaction,
  run: { organisationId: string; runId: string },
): AsyncGenerator<IssueToIndex[]> {
  let after = null as IssuePosition | null
  do {
    const { rows }: { rows: (IssueRow & Omit<IssueToIndex, 'row'>)[] } = await sql<
      IssueRow & Omit<IssueToIndex, 'row'>
    >`
      select ${issueColumns}, (extract(epoch from last_at) * 1000000)::bigint::text as "lastMicros",
        (select array_agg(lower(coalesce(one, '')) order by nr) from unnest(array[${sql.join(issueTexts)}]) with ordinality t(one, nr)) as texts
      from issues
      where organisation_id = ${run.organisationId} and run_id = ${run.runId}
        and (${after?.firstMicros ?? null}::bigint is null or (first_at, id)
          > ('epoch'::timestamptz + ${after?.firstMicros ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::uuid))
      order by first_at, id limit ${pageSize}`.execute(tx)
    yield rows.map(({ lastMicros, texts, ...row }) => ({ row, lastMicros, texts }))
    after = rows.length === pageSize ? (rows.at(-1) ?? null) : null
  } while (after)
}

export interface SearchPreparation {
  /** Runs whose issues must be searched in PostgreSQL: they are in progress, or the index lacks their latest change. */
  unindexedRuns: string[]
  /** Lowercased by PostgreSQL, as it compares it. */
  text: string | null
  sinceMicros: string | null
}

/** What must be known before issues are searched in a search store. */
export async function prepareIssueSearch(
  database: Database,
  organisationId: string,
  { text, since }: { text?: string; since?: string },
): Promise<SearchPreparation> {
  const { rows } = await sql<SearchPreparation>`
    select lower(${text ?? null}::text) as text,
      (extract(epoch from ${since ?? null}::timestamptz) * 1000000)::bigint::text as "sinceMicros",
      array(
        select run.id::text from runs run left join snapshots snapshot on snapshot.run_id = run.id
        where run.organisation_id = ${organisationId} and (
          run.status in ('queued', 'in_progress', 'paused') or snapshot.revision is distinct from run.revision
          or exists (select from outbox where organisation_id = run.organisation_id and subject_id = run.id
            and not renewal)))
        as "unindexedRuns"`.execute(database)
  return rows[0] ?? { unindexedRuns: [], text: null, sinceMicros: null }
}

/** The revisions of runs of the organisation; null for those in progress. Runs of others are absent. */
export async function listRevisions(
  database: Database,
  organisationId: string,
  runIds: string[],
): Promise<Map<string, number | null>> {
  const { rows } = await sql<Columns<'runs', 'id'> & { revision: number | null }>`
    select id, case when status in ('queued', 'in_progress', 'paused') then null else revision end as revision
    from runs where organisation_id = ${organisationId} and id = any(${runIds}::uuid[])`.execute(database)
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}
