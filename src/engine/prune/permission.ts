import { createHash } from 'node:crypto'
import { confirmDeletions, countDeletions, countListed, plannedSet, type ToDelete } from '../../db/ledger/deletions.ts'
import { requestPruneConfirmation } from '../../db/ledger/prune.ts'
import { leaveInProgress } from '../../db/runs/run-life.ts'
import { entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { exceeds, type ToDeleteOf } from './prune-plan.ts'

/** Whether what is on the list of deletions may be deleted. `requested`: the run is paused until a person answers. */
export type Permission = 'granted' | 'declined' | 'requested'

/**
 * Checks what a run has deleted without a confirmation and is about to delete against its limits (D4). A dry run
 * deletes nothing, so it needs no permission.
 */
export async function mayDelete(context: RunContext): Promise<Permission> {
  const { database, run, recorder } = context
  const found = await countDeletions(database, run.id)
  const planned = found.reduce((sum, one) => sum + one.planned, 0)
  if (planned === 0 || run.mode === 'dry-run' || !(await exceedsLimits(context, found))) return 'granted'
  const digest = await digestOf(plannedSet(database, run.id))
  if (run.prune.answer === 'confirmed' && run.prune.digest === digest) {
    await recorder.record((tx) => confirmDeletions(tx, run.id))
    return 'granted'
  }
  if (run.prune.answer === 'declined') return 'declined'
  await recorder.record(async (tx) => {
    await requestPruneConfirmation(tx, run.id, digest, planned)
    await leaveInProgress(tx, run, 'paused')
  })
  return 'requested'
}

export async function exceedsLimits({ database, run }: RunContext, found: ToDelete[]): Promise<boolean> {
  const listed = await countListed(database, run.id)
  return exceeds(run, shares(found, listed))
}

/** Children that no list shows are measured against the number of items that may have them. */
function shares(found: ToDelete[], listed: ReadonlyMap<string, number>): ToDeleteOf[] {
  const roots = new Map(entities.flatMap(({ passes }) => passes.map(({ key, root }) => [key, root])))
  return [...Map.groupBy(found, ({ component }) => component)].map(([component, rows]) => ({
    unasked: rows.reduce((sum, { unasked }) => sum + unasked, 0),
    listed: listed.get(component) ?? Math.max(...rows.map(({ pass }) => listed.get(roots.get(pass) ?? '') ?? 0)),
  }))
}

/** A confirmation covers exactly this set: another item makes another digest (D4). */
export async function digestOf(
  pages: AsyncIterable<readonly { component: string; destinationId: string }[]>,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const page of pages)
    for (const { component, destinationId } of page) hash.update(`${component}:${destinationId}\n`)
  return hash.digest('base64url')
}
