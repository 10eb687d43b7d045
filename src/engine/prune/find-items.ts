import {
  type DeletionToWrite,
  dropAboveKept,
  dropBelowPlanned,
  forgetPlannedDeletions,
  keptBelowPlanned,
  orderByDepth,
  saveDeletions,
} from '../../db/ledger/deletions.ts'
import { listedItems } from '../../db/ledger/destination-items.ts'
import {
  candidatesAfter,
  findCandidates,
  findCopiesWithoutSource,
  pruneConditions,
  refusedCopies,
  type WithoutSource,
} from '../../db/ledger/prune.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import { isTaken } from '../../model/healing.ts'
import { inParts } from '../../model/in-parts.ts'
import type { RunContext } from '../context/context.ts'
import { existingInSource, readNow } from '../read/by-ids.ts'
import { keepListed, type ListedBody } from '../read/destination-lister.ts'
import { redirectsMade } from '../read/made-redirects.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { mayPrune, withinScope } from '../scope/partial-run.ts'
import { leaveToOthers } from '../scope/shared-copies.ts'
import { withoutProtected } from './protected-items.ts'
import { reasonToWithhold, refusedList } from './prune-plan.ts'
import { warnOfHidden, withheldIn, withhold } from './warnings.ts'

/** A whole item that only the destination has, or a copy whose source item no longer exists. */
export interface Candidate {
  id: string
  /** The source item that no longer exists; null if this is not a copy. */
  sourceId: string | null
  /** Destination id of its parent, an item of another pass. */
  parentId: string | undefined
  listed: ListedBody
}

/** How many items are looked at together. */
const atOnce = 500

/** Entities and passes in order of deletion: what refers to other items is deleted before them. */
export function* passesInReverse(context: RunContext): Generator<{ entity: Entity; pass: Pass }> {
  for (const entity of [...entities].reverse())
    if (context.run.phases.includes(entity.key)) for (const pass of [...entity.passes].reverse()) yield { entity, pass }
}

/**
 * Writes all whole items that may be deleted to the list of deletions, a page at a time (D4, G4). What an earlier attempt
 * found is found anew, and so is why nothing of a component may be deleted.
 */
export async function findItems(context: RunContext): Promise<void> {
  const withheld = [...passesInReverse(context)].map(({ pass }) => withheldIn(pass.root))
  await context.recorder.record(async (tx) => {
    await forgetPlannedDeletions(tx, context.run)
    await settleIssues(tx, context.run, withheld)
  })
  for (const { entity, pass } of passesInReverse(context)) {
    if (entity.prune === 'never') continue
    const refusal = await unlessRefused(context, { entity, pass }, () => findOfPass(context, entity, pass))
    if (refusal) await withhold(context, entity, pass.root, refusedList)
  }
  const { run, recorder } = context
  for (const { pass } of passesInReverse(context)) {
    const { below, root } = pass
    const isBeforeParents = componentOf(root).remove?.before === 'parent'
    // They are deleted with their parents, unless those can only be deleted after them.
    if (below !== undefined && !isBeforeParents)
      await recorder.record((tx) => dropBelowPlanned(tx, run.id, root, below))
  }
}

async function findOfPass(context: RunContext, entity: Entity, pass: Pass): Promise<void> {
  const { database, run, pair, recorder, references } = context
  const { root } = pass
  if (!componentOf(root).remove || !mayPrune(context, root)) return
  const of = { scope: references.scope(root), component: root }
  await findCandidates(database, pair, { runId: run.id, ...of })
  await findCopiesWithoutSource(database, pair, { runId: run.id, ...of })
  // Items that collided with what is deleted now are written afterwards (D4).
  const collided = (await refusedCopies(database, pair, run.id, of)).filter(({ platform }) => isTaken(platform)).length
  const { failed, ...conditions } = await pruneConditions(database, run, root)
  const reason = reasonToWithhold({ ...conditions, failed: failed - collided })
  let hidden = false
  for await (const some of candidates(context, pass)) {
    // Do not query the source: it may be the store that refused the list.
    if (reason) return withhold(context, entity, root, reason)
    const found = await withoutShared(context, pass, await withoutExisting(context, pass, some))
    hidden ||= found.some(({ listed }) => listed.hiddenFromOthers)
    const seen = found.filter(({ listed }) => !listed.hiddenFromOthers)
    await saveFound(context, entity, pass, seen)
  }
  if (hidden) await warnOfHidden(context, entity, root)
  if (!pass.parentOf) return
  await readBelowAgain(context, pass)
  await recorder.record(async (tx) => {
    await dropAboveKept(tx, run.id, root)
    await orderByDepth(tx, run.id, root)
  })
}

