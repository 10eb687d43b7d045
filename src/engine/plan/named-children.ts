import { releaseClaims, saveMappings } from '../../db/ledger/mappings.ts'
import type { Mapping, NewMapping } from '../../db/ledger/store-pair.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { componentOf, namedByOthers } from '../../entities/registry.ts'
import { destinationId } from '../../model/destination-id.ts'
import { namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { namedBy, type Resolved } from '../core/references.ts'

interface Named {
  component: string
  sourceId: string
}

/**
 * Children of an adopted item are not mapped, because the item is not read. If other items refer to them (a promotion
 * refers to variants), they are looked up in both stores and adopted.
 *
 * @returns whether any were found, so that the page has to be resolved again
 */
export async function learnNamedChildren(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<boolean> {
  const missing = resolved.flatMap((one, at) => missingOf(pass, items[at] as PlatformItem, one))
  if (missing.length === 0) return false
  const distinct = [...new Map(missing.map((one) => [nameOf(one), one])).values()]
  const siblings = (await siblingsOf(context, distinct)).filter(({ copy }) => copy.origin === 'adopted')
  return adoptChildren(context, (await Promise.all(siblings.map((some) => atDestination(context, some)))).flat())
}

function missingOf(pass: Pass, item: PlatformItem, one: Resolved | MissingReference): Named[] {
  const named =
    one instanceof MissingReference
      ? namedBy(pass, item, one.component).map((sourceId) => ({ component: one.component, sourceId }))
      : namedItems(one.missing, 'reference', 'link')
  return named.filter(({ component }) => namedByOthers.has(component))
}

const nameOf = ({ component, sourceId }: Named) => `${component}:${sourceId}`

interface Child {
  key: string
  draft: Draft
  owner: Named
}

/** Children of one item that has a copy. */
export interface Siblings {
  children: Child[]
  copy: Mapping
}

/** The children as the source has them, by owner. Those that are gone, or whose owner has no copy, are left out. */
export async function siblingsOf(context: RunContext, named: Named[]): Promise<Siblings[]> {
  const there = (await Promise.all(named.map((one) => atSource(context, one)))).flatMap((one) => one ?? [])
  const copies = await context.references.mappings(there.map(({ owner }) => owner))
  const byOwner = Map.groupBy(there, ({ key, owner }) => `${key} ${nameOf(owner)}`)
  return [...byOwner.values()].flatMap((children) => {
    const copy = children[0] && copies.get(nameOf(children[0].owner))
    return copy ? [{ children, copy }] : []
  })
}

/** Children of the owner's copy that have their keys. */
export async function findSiblings(context: RunContext, { children, copy }: Siblings): Promise<Draft[]> {
  const sought = { keys: children.map(({ draft }) => draft.keys), parentIds: [copy.destinationId] }
  return (await componentOf(children[0]?.key ?? '').probe?.(context.destination, sought)) ?? []
}

async function atSource(context: RunContext, { component: key, sourceId }: Named): Promise<Child | undefined> {
  const child = namedByOthers.get(key)
  const there = await child?.find(context.source, sourceId)
  return child && there && { key, draft: there.draft, owner: { component: child.on, sourceId: there.ownerId } }
}

async function atDestination(context: RunContext, siblings: Siblings): Promise<AdoptedChild[]> {
  const existing = await findSiblings(context, siblings)
  return siblings.children.flatMap(({ draft }) => {
    const found = existing.find((one) => one.keys.some((own) => draft.keys.includes(own)))
    return found ? [{ draft, existing: found }] : []
  })
}

/** A child of an adopted item, and its counterpart. */
export interface AdoptedChild {
  draft: Draft
  existing: Draft
}

/** @returns whether there were any */
export async function adoptChildren(context: RunContext, children: AdoptedChild[]): Promise<boolean> {
  if (children.length === 0) return false
  const { pair, protection, recorder, references, run } = context
  const mappings = children.map(
    ({ draft, existing }): NewMapping => ({
      scope: references.scope(draft.component),
      component: draft.component,
      sourceId: draft.id,
      destinationId: destinationId(existing.id),
      origin: 'adopted',
      owed: [],
      draftChecksum: null,
      destinationChecksum: null,
      runId: run.id,
      names: protection.names(draft),
    }),
  )
  await recorder.record(async (tx) => {
    // They may be known as the children of an item that the source no longer has.
    await releaseClaims(tx, pair, mappings)
    await saveMappings(tx, pair, mappings)
  })
  return true
}
