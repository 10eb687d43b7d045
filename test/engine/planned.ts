import { sql } from 'kysely'
import type { Difference } from '../../src/contract/differences.ts'
import type { World } from '../harness/world.ts'

const actions: Record<string, string> = { missing: 'created', different: 'updated' }

/** What a dry run says it would create and update, as `<component> <source id> <action>`. */
export async function planOf(world: World, runId: string): Promise<Set<string>> {
  const found = await findings(world, runId)
  return new Set(
    found.flatMap(({ kind, component, item }) =>
      kind === 'extra' ? [] : `${component} ${item.sourceId} ${actions[kind]}`,
    ),
  )
}

/** What it would delete, as `<component> <destination id>`. */
export async function pruned(world: World, runId: string): Promise<Set<string>> {
  const found = await findings(world, runId)
  return new Set(
    found.flatMap(({ kind, component, destinationId }) => (kind === 'extra' ? `${component} ${destinationId}` : [])),
  )
}

async function findings(world: World, runId: string): Promise<Difference[]> {
  const found: Difference[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { body: { items: Difference[]; nextCursor: string | null } } = await world.api(
      'GET',
      `/v2/migrations/${runId}/differences?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    found.push(...page.body.items)
    cursor = page.body.nextCursor
  }
  return found
}

/** What a run did, as the plan of one tells it. */
export async function actionsOf(world: World, runId: string): Promise<Set<string>> {
  const { rows } = await sql<{ action: string }>`
    select component || ' ' || source_id || ' ' || state as action from ledger
    where run_id = ${runId} and state in ('created', 'updated')`.execute(world.database)
  return new Set(rows.map(({ action }) => action))
}

/** Whole items and children that a run deleted; what hung on them went along. */
export async function deletedBy(world: World, runId: string): Promise<Set<string>> {
  const { rows } = await sql<{ deleted: string }>`
    select component || ' ' || destination_id as deleted from before_images
    where run_id = ${runId} and action = 'delete'`.execute(world.database)
  return new Set(rows.map(({ deleted }) => deleted))
}
