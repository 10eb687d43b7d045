import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { claimsOf } from '../../db/ledger/mappings.ts'
import { inScopeAtSource, type Side } from '../../db/runs/scope-items.ts'
import { outsideField, outsideOf, type PlatformItem } from '../../entities/core/draft.ts'
import type { MemberSet, Pass, StorefrontIds } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import { entityOf, scopeOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import type { OpenRun } from '../context/open-run.ts'
import { inScopeThere, isStorefrontRun, markInScope } from './partial-run.ts'
import { sharedCopies } from './shared-copies.ts'

type StorefrontReader = Pick<OpenRun, 'run' | 'storefronts'>

/** How to read the part of a list that the run's storefront has; null when it has none of it (D3). */
export async function partOfList(
  context: StorefrontReader,
  side: Side,
  pass: Pass,
  reading: Reading,
): Promise<Reading | null> {
  if (!isStorefrontRun(context) || !pass.storefront) return reading
  // Store-wide items have to be matched against the whole store, where their keys are unique.
  if (side === 'destination' && scopeOf(pass.root) === 'store') return reading
  const filter = pass.storefront(await context.storefronts[side]())
  return filter && { ...reading, query: { ...reading.query, ...filter } }
}

/** The filter for picks that the source's storefront has; null when it can have none. */
export async function filterOfPicks(
  context: StorefrontReader,
  pass: Pass,
): Promise<Record<string, string | number> | null> {
  if (!isStorefrontRun(context) || !pass.storefront) return {}
  return pass.storefront(await context.storefronts.source())
}

/**
 * Before a store-wide pass is read, notes which of its items the two storefronts have, 250 ids a call: items of the
 * pass refer to each other (related products), and those of other storefronts must not change (D3).
 */
export async function markStorefrontsInScope(
  context: OpenRun,
  pass: Pass,
  pagesOf: (side: Side, reading: Reading) => AsyncIterable<{ items: PlatformItem[] }>,
): Promise<void> {
  if (!isStorefrontRun(context) || !pass.storefront || scopeOf(pass.root) !== 'store') return
  for (const side of ['source', 'destination'] as const) {
    const key = `${pass.key}:met:${side}`
    if ((await readCheckpoint(context.database, context.run.id, key)).finished) continue
    const { idField, path } = pass.source
    const storefront = await context.storefronts[side]()
    const filter = pass.storefront(storefront)
    // Marketing lists cannot be limited to certain fields.
    const onlyIds: Reading['query'] = path.startsWith('/v3/catalog/') ? { include_fields: idField } : {}
    const reading = { ...pass.source, query: { ...onlyIds, ...filter }, limit: 250 }
    for await (const { items } of filter === null ? [] : pagesOf(side, reading)) {
      const ids = items.map((item) => String(item[idField]))
      const own = side === 'source' ? ids : await exceptAssignedByOthers(context, pass, storefront, ids)
      await markInScope(
        context,
        side,
        own.map((id) => ({ component: pass.root, id })),
      )
    }
    const end = { position: '', pages: 0, finished: true }
    await context.recorder.record((tx) => writeCheckpoint(tx, context.run.id, key, end))
  }
}

/** Leaves out what copies of other storefronts, or of another source, have put on this one. */
async function exceptAssignedByOthers(
  context: OpenRun,
  { root }: Pass,
  { channelId }: StorefrontIds,
  ids: string[],
): Promise<string[]> {
  const component = entityOf(root)?.components.find(({ remove }) => remove?.addedByPlatform)
  const assignment = component?.remove?.addedByPlatform?.({ channelId })
  if (!component || !assignment) return ids
  const nameOf = (id: string) => component.knownAs?.(assignment, id) ?? ''
  const others = await sharedCopies(context, component.key, ids.map(nameOf))
  return ids.filter((id) => !others.has(nameOf(id)))
}

/**
 * Items as the run's storefront of that side sees them: members of other storefronts are kept apart, in `outsideField`
 * (D3).
 *
 * @param byId also copies that only other storefronts have: another run made them, and they are not gone
 */
export async function asStorefrontSees(
  context: RunContext,
  side: Side,
  pass: Pass,
  items: PlatformItem[],
  { byId = false } = {},
): Promise<PlatformItem[]> {
  const about = await aboutInScope(context, side, pass, items)
  const sets = (pass.sets ?? []).flatMap((set) => {
    const insideOf = insideBy(context, side, set)
    return insideOf ? [{ ...set, insideOf }] : []
  })
  if (sets.length === 0 || about.length === 0) return about
  const seen = about.map((item) => ({ ...item }))
  for (const set of sets) {
    const idOf = (member: unknown) => (set.id ? (member as PlatformItem)[set.id] : member)
    const named = about.flatMap((item) => membersIn(item, set.field) ?? []).map(idOf)
    const ids = [...new Set(named.filter((id) => id !== undefined).map(String))]
    const inside = await set.insideOf(ids)
    const isOwn = (member: unknown) => idOf(member) === undefined || has(inside, String(idOf(member)))
    for (const item of seen) moveOutside(item, set.field, isOwn)
  }
  return byId ? seen : seen.filter((item) => !isOnOthersOnly(pass, item))
}

/** Finds out which members of a set the run is about; undefined if it is about all of them. */
function insideBy(
  context: RunContext,
  side: Side,
  { of, partial }: MemberSet,
): ((ids: string[]) => Promise<Set<string>>) | undefined {
  if (isStorefrontRun(context) || (partial && context.run.selective)) return (ids) => inScopeOn(context, side, of, ids)
  if (side === 'source') return undefined
  if (partial) return (ids) => copiesAmong(context, of, ids)
  const mayBeOfOthers = context.isShared && entityOf(of) !== undefined
  return mayBeOfOthers ? (ids) => exceptCopiesOfOthers(context, of, ids) : undefined
}

/** Whether the item is assigned to storefronts, and not to that of the run. */
export function isOnOthersOnly({ sets = [] }: Pass, item: PlatformItem): boolean {
  const assigning = sets.filter(({ assigns }) => assigns)
  return outsideField in item && assigning.some(({ field }) => membersIn(item, field)?.length === 0)
}

/**
 * Leaves out items about others (such as prices of products) unless they are about items that the run's storefront of
 * that side has.
 */
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

/** Copies the objects on the path: the original item shares them. */
function replaceAt(item: PlatformItem, [name = '', ...below]: string[], value: unknown): void {
  if (below.length === 0) item[name] = value
  else {
    const inner = { ...(item[name] as PlatformItem) }
    replaceAt(inner, below, value)
    item[name] = inner
  }
}

/** Numbers below one are not ids; they leave the choice to the platform. */
function has(inside: Set<string>, id: string): boolean {
  return Number(id) < 1 || inside.has(id)
}

/** Other members of the destination stay in a list that is written in part. */
async function copiesAmong(
  { database, pair, references }: RunContext,
  component: string,
  ids: string[],
): Promise<Set<string>> {
  return new Set((await claimsOf(database, pair, references.scope(component), component, ids)).keys())
}

/** What only runs between other stores or storefronts have copied is left to them (D3). */
async function exceptCopiesOfOthers(context: RunContext, component: string, ids: string[]): Promise<Set<string>> {
  const { database, pair, references } = context
  const others = await sharedCopies(context, component, ids)
  const own = await claimsOf(database, pair, references.scope(component), component, [...others])
  return new Set(ids.filter((id) => !others.has(id) || own.has(id)))
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