/** Reads again the items that the run has moved out from under something it deletes, to learn their present parents. */
async function readBelowAgain(context: RunContext, pass: Pass): Promise<void> {
  const ids = await keptBelowPlanned(context.database, context.run.id, pass.root)
  for (const some of inParts(ids, atOnce))
    await keepListed(context, pass, await readNow(context, 'destination', pass, some), { compares: true })
}

/**
 * Pages of destination items in scope that `replace` may delete and that no list of the source has shown. No page is
 * empty.
 */
async function* candidates(context: RunContext, pass: Pass): AsyncGenerator<Candidate[]> {
  const { run, database } = context
  const made = await redirectsMade(context, pass)
  for (let after = ''; ; ) {
    const rows = await candidatesAfter(database, { runId: run.id, component: pass.root, after, limit: atOnce })
    const last = rows.at(-1)
    if (!last) return
    after = last.destinationId
    const there = rows
      .map(candidateOf)
      .filter(({ listed }) => !(listed.byShoppers && !run.pruneLive.includes(pass.root)))
      .filter(({ id }) => !made.has(id))
    const inScope = await withinScope(context, pass, await withoutProtected(context, pass, there))
    if (inScope.length > 0) yield inScope
  }
}

export function candidateOf({ destinationId: id, sourceId, body }: WithoutSource): Candidate {
  // Listing the destination saved it.
  const listed = body as ListedBody
  return { id, sourceId, parentId: listed.parentId, listed }
}

async function saveFound(context: RunContext, entity: Entity, pass: Pass, found: Candidate[]): Promise<void> {
  const never = await neverDeleted(context, pass, found)
  const parents = await parentNames(context, pass, found)
  const rowsOf = (items: Candidate[]) => items.map((one) => rowOf(entity, pass, one, parents))
  await context.recorder.record(async (tx) => {
    await saveDeletions(tx, context.run, pass.key, rowsOf(found.filter(({ id }) => !never.has(id))), 'planned')
    await saveDeletions(tx, context.run, pass.key, rowsOf(found.filter(({ id }) => never.has(id))), 'kept')
  })
}

/** Items that stay whatever the request names, such as customers with orders (G3). */
async function neverDeleted(context: RunContext, pass: Pass, items: Candidate[]): Promise<Set<string>> {
  const ids = items.map(({ id }) => id)
  const { remove } = componentOf(pass.root)
  return (await remove?.never?.(context.destination, ids, context.lease.stop)) ?? new Set()
}

/** Leaves out copies whose source item exists although no list showed it. */
async function withoutExisting(context: RunContext, pass: Pass, items: Candidate[]): Promise<Candidate[]> {
  const sourceIds = items.flatMap(({ sourceId }) => sourceId ?? [])
  const existing = await existingInSource(context, pass, sourceIds)
  return items.filter(({ sourceId }) => sourceId === null || !existing.has(sourceId))
}

/** Leaves out copies whose items others had as well. */
async function withoutShared(context: RunContext, { root }: Pass, items: Candidate[]): Promise<Candidate[]> {
  const ids = items.map(({ id }) => id)
  const shared = await leaveToOthers(context, root, ids)
  return items.filter(({ id }) => !shared.has(id))
}

async function parentNames(
  { database, run }: RunContext,
  { below }: Pass,
  items: Candidate[],
): Promise<Map<string, string | null>> {
  if (below === undefined) return new Map()
  const ids = [...new Set(items.flatMap(({ parentId }) => parentId ?? []))]
  const parents = await listedItems(database, run.id, below, ids)
  return new Map([...parents].map(([id, body]) => [id, (body as ListedBody).item.name]))
}

function rowOf(
  entity: Entity,
  pass: Pass,
  { id, parentId, sourceId, listed }: Candidate,
  parents: Map<string, string | null>,
): DeletionToWrite {
  return {
    phase: entity.key,
    component: pass.root,
    destinationId: id,
    parentId: parentId ?? '',
    parentName: parents.get(parentId ?? '') ?? null,
    item: listed.item,
    reason: sourceId === null ? 'destination_only' : 'source_deleted',
    sourceId,
    above: listed.above ?? null,
  }
}
