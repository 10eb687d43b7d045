import { sql } from 'kysely'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { leaveInProgress } from '../../src/db/runs/run-life.ts'
import type { Organisation, Service } from '../api/a-service.ts'
import { aQueuedRun, bringTo } from '../api/migration-rows.ts'

type Left = Exclude<MigrationStatus, 'queued' | 'in_progress'>

/** A run as the engine works on it. */
export async function aWorkingRun(service: Service, organisation: Organisation): Promise<string> {
  const id = await aQueuedRun(service, organisation)
  await bringTo(service, organisation.id, id, 'in_progress')
  return id
}

/** A run that has left its work in this way. @returns its id */
export async function aRunThat(
  service: Service,
  organisation: Organisation,
  becomes: Left,
  failure?: { code: string; message: string },
): Promise<string> {
  const id = await aWorkingRun(service, organisation)
  await service.deps.database
    .transaction()
    .execute((tx) => leaveInProgress(tx, { id, organisationId: organisation.id }, becomes, failure))
  return id
}

export interface WrittenEvent {
  kind: string
  runId: string | null
  data: Record<string, unknown>
}

/** The events of an organisation in the order in which they were written. */
export async function eventsOf({ deps }: Service, { id }: Pick<Organisation, 'id'>): Promise<WrittenEvent[]> {
  const { rows } = await sql<WrittenEvent>`
    select kind, run_id as "runId", data from notification_events where organisation_id = ${id} order by position`.execute(
    deps.database,
  )
  return rows
}
