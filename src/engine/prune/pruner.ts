import type { InTransaction } from '../../db/core/database.ts'
import { settleDeletions } from '../../db/ledger/deletions.ts'
import type { BeforeImage } from '../../db/ledger/intents.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { forgetMappings } from '../../db/ledger/mappings.ts'
import {
  findAboveKept,
  pruneConditions,
  requestPruneConfirmation,
  type WithoutSource,
  withoutSource,
} from '../../db/ledger/prune.ts'
import { leaveInProgress } from '../../db/runs/run-life.ts'
import type { Component } from '../../entities/core/component.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import { isMadeRedirect } from '../../model/made-redirects.ts'
import type { RunContext } from '../context/context.ts'
import { inParts } from '../core/in-parts.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { existingInSource, itemsByIds } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { mayPrune, withinScope } from '../scope/partial-run.ts'
import type { Writes } from '../send/writes.ts'
import { reportPruned } from '../write/simulated-differences.ts'
import { checkedAtOnce, stillDoomed } from './changed-since.ts'
import {
  childrenFirst,
  digestOf,
  exceeds,
  type Group,
  keepingAncestors,
  reasonToWithhold,
  refusedList,
  withoutChildren,
} from './prune-plan.ts'
import { recordPlanned } from './record-deletions.ts'

export interface Candidate {
  id: string
  /** Of a copy: the source item that no longer exists; null for what is no copy. */
  sourceId: string | null
  /** Destination id of the item of another pass that it belongs to. */
  parentId: string | undefined
  /** Destination id of its parent in a hierarchy. */
  above: string | undefined
  listed: ListedBody
}

/** Destination-only items of one component that may be deleted. */
export interface Doomed extends Group {
  entity: Entity
  pass: Pass
  component: Component
  items: Candidate[]
  /** Kept although the request names their component. */
  never: Candidate[]
}

/** Read together before they are deleted: as many products as one page shows in full. */
const atOnce = 10
const listedAtOnce = 500

/**
 * Deletes what only the destination has, after all else was copied, in reverse order of dependency (D4).
 *
 * @returns false when the run was paused, because its limits are exceeded and this set is not confirmed
 */
export async function pruneDestination(context: RunContext): Promise<boolean> {
  const doomed = await findDoomed(context)
  await recordPlanned(context, doomed)
  const digest = digestOf(doomed)
  const items = doomed.reduce((sum, one) => sum + one.items.length, 0)
  if (items === 0) return true
  const { prune } = context.run
  if (exceeds(context.run, doomed) && !(prune.answer === 'confirmed' && prune.digest === digest)) {
    if (context.run.mode === 'dry-run') await warnOfLimits(context, doomed)
    else if (prune.answer !== 'declined') return askFirst(context, digest, items)
    else return withholdAll(context, doomed)
  }
  const writer = openWriter(context, (wait) => wait())
  for (const one of doomed) await unlessRefused(context, one, () => remove(context, writer, one))
  return true
}

async function withholdAll(context: RunContext, doomed: Doomed[]): Promise<true> {
  for (const one of doomed) {
    await withhold(context, one.entity, one.pass, 'the run was resumed without a confirmation')
    await keep(context, one, one.items)
  }
  return true
}

/** A dry run does not wait for an answer; it warns that the real run would (F2). */
async function warnOfLimits(context: RunContext, doomed: Doomed[]): Promise<void> {
  for (const { entity, pass, items } of doomed) {
    const { label } = componentOf(pass.root)
    const message = `${label}: ${items.length} that only the destination has would be deleted. With all others that is more than the limits of the run allow, so it would pause and ask first.`
    await warn(context, entity, pass, 'prune_would_ask', message)
  }
}

async function askFirst(context: RunContext, digest: string, items: number): Promise<false> {
  await context.recorder.record(async (tx) => {
    await requestPruneConfirmation(tx, context.run.id, digest, items)
    await leaveInProgress(tx, context.run, 'paused')
  })
  return false
}

async function findDoomed(context: RunContext): Promise<Doomed[]> {
  const found: Doomed[] = []
  for (const entity of [...entities].reverse()) {
    if (!context.run.phases.includes(entity.key) || entity.prune === 'never') continue
    for (const pass of [...entity.passes].reverse()) {
      const refusal = await unlessRefused(context, { entity, pass }, async () => {
        const doomed = await doomedOf(context, entity, pass)
        if (doomed) found.push(doomed)
      })
      if (refusal) await withhold(context, entity, pass, refusedList)
    }
  }
  return found.map((one) => withoutChildren(one, found))
}

