import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { namedByOthers, passOf } from '../../entities/registry.ts'
import { formatPending } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { namesOf, pairUp } from '../core/pairing.ts'
import { namesIn, type Resolved } from '../core/references.ts'
import { itemsByIds } from '../read/by-ids.ts'
import { type AdoptedChild, adoptChildren } from './named-children.ts'

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
  for (const [component, some] of Map.groupBy(owners.values(), ({ copy }) => copy.component))
    if (await adoptChildren(context, await childrenOf(context, component, some))) found = true
  return found
}

async function ownersOf(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>()
  const { learnedOwners, references } = context
  if (learnedOwners.size > mostRemembered) learnedOwners.clear()
  const incomplete = resolved.flatMap((one, at) => {
    if (one instanceof MissingReference) return []
    const names = namesIn(pass, items[at] as PlatformItem)
    const unknown = names.filter(({ component, sourceId }) => isOptional(one, component, sourceId))
    return unknown.length > 0 ? [{ one, names, unknown }] : []
  })
  const copies = await references.mappings(
    incomplete.map(({ one }) => ({ component: pass.root, sourceId: one.draft.id })),
  )
  for (const { one, names, unknown } of incomplete) {
    if (copies.has(`${pass.root}:${one.draft.id}`)) continue
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

async function childrenOf(context: RunContext, component: string, owners: Owner[]): Promise<AdoptedChild[]> {
  const pass = passOf(component)
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
    return pairsBelow(ours, theirs).filter(
      ({ draft }) => named.has(draft.component) && !known.has(`${draft.component}:${draft.id}`),
    )
  })
}

/** Children that share a key, at every level. */
function pairsBelow(ours: Draft, theirs: Draft): AdoptedChild[] {
  return pairUp(ours.children, theirs.children).pairs.flatMap(({ desired: draft, existing }): AdoptedChild[] =>
    existing && draft.keys.length > 0 ? [{ draft, existing }, ...pairsBelow(draft, existing)] : [],
  )
}
