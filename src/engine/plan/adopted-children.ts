import { releaseClaims, saveMappings } from '../../db/ledger/mappings.ts'
import type { Mapping, NewMapping } from '../../db/ledger/store-pair.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { entities, namedByOthers } from '../../entities/registry.ts'
import { destinationId } from '../../model/destination-id.ts'
import { formatPending } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { namesOf, pairUp } from '../core/pairing.ts'
import { namesIn, type Resolved } from '../core/references.ts'
import { itemsByIds } from '../read/by-ids.ts'

/** How many owners are remembered as looked up. More take memory; with fewer, lookups repeat. */
const mostRemembered = 20_000

/** An item that `skip` adopted, with the components of its children that items of a page refer to. */
interface Owner {
  copy: Mapping
  named: ReadonlySet<string>
}

/**
 * Children of an adopted item are not mapped, because the item is not read. For items that can be written without them
 * (lines of orders, which refer to a variant, its options and modifiers), all children of the item are looked up in both
 * stores at once, and adopted.
 *
 * @returns whether any were found, so that the page has to be resolved again
 */
export async function learnChildrenOfAdopted(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<boolean> {
  // Other items need what they refer to, or it stays pending.
  if (!pass.createOnly) return false
  const owners = await ownersOf(context, pass, items, resolved)
  let found = false
  for (const [component, some] of Map.groupBy(owners.values(), ({ copy }) => copy.component)) {
    const mappings = await childMappings(context, component, some)
    if (mappings.length === 0) continue
    found = true
    await context.recorder.record(async (tx) => {
      // They may be known as the children of an item that the source no longer has.
      await releaseClaims(tx, context.pair, mappings)
      await saveMappings(tx, context.pair, mappings)
    })
  }
  return found
}

async function ownersOf(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>()
  const { learnedOwners } = context
  if (learnedOwners.size > mostRemembered) learnedOwners.clear()
  const roots = resolved.flatMap((one) => (one instanceof MissingReference ? [] : one.draft))
  const copies = await context.references.mappings(roots.map(({ id }) => ({ component: pass.root, sourceId: id })))
  for (const [at, one] of resolved.entries()) {
    if (one instanceof MissingReference || copies.has(`${pass.root}:${one.draft.id}`)) continue
    const names = namesIn(pass, items[at] as PlatformItem)
    const unknown = names.filter(({ component, sourceId }) => isOptional(one, component, sourceId))
    const parents = new Set(unknown.flatMap(({ component }) => namedByOthers.get(component)?.on ?? []))
    const named = new Set(unknown.map(({ component }) => component))
    for (const { component, sourceId } of names) {
      const copy = parents.has(component) ? one.known.get(`${component}:${sourceId}`) : undefined
      if (copy?.origin !== 'adopted' || learnedOwners.has(`${component}:${sourceId}`)) continue
      owners.set(`${component}:${sourceId}`, { copy, named })
    }
  }
  for (const key of owners.keys()) learnedOwners.add(key)
  return owners
}

/** Whether the reference has no counterpart, and the item can be written without it. */
function isOptional({ known, missing }: Resolved, component: string, sourceId: string): boolean {
  return (
    !known.has(`${component}:${sourceId}`) &&
    !missing.includes(formatPending({ kind: 'reference', component, sourceId }))
  )
}

async function childMappings(context: RunContext, component: string, owners: Owner[]): Promise<NewMapping[]> {
  const pass = entities.flatMap(({ passes }) => passes).find(({ root }) => root === component)
  if (!pass?.byIds) return []
  const read = async (side: 'source' | 'destination', ids: string[]) => {
    const rows = await itemsByIds(context, side, pass, ids)
    return new Map(rows.map((row) => pass.drafts(row, identity)).map((draft) => [draft.id, draft]))
  }
  const [sources, existing] = await Promise.all([
    read(
      'source',
      owners.map(({ copy }) => copy.sourceId),
    ),
    read(
      'destination',
      owners.map(({ copy }) => copy.destinationId),
    ),
  ])
  const children = [...sources.values()].flatMap((draft) => namesOf(draft).slice(1))
  const known = await context.references.mappings(children)
  return owners.flatMap(({ copy, named }) => {
    const [ours, theirs] = [sources.get(copy.sourceId), existing.get(copy.destinationId)]
    if (!ours || !theirs) return []
    return pairsBelow(ours, theirs)
      .filter(([draft]) => named.has(draft.component) && !known.has(`${draft.component}:${draft.id}`))
      .map(([draft, counterpart]) => adopted(context, draft, counterpart))
  })
}

/** Children that share a key, at every level. */
function pairsBelow(ours: Draft, theirs: Draft): [Draft, Draft][] {
  return pairUp(ours.children, theirs.children).pairs.flatMap(({ desired, existing }): [Draft, Draft][] =>
    existing && desired.keys.length > 0 ? [[desired, existing], ...pairsBelow(desired, existing)] : [],
  )
}

function adopted(context: RunContext, draft: Draft, counterpart: Draft): NewMapping {
  return {
    scope: context.references.scope(draft.component),
    component: draft.component,
    sourceId: draft.id,
    destinationId: destinationId(counterpart.id),
    origin: 'adopted',
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId: context.run.id,
    names: context.protection.names(draft),
  }
}