/** Null when nothing of the pass is to be deleted. */
async function doomedOf(context: RunContext, entity: Entity, pass: Pass): Promise<Doomed | null> {
  const component = componentOf(pass.root)
  if (!component.remove || !mayPrune(context, pass.root)) return null
  const conditions = await pruneConditions(context.database, context.run, pass.root)
  const reason = reasonToWithhold(conditions)
  if (reason) {
    // The source is not asked: it may be what refused the list.
    const first = await withoutSourceThere(context, pass).next()
    if (!first.done) await withhold(context, entity, pass, reason)
    return null
  }
  const { items, never } = await onlyThere(context, pass)
  if (items.length + never.length === 0) return null
  return {
    entity,
    pass,
    component,
    root: pass.root,
    below: pass.below,
    beforeParents: component.remove.before === 'parent',
    listedCount: conditions.listed,
    items: await inOrder(context, pass, items),
    never,
  }
}

async function onlyThere(context: RunContext, pass: Pass): Promise<Pick<Doomed, 'items' | 'never'>> {
  const items: Candidate[] = []
  const kept: Candidate[] = []
  for await (const there of withoutSourceThere(context, pass)) {
    const sourceless = await withoutExisting(context, pass, there)
    const never = await neverDeleted(context, pass, sourceless)
    for (const one of sourceless) (never.has(one.id) ? kept : items).push(one)
  }
  return { items, never: kept }
}

/** Items of the destination in scope that `replace` may delete and no list of the source has shown; never an empty page. */
async function* withoutSourceThere(context: RunContext, pass: Pass): AsyncGenerator<Candidate[]> {
  const scope = context.references.scope(pass.root)
  for (let after = ''; ; ) {
    const requested = { runId: context.run.id, scope, component: pass.root, after, limit: listedAtOnce }
    const rows: WithoutSource[] = await withoutSource(context.database, context.pair, requested)
    if (rows.length === 0) return
    after = rows.at(-1)?.destinationId ?? after
    const there = rows
      .map((row) => candidate(row, row.body as ListedBody))
      .filter(({ listed }) => !listed.spared && !(listed.byShoppers && !context.run.pruneLive.includes(pass.root)))
      .filter(({ sourceId }) => sourceId === null || !isMadeRedirect(sourceId))
    const inScope = await withinScope(context, pass, there)
    if (inScope.length > 0) yield inScope
  }
}

/** Items that stay whatever the request names, such as customers with orders (G3). */
async function neverDeleted(context: RunContext, pass: Pass, items: Candidate[]): Promise<Set<string>> {
  const ids = items.map(({ id }) => id)
  const { remove } = componentOf(pass.root)
  return (await remove?.never?.(context.destination, ids, context.lease.stop)) ?? new Set()
}

/** Without copies whose source item exists although no list showed it. */
async function withoutExisting(context: RunContext, pass: Pass, items: Candidate[]): Promise<Candidate[]> {
  const sourceIds = items.flatMap(({ sourceId }) => sourceId ?? [])
  const existing = await existingInSource(context, pass, sourceIds)
  return items.filter(({ sourceId }) => sourceId === null || !existing.has(sourceId))
}

function candidate({ destinationId: id, sourceId }: WithoutSource, listed: ListedBody): Candidate {
  return { id, sourceId, parentId: listed.parentId, above: listed.above, listed }
}

/** A category stays while one below it is a copy, because that would be deleted with it. */
async function inOrder(context: RunContext, pass: Pass, items: Candidate[]): Promise<Candidate[]> {
  if (!pass.parentOf) return items
  const ids = items.map(({ id }) => id)
  const aboveKept = await findAboveKept(context.database, context.run.id, pass.root, ids)
  return childrenFirst(keepingAncestors(items, aboveKept))
}

async function withhold(context: RunContext, entity: Entity, pass: Pass, reason: string): Promise<void> {
  const { label } = componentOf(pass.root)
  const message = `${label}: nothing that only the destination has was deleted, because ${reason}.`
  await warn(context, entity, pass, 'prune_withheld', message)
}

