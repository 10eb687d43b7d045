import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Difference } from '../../src/contract/differences.ts'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import type { World } from '../harness/world.ts'

const actions: Record<string, string> = { missing: 'created', different: 'updated' }

/** What a dry run would create and update, as `<component> <source id> <action>`. */
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

/** What a run created and updated, in the form of `planOf`. */
export async function actionsOf(world: World, runId: string): Promise<Set<string>> {
  const { rows } = await sql<{ action: string }>`
    select component || ' ' || source_id || ' ' || state as action from ledger
    where run_id = ${runId} and state in ('created', 'updated')`.execute(world.database)
  return new Set(rows.map(({ action }) => action))
}

/** What a run deleted, by its before-images: items, and children that were deleted on their own. */
export async function deletedBy(world: World, runId: string): Promise<Set<string>> {
  const { rows } = await sql<{ deleted: string }>`
    select component || ' ' || destination_id as deleted from before_images
    where run_id = ${runId} and action = 'delete'`.execute(world.database)
  return new Set(rows.map(({ deleted }) => deleted))
}

export interface PlanComparison {
  onlyPlanned: string[]
  onlyDone: string[]
  refusals: number
  predicted: number
}

/**
 * Runs dry, then for real, and returns where the two disagree. Deletions have to match; stock of variants that the real run was
 * refused is left out.
 */
export async function comparedWithItsPlan(world: World, settings: object): Promise<PlanComparison> {
  const dry = await world.migrate({ ...settings, mode: 'dry-run' })
  await world.finished(dry, { seconds: 900 })
  const real = await world.migrate(settings)
  await world.finished(real, { seconds: 900 })
  const [plan, done] = [await planOf(world, dry), await actionsOf(world, real)]
  expect(done.size).toBeGreaterThan(0)
  const { pruned: predicted } = (await planFor(world, dry)) ?? {}
  expect(predicted).toEqual(await prunedCounts(world, real))
  const wouldGo = await pruned(world, dry)
  for (const gone of await deletedBy(world, real)) expect([...wouldGo]).toContain(gone)
  const foreseen = refusedIn(await world.issues(dry))
  const refusals = refusedIn(await world.issues(real))
  const variantOf = (one: string) => one.replace(/^inventory \d+\/variant\/(\d+)( .*)?$/, 'product-variants $1')
  const hangsOnRefused = (one: string) => variantOf(one) !== one && refusals.has(variantOf(one))
  const outside = [...plan, ...done, ...refusals].filter(hangsOnRefused)
  if (outside.length > 0) console.log(`Belongs to refused items: ${[...new Set(outside)].join(', ')}`)
  const compared = (one: string) => !hangsOnRefused(one)
  const ownRefusals = [...refusals].filter(compared)
  return {
    onlyPlanned: [...plan].filter((one) => !done.has(one) && compared(one)).sort(),
    onlyDone: [...done].filter((one) => !plan.has(one) && compared(one)).sort(),
    refusals: ownRefusals.length,
    predicted: ownRefusals.filter((one) => foreseen.has(one)).length,
  }
}

function refusedIn(issues: Issue[]): Set<string> {
  const refused = issues.filter(({ severity, code }) => severity === 'failure' || code === 'would_be_refused')
  return new Set(refused.map(({ component, item }) => `${component} ${item.sourceId}`))
}

/** What a finished dry run says of the real one. */
export async function planFor(world: World, id: string): Promise<MigrationRequest['plan']> {
  return (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body.plan
}

async function prunedCounts(world: World, id: string): Promise<Record<string, number>> {
  const { phases } = await world.detail(id)
  const counts = phases.flatMap(({ components }) => components).map(({ key, pruned: count }) => [key, count] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
