import { forgetMappings } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { healItems } from '../pass/heal-items.ts'
import { forgetGoneChildren } from '../plan/forget-gone-children.ts'
import { readNow } from '../read/by-ids.ts'
import { existingCopies } from '../read/unlisted.ts'

interface Home {
  entity: Entity
  pass: Pass
}

/** Resolves items, by the root's id. Items that cannot be written are left out. */
export async function resolveWritable(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
): Promise<Map<string, Resolved>> {
  const resolved = await context.references.resolve(pass, items)
  const good = resolved.filter((one): one is Resolved => !(one instanceof MissingReference))
  return new Map(good.map((one) => [one.draft.id, one]))
}

/**
 * Handles references to items that were deleted at the destination. Items in scope are created again. The mappings of
 * others, and of children, are forgotten, so that the items are matched again or left out (C4).
 */
export async function restoreReferenced(context: RunContext, pass: Pass, items: PlatformItem[]): Promise<void> {
  if (items.length === 0) return
  const resolved = await resolveWritable(context, pass, items)
  // Items of a page share what they were resolved with.
  const known = [...new Set([...resolved.values()].map((one) => one.known))].flatMap((one) => [...one.values()])
  for (const [component, mappings] of Map.groupBy(known, (mapping) => mapping.component)) {
    const home = homeOf(component)
    if (!home) {
      await forgetGoneChildren(context, component, mappings)
      continue
    }
    if (staysGone(context, home)) continue
    const ids = [...new Set(mappings.map(({ destinationId }) => destinationId))]
    const existing = await existingCopies(context, home.pass, ids, { compares: false })
    const gone = new Map(mappings.filter((one) => !existing.has(one.destinationId)).map((one) => [one.sourceId, one]))
    if (gone.size > 0) await restoreGone(context, home, [...gone.values()])
  }
}

async function restoreGone(context: RunContext, { entity, pass }: Home, gone: Mapping[]): Promise<void> {
  const inScope = context.run.phases.includes(entity.key)
  const ids = gone.map(({ sourceId }) => sourceId)
  const items = inScope ? await readNow(context, 'source', pass, ids) : []
  const read = new Set(items.map((item) => String(item[pass.source.idField])))
  await context.recorder.record((tx) =>
    forgetMappings(
      tx,
      context.pair,
      gone.filter(({ sourceId }) => !read.has(sourceId)),
    ),
  )
  // What they refer to may be gone as well.
  await restoreReferenced(context, pass, items)
  if (items.length === 0) return
  await healItems(context, entity, pass, { alone: false, items, closed: new Map() })
}

/** The pass that reads a component; undefined if the component is only paired (channels). */
function homeOf(component: string): Home | undefined {
  for (const entity of entities) for (const pass of entity.passes) if (pass.root === component) return { entity, pass }
  return undefined
}

/** Whether mappings must stay: only its mapping keeps an erased person from being created again (G12). */
function staysGone(context: RunContext, { entity, pass }: Home): boolean {
  return componentOf(pass.root).staysErased === true && !context.run.phases.includes(entity.key)
}