async function warn(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  code: 'prune_withheld' | 'prune_would_ask',
  message: string,
): Promise<void> {
  const { key, label } = componentOf(pass.root)
  const item = { name: label, sku: null, path: null }
  await context.recorder.record(async (tx, tally) => {
    await saveIssues(tx, context.run, [
      { phase: entity.key, component: key, severity: 'warning', code, sourceId: '', item, message },
    ])
    tally.add(key, 'warnings')
  })
}

async function remove(context: RunContext, writer: Writes, doomed: Doomed): Promise<void> {
  // In a hierarchy the order matters: one after the other.
  const step = doomed.pass.parentOf ? 1 : atOnce
  for (const checked of inParts(doomed.items, checkedAtOnce(doomed.pass, doomed.items))) {
    const left = await leftToDelete(context, doomed, checked)
    for (const some of inParts(left, step)) await removeTogether(context, writer, doomed, some)
  }
}

/** In a dry run, all of them: nothing is deleted that could have changed. */
async function leftToDelete(context: RunContext, doomed: Doomed, items: Candidate[]): Promise<Candidate[]> {
  if (context.run.mode === 'dry-run') return items
  const { doomed: left, kept } = await stillDoomed(context, doomed.entity, doomed.pass, items)
  await keep(context, doomed, kept)
  return left
}

async function keep(context: RunContext, { root }: Doomed, items: readonly Candidate[]): Promise<void> {
  const ids = items.map(({ id }) => id)
  if (ids.length > 0) await context.recorder.record((tx) => settleDeletions(tx, context.run, root, ids, 'kept'))
}

async function removeTogether(context: RunContext, writer: Writes, doomed: Doomed, some: Candidate[]): Promise<void> {
  const images = await imagesOf(context, doomed, some)
  await Promise.all(
    some.map((item) => {
      const before = images.get(item.id)
      return removeOne(context, writer, doomed, { item, before })
    }),
  )
}

async function imagesOf(
  context: RunContext,
  { pass, component }: Doomed,
  items: Candidate[],
): Promise<Map<string, BeforeImage | undefined>> {
  // A dry run deletes nothing, so there is nothing to keep.
  if (context.run.mode === 'dry-run') return new Map()
  if (!pass.byIds) return new Map(items.map(({ id, listed }) => [id, listed.image]))
  const whole = await itemsByIds(
    context,
    'destination',
    pass,
    items.map(({ id }) => id),
  )
  return new Map(
    whole.map((item) => {
      const id = String(item[pass.destination.idField])
      return [id, context.protection.image(component.key, id, item)]
    }),
  )
}

async function removeOne(
  context: RunContext,
  writer: Writes,
  { entity, pass, component }: Doomed,
  { item, before }: { item: Candidate; before: BeforeImage | undefined },
): Promise<void> {
  const existing = draftOf(component, item)
  const call = component.remove?.call(existing, item.listed.parentId ?? '')
  if (!call) return
  const target = { pass: pass.key, rootId: item.id, parentId: item.listed.parentId ?? '', before, prunes: true }
  await writer.remove(component, existing, call, target, (refusal) => async (tx, tally) => {
    if (!refusal) {
      await forgetCopy(context, pass, item, tx)
      if (context.run.mode === 'full') await settleDeletions(tx, context.run, component.key, [item.id], 'deleted')
      return reportPruned(context, entity.key, existing, tx)
    }
    await settleDeletions(tx, context.run, component.key, [item.id], 'kept')
    tally.add(component.key, 'warnings')
    const name = item.listed.item.name ?? item.id
    await saveIssues(tx, context.run, [
      {
        phase: entity.key,
        component: component.key,
        severity: 'warning',
        code: 'not_pruned',
        sourceId: '',
        destinationId: item.id,
        item: item.listed.item,
        message: `Could not delete "${name}" (destination ${item.id}), which the source does not have: ${refusal.title}.`,
      },
    ])
  })
}

/** The copy of an item that no longer exists. */
function forgetCopy(context: RunContext, { root }: Pass, { sourceId }: Candidate, tx: InTransaction): Promise<void> {
  const scope = context.references.scope(root)
  return forgetMappings(tx, context.pair, sourceId === null ? [] : [{ scope, component: root, sourceId }])
}

function draftOf(component: Component, { id, listed }: Pick<Candidate, 'id' | 'listed'>): Draft {
  return draft(component.key, id, {}, { ...listed.item, parentId: listed.parentId ?? null })
}
