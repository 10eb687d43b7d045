import { sql } from 'kysely'
import type { MigrationStatus } from '../../src/contract/status.ts'
import type { Database } from '../../src/db/core/database.ts'
import { writeSnapshot } from '../../src/db/runs/snapshots.ts'
import type { Organisation, Service } from './a-service.ts'

/** A copy of the first store of an organisation to its second one, which nobody works on. */
export async function aQueuedRun({ deps }: Service, organisation: Pick<Organisation, 'id'>): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
      selective, phases, status, tier, mem_mib, cpus)
    select gen_random_uuid(), src.organisation_id, src.id, dst.id, 'full', 'skip', true, '{}', false, '[]', 'queued', 'small', 256, 0.25
    from stores src join stores dst on dst.organisation_id = src.organisation_id and dst.hash = 'store2'
    where src.organisation_id = ${organisation.id} and src.hash = 'store1' returning id`.execute(deps.database)
  return rows[0]!.id
}

/** Puts a run where the engine would have brought it; a finished one gets its snapshot as the engine writes it. */
export async function bringTo(
  service: Service,
  organisationId: string,
  id: string,
  status: MigrationStatus,
): Promise<void> {
  await service.deps.database.transaction().execute(async (tx) => {
    const started = status !== 'queued'
    await sql`update runs set status = ${status}, asked = 'none', phase = case when ${started} then 'categories' else '' end,
      started_at = case when ${started} then coalesce(started_at, now()) end,
      admitted_at = case when ${status === 'in_progress'} then now() end where id = ${id}`.execute(tx)
    const finished = !['queued', 'in_progress', 'paused'].includes(status)
    if (finished) await writeSnapshot(tx, organisationId, id)
  })
}

export async function setCount(
  database: Database,
  id: string,
  component: string,
  count: Partial<Record<'expected' | 'discovered' | 'created' | 'matched' | 'skipped' | 'failed' | 'warnings', number>>,
): Promise<void> {
  for (const [column, value] of Object.entries(count))
    await sql`update run_counters set ${sql.ref(column)} = ${value} where run_id = ${id} and component = ${component}`.execute(
      database,
    )
}

export async function addIssue(
  database: Database,
  run: { organisationId: string; id: string },
  issue: { sourceId: string; severity?: 'failure' | 'warning'; code?: string; name?: string; platform?: object },
): Promise<void> {
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item, platform)
    values (${run.organisationId}, ${run.id}, 'brands', 'brands', ${issue.severity ?? 'failure'},
      ${issue.code ?? 'platform_refused'}, ${`Brand ${issue.sourceId} was refused.`}, 'Correct it.', ${issue.sourceId},
      ${JSON.stringify({ name: issue.name ?? `Brand ${issue.sourceId}`, sku: null, path: null })}::jsonb,
      ${issue.platform ? JSON.stringify(issue.platform) : null}::jsonb)`.execute(database)
}

export async function addDifference(
  database: Database,
  run: { organisationId: string; id: string },
  difference: { kind: 'missing' | 'different' | 'extra'; sourceId?: string; destinationId?: string; living?: boolean },
): Promise<void> {
  await sql`
    insert into differences (organisation_id, run_id, phase, component, kind, source_id, destination_id, item, fields, living)
    values (${run.organisationId}, ${run.id}, 'brands', 'brands', ${difference.kind}, ${difference.sourceId ?? ''},
      ${difference.destinationId ?? ''}, '{"name": "Acme"}', '[{"path": "name", "source": "Acme"}]',
      ${difference.living ?? false})`.execute(database)
}
