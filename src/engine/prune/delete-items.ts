import type { InTransaction } from '../../db/core/database.ts'
import { plannedItems, settleDeletions } from '../../db/ledger/deletions.ts'
import type { BeforeImage } from '../../db/ledger/intents.ts'
import { forgetMappings } from '../../db/ledger/mappings.ts'
import type { Component } from '../../entities/core/component.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import { inParts } from '../../model/in-parts.ts'
import type { RunContext } from '../context/context.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { notPrunedIssue } from '../plan/plan-issues.ts'
import { recordIssues } from '../plan/record-plan.ts'
import { itemsByIds } from '../read/by-ids.ts'
import type { Writes } from '../send/writes.ts'
import { reasonOf } from '../write/item-issues.ts'
import { reportPruned } from '../write/simulated-differences.ts'
import { checkedAtOnce, stillDoomed } from './changed-since.ts'
import { type Candidate, candidateOf } from './find-items.ts'
import { deletionsPerReading, matchingInSource } from './matching-in-source.ts'

/** How many items are read together before they are deleted: as many products as one page shows in full. */
const atOnce = 10

/** Deletes the whole items of a pass that are planned for deletion, in the order of the list of deletions. */
export async function deleteItems(context: RunContext, entity: Entity, pass: Pass): Promise<void> {
  const { database, run } = context
  const writer = openWriter(context, (wait) => wait())
  // In a hierarchy the order matters, so items are deleted one at a time.
  const step = pass.parentOf ? 1 : atOnce
  const page = { limit: pass.sameKey ? checkedAtOnce(pass) : deletionsPerReading }
  for (let after: { position: number; id: number } | null = null; ; ) {
    const rows = await plannedItems(database, run.id, { pass: pass.key, component: pass.root }, { ...page, after })
    const last = rows.at(-1)
    if (!last) return
    after = { position: last.position, id: last.id }
    const matched = await matchedByWholeList(context, pass, rows)
    for (const items of inParts(rows.map(candidateOf), checkedAtOnce(pass))) {
      const left = await leftToDelete(context, entity, pass, items, matched)
      for (const some of inParts(left, step)) await removeTogether({ context, writer, entity, pass }, some)
    }
  }
}

/** Undefined where the source can be asked for single keys, or nothing is deleted. */
async function matchedByWholeList(
  context: RunContext,
  pass: Pass,
  rows: { destinationId: string }[],
): Promise<Set<string> | undefined> {
  if (pass.sameKey || context.run.mode === 'dry-run') return undefined
  return matchingInSource(
    context,
    pass,
    rows.map(({ destinationId }) => destinationId),
  )
}

/** A dry run keeps them all on the list: it deletes nothing, so it need not check what changed. */
async function leftToDelete(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  items: Candidate[],
  matched: ReadonlySet<string> | undefined,
): Promise<Candidate[]> {
  if (context.run.mode === 'dry-run') return items
  const { doomed, kept } = await stillDoomed(context, entity, pass, items, matched)
  const ids = kept.map(({ id }) => id)
  if (ids.length > 0) await context.recorder.record((tx) => settleDeletions(tx, context.run, pass.root, ids, 'kept'))
  return doomed
}

const unnamed = { name: null, sku: null }

interface Deleting {
  context: RunContext
  writer: Writes
  entity: Entity
  pass: Pass
}

async function removeTogether(deleting: Deleting, some: Candidate[]): Promise<void> {
  const images = await imagesOf(deleting, some)
  await Promise.all(some.map((item) => removeOne(deleting, item, images.get(item.id))))
}

async function imagesOf(
  { context, pass }: Deleting,
  items: Candidate[],
): Promise<Map<string, BeforeImage | undefined>> {
  // A dry run deletes nothing, so there is nothing to keep.
  if (context.run.mode === 'dry-run') return new Map()
  if (!pass.byIds) return new Map(items.map(({ id, listed }) => [id, listed.image]))
  const ids = items.map(({ id }) => id)
  const names = new Map(items.map(({ id, listed }) => [id, listed.item]))
  const whole = await itemsByIds(context, 'destination', pass, ids)
  return new Map(
    whole.map((item) => {
      const id = String(item[pass.destination.idField])
      return [id, context.protection.image(pass.root, id, item, names.get(id) ?? unnamed)]
    }),
  )
}

async function removeOne(
  { context, writer, entity, pass }: Deleting,
  item: Candidate,
  before: BeforeImage | undefined,
): Promise<void> {
  const component = componentOf(pass.root)
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
    const called = calledItem({ component: component.key, id: item.id, name: item.listed.item.name }, 'destination')
    const about = { component: component.key, id: item.id, item: item.listed.item }
    const message = `Could not delete ${called}, which the source does not have: ${reasonOf(context, existing, refusal)}.`
    await recordIssues(tx, tally, context, [notPrunedIssue(entity, about, message)])
  })
}

/** Forgets the mapping of a copy whose source item no longer exists. */
function forgetCopy(context: RunContext, { root }: Pass, { sourceId }: Candidate, tx: InTransaction): Promise<void> {
  const scope = context.references.scope(root)
  return forgetMappings(tx, context.pair, sourceId === null ? [] : [{ scope, component: root, sourceId }])
}

function draftOf(component: Component, { id, listed }: Pick<Candidate, 'id' | 'listed'>): Draft {
  return draft(component.key, id, {}, { ...listed.item, parentId: listed.parentId ?? null })
}
