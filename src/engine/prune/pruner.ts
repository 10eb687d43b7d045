import { countDeletions, itemsLosingChildren, keepPlanned, plannedChildren } from '../../db/ledger/deletions.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { deleteChildren, type LosingChildren } from '../pass/delete-children.ts'
import { failPending } from '../pass/drive-pass.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { deleteItems } from './delete-items.ts'
import { findItems, passesInReverse } from './find-items.ts'
import { exceedsLimits, mayDelete, type Permission } from './permission.ts'
import { warnOfLimits, withhold } from './warnings.ts'

/** Items that lose children are read together: as many products as one page shows in full. */
const atOnce = 10

/**
 * Deletes what only the destination has, after everything else was copied: first children of items that stay, then
 * whole items, in reverse order of dependency (D4).
 *
 * @returns false when the run was paused because its limits are exceeded and this set is not confirmed
 */
export async function pruneDestination(context: RunContext): Promise<boolean> {
  await findItems(context)
  const permission = await mayDelete(context)
  if (permission === 'requested') return false
  if (permission === 'declined') return withholdAll(context)
  const isDryRun = context.run.mode === 'dry-run'
  if (isDryRun) await warnBeyondLimits(context)
  // A dry run leaves what was in the way on the list, and has counted it already.
  const which = isDryRun ? 'others' : 'all'
  for (const { entity, pass } of passesInReverse(context)) await deleteFrom(context, { entity, pass, which })
  for (const { entity, pass } of passesInReverse(context))
    await unlessRefused(context, { entity, pass }, () => deleteItems(context, entity, pass))
  return true
}

/**
 * Deletes children that are in the way of what a pass has to write, then writes that. It cannot wait for the end: later
 * passes refer to what is written, and orders are written only once.
 *
 * @returns false when the run was paused, as by `pruneDestination`
 */
export async function makeRoom(context: RunContext, entity: Entity, pass: Pass): Promise<boolean> {
  const waiting = { entity, pass, which: 'at-once' as const }
  if (!(await losesChildren(context, waiting))) return true
  const permission = await mayDelete(context)
  if (permission === 'requested') return false
  await deleteFrom(context, waiting, permission)
  return true
}

interface Losing {
  entity: Entity
  pass: Pass
  which: 'all' | 'at-once' | 'others'
}

async function losesChildren({ database, run }: RunContext, { pass, which }: Losing): Promise<boolean> {
  const some = await itemsLosingChildren(database, run.id, { pass: pass.key, which }, { after: '', limit: 1 })
  return some.length > 0
}

/** @param permission unless granted, nothing is deleted, and what had to wait is written as far as possible */
async function deleteFrom(context: RunContext, losing: Losing, permission: Permission = 'granted'): Promise<void> {
  const { entity, pass } = losing
  if (!(await losesChildren(context, losing))) return
  const refusal = await unlessRefused(context, { entity, pass }, () =>
    deleteChildren(context, entity, pass, losingChildren(context, losing, permission)),
  )
  if (refusal) await failPending(context, entity, pass, refusal)
}

/** Records that whatever was not deleted stays. */
export async function endDeletions(context: RunContext): Promise<void> {
  if (context.run.mode !== 'full') return
  await context.recorder.record(async (tx) => void (await keepPlanned(tx, context.run)))
}

async function* losingChildren(
  { database, run }: RunContext,
  { pass, which }: Losing,
  permission: Permission,
): AsyncGenerator<LosingChildren> {
  for (let after = ''; ; ) {
    const rootIds = await itemsLosingChildren(database, run.id, { pass: pass.key, which }, { after, limit: atOnce })
    const last = rootIds.at(-1)
    if (last === undefined) return
    after = last
    const planned = await plannedChildren(database, run.id, { pass: pass.key, which }, rootIds)
    yield { rootIds, planned: permission === 'granted' ? planned : [] }
  }
}

async function withholdAll(context: RunContext): Promise<true> {
  const kept: { phase: string; component: string }[] = []
  await context.recorder.record(async (tx) => {
    kept.push(...(await keepPlanned(tx, context.run)))
  })
  for (const { phase, component } of kept)
    await withhold(context, { key: phase }, component, 'the run was resumed without a confirmation')
  return true
}

async function warnBeyondLimits(context: RunContext): Promise<void> {
  const found = await countDeletions(context.database, context.run.id)
  if (!(await exceedsLimits(context, found))) return
  for (const one of found) await warnOfLimits(context, one)
}
