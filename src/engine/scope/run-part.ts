import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import {
  inScopeAtDestination,
  inScopeAtSource,
  markItemsInScope,
  type Reason,
  type Side,
  scopedIds,
} from '../../db/runs/scope-items.ts'
import { type Draft, outsideField, outsideOf, type PlatformItem } from '../../entities/core/draft.ts'
import type { Pass, StorefrontIds } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import { entities, scopeOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { everyDraft } from '../core/pairing.ts'
import { namedBy } from '../core/references.ts'
import { readStorefrontIds } from '../core/storefront-ids.ts'

/** A run over picked items, or over one storefront of each store; any other covers whole stores. */
export function isPartialRun({ run }: RunContext): boolean {
  return run.selective || isStorefrontRun({ run })
}

export function isStorefrontRun({ run }: { run: Pick<RunContext['run'], 'sourceStorefront'> }): boolean {
  return run.sourceStorefront !== null
}

/** What somebody picked, with what it needs; a verify compares the picks only, because the rest may be left alone. */
export function readsPicks({ run }: RunContext, { picks }: Pass): boolean {
  return run.selective && picks !== undefined
}

/** The next picked ids of a pass, by size. */
export function nextPicks(context: RunContext, { root, picks }: Pass, after: string, limit: number): Promise<string[]> {
  const both = context.run.mode !== 'verify' && picks?.of === undefined
  const reasons: Reason[] = both ? ['picked', 'needed'] : ['picked']
  return scopedIds(context.database, context.run.id, { component: picks?.of ?? root, reasons, after, limit })
}

async function storefrontOf(context: RunContext, side: Side): Promise<StorefrontIds> {
  const known = context.storefronts.get(side)
  // A storefront without a tree may get one during the run.
  if (known && known.treeId !== null) return known
  const id = side === 'source' ? context.run.sourceStorefront : context.run.destStorefront
  const storefront = await readStorefrontIds(context[side], id ?? '', context.lease.stop)
  context.storefronts.set(side, storefront)
  return storefront
}

/** The part of the list that the run's storefront has on that side; null when it has none of it (D3). */
export async function partOfList(
  context: RunContext,
  side: Side,
  pass: Pass,
  reading: Reading,
): Promise<Reading | null> {
  if (!isStorefrontRun(context) || !pass.storefront) return reading
  // Keys of what belongs to the whole store are unique in the whole store.
  if (side === 'destination' && scopeOf(pass.root) === 'store') return reading
  const filter = pass.storefront(await storefrontOf(context, side))
  return filter && { ...reading, query: { ...reading.query, ...filter } }
}

/** What part of a list of picks belongs to the source's storefront. */
export async function filterOfPicks(context: RunContext, pass: Pass): Promise<Record<string, string | number> | null> {
  if (!isStorefrontRun(context) || !pass.storefront) return {}
  return pass.storefront(await storefrontOf(context, 'source'))
}

/**
 * Writes down which items of a store-wide pass the two storefronts have, before anything of it is read: 250 ids a call. Others
 * name them (related products), and what belongs to another storefront is left alone (D3).
 */
export async function markStorefrontsInScope(
  context: RunContext,
  pass: Pass,
  pagesOf: (side: Side, reading: Reading) => AsyncIterable<{ items: PlatformItem[] }>,
): Promise<void> {
  if (!isStorefrontRun(context) || !pass.storefront || scopeOf(pass.root) !== 'store') return
  for (const side of ['source', 'destination'] as const) {
    const key = `${pass.key}:met:${side}`
    if ((await readCheckpoint(context.database, context.run.id, key)).finished) continue
    const { idField } = pass.source
    const filter = pass.storefront(await storefrontOf(context, side))
    const reading = { ...pass.source, query: { include_fields: idField, ...filter }, limit: 250 }
    for await (const { items } of filter === null ? [] : pagesOf(side, reading))
      await markInScope(
        context,
        side,
        items.map((item) => ({ component: pass.root, id: String(item[idField]) })),
      )
    const end = { position: '', pages: 0, finished: true }
    await context.recorder.record((tx) => writeCheckpoint(tx, context.run.id, key, end))
  }
}

export async function markInScope(
  context: RunContext,
  side: Side,
  items: { component: string; id: string }[],
): Promise<void> {
  if (items.length > 0) await context.recorder.record((tx) => markItemsInScope(tx, context.run.id, side, items))
}

/** Components whose items others hang on or name. */
const namedInSets = new Set(
  entities.flatMap(({ passes }) =>
    passes.flatMap((pass) => [...(pass.sets ?? []).map(({ of }) => of), pass.below ?? '']),
  ),
)

/** Of a page of source items, what others may hang on: a later pass takes its own out of a whole list by it. */
export async function markDraftsInScope(
  context: RunContext,
  side: Side,
  drafts: (Draft | { component: string; id: string })[],
): Promise<void> {
  if (!isPartialRun(context)) return
  const all = drafts.flatMap((root) => ('children' in root ? [...everyDraft(root)] : [root]))
  await markInScope(
    context,
    side,
    all.filter(({ component }) => namedInSets.has(component)).map(({ component, id }) => ({ component, id })),
  )
}

/** Of the items of a list that cannot be read by ids, those that hang on something the run covers. */
export async function belowInScope(context: RunContext, pass: Pass, items: PlatformItem[]): Promise<PlatformItem[]> {
  const { below } = pass
  if (!isPartialRun(context) || below === undefined || pass.picks) return items
  const owner = (item: PlatformItem) => namedBy(pass, item, below)[0] ?? ''
  const owners = await inScopeAtSource(context.database, context.run.id, below, items.map(owner))
  const counts = (why: Reason | 'met' | undefined) =>
    why !== undefined && (why !== 'needed' || context.run.mode !== 'verify')
  return items.filter((item) => counts(owners.get(owner(item))))
}

/**
 * Ids of the page that were not picked: they are there because something picked needs them, or hang on such an item. What exists
 * of them is left alone, whatever the strategy.
 */
export async function onlyNeeded(context: RunContext, pass: Pass, items: PlatformItem[]): Promise<Set<string>> {
  if (!context.run.selective) return new Set()
  const idOf = (item: PlatformItem) => String(item[pass.source.idField])
  const component = pass.below ?? pass.root
  const ownerOf = (item: PlatformItem) => (pass.below ? (namedBy(pass, item, pass.below)[0] ?? '') : idOf(item))
  const inScope = await inScopeAtSource(context.database, context.run.id, component, items.map(ownerOf))
  return new Set(items.filter((item) => inScope.get(ownerOf(item)) === 'needed').map(idOf))
}

/** Items as the run's storefront of that side sees them; members of their sets that it does not have are set aside (D3). */
export async function asStorefrontSees(
  context: RunContext,
  side: Side,
  pass: Pass,
  items: PlatformItem[],
): Promise<PlatformItem[]> {
  const about = await aboutInScope(context, side, pass, items)
  const sets = (pass.sets ?? []).filter(({ partial }) => isStorefrontRun(context) || (context.run.selective && partial))
  if (sets.length === 0 || about.length === 0) return about
  const seen = about.map((item) => ({ ...item }))
  for (const set of sets) {
    const idOf = (member: unknown) => (set.id ? (member as PlatformItem)[set.id] : member)
    const named = about.flatMap((item) => membersIn(item, set.field) ?? []).map(idOf)
    const ids = [...new Set(named.filter((id) => id !== undefined).map(String))]
    const inside = await inScopeOn(context, side, set.of, ids)
    const isOwn = (member: unknown) => idOf(member) === undefined || has(inside, String(idOf(member)))
    for (const item of seen) moveOutside(item, set.field, isOwn)
  }
  return pass.isInside ? seen.filter(pass.isInside) : seen
}

/** Of items that are about others (prices about products), those about what the run's storefront of that side has. */
async function aboutInScope(
  context: RunContext,
  side: Side,
  { about }: Pass,
  items: PlatformItem[],
): Promise<PlatformItem[]> {
  if (!about || !isStorefrontRun(context) || items.length === 0) return items
  const idOf = (item: PlatformItem) => String(item[about.field])
  const isAbout = (item: PlatformItem) => about.applies?.(item) ?? true
  const ids = new Set(items.filter(isAbout).map(idOf))
  const inside = await inScopeOn(context, side, about.component, [...ids])
  return items.filter((item) => !isAbout(item) || inside.has(idOf(item)))
}

/** Undefined when the item has no such list. */
function membersIn(item: PlatformItem, field: string): unknown[] | undefined {
  const found = field.split('.').reduce((value: unknown, name) => (value as PlatformItem | undefined)?.[name], item)
  return Array.isArray(found) ? found : undefined
}

function moveOutside(item: PlatformItem, field: string, isOwn: (member: unknown) => boolean): void {
  const members = membersIn(item, field)
  if (!members) return
  replaceAt(item, field.split('.'), members.filter(isOwn))
  const before = outsideOf(item)
  const others = [...(before[field] ?? []), ...members.filter((member) => !isOwn(member))]
  item[outsideField] = { ...before, [field]: others }
}

/** Leaves the objects on the way as they are: others hold them too. */
function replaceAt(item: PlatformItem, [name = '', ...below]: string[], value: unknown): void {
  if (below.length === 0) item[name] = value
  else {
    const inner = { ...(item[name] as PlatformItem) }
    replaceAt(inner, below, value)
    item[name] = inner
  }
}

/** Numbers below one are no ids: they ask the platform to choose by itself. */
function has(inside: Set<string>, id: string): boolean {
  return Number(id) < 1 || inside.has(id)
}

async function inScopeOn(context: RunContext, side: Side, component: string, ids: string[]): Promise<Set<string>> {
  if (component === 'channels') {
    const { sourceStorefront, destStorefront } = context.run
    return new Set([(side === 'source' ? sourceStorefront : destStorefront) ?? ''])
  }
  if (component === 'sites') return new Set([context.sites[side] ?? ''])
  if (side === 'destination') return inScopeThere(context, component, ids, { neededToo: true })
  return new Set((await inScopeAtSource(context.database, context.run.id, component, ids)).keys())
}

function inScopeThere(
  context: RunContext,
  component: string,
  ids: string[],
  { neededToo }: { neededToo: boolean },
): Promise<Set<string>> {
  const scope = context.references.scope(component)
  const query = { runId: context.run.id, scope, component, ids, neededToo }
  return inScopeAtDestination(context.database, context.pair, query)
}

/** A destination item as a list shows it. */
interface ListedThere {
  id: string
  parentId: string | undefined
}

/**
 * Of destination-only items, those that the run has a say about: all in a run over whole stores. Of picked items only what hangs
 * on them; of a storefront only what it has (D3, D4).
 */
export async function withinPart<Item extends ListedThere>(
  context: RunContext,
  pass: Pass,
  items: Item[],
): Promise<Item[]> {
  if (!isPartialRun(context)) return items
  if (pass.below !== undefined) {
    const ids = [...new Set(items.map((item) => item.parentId ?? ''))]
    const parents = await inScopeThere(context, pass.below, ids, { neededToo: false })
    return items.filter((item) => parents.has(item.parentId ?? ''))
  }
  if (context.run.selective) return []
  if (scopeOf(pass.root) === 'storefront') return items
  if (!pass.storefront) return []
  const inside = await inScopeThere(
    context,
    pass.root,
    items.map(({ id }) => id),
    { neededToo: false },
  )
  return items.filter(({ id }) => inside.has(id))
}

/** What belongs to a whole store is never deleted by a run over one of its storefronts (D3). */
export function mayPrune(context: RunContext, component: string): boolean {
  return !isStorefrontRun(context) || scopeOf(component) === 'storefront'
}
