import { MissingScopeError, PlatformError } from '../bigcommerce/errors.ts'
import { numberedPages } from '../bigcommerce/pages.ts'
import type { ReadyCall } from './call.ts'
import { isOurs } from './guard.ts'
import { type Item, type Kind, kinds } from './kinds.ts'
import type { ProbeStore } from './probe-store.ts'

/** Items of one kind that the probe made, as the store lists them. */
export interface Found {
  kind: Kind
  ids: string[]
  items: Item[]
}

/** Kinds whose lists the store refused: with the status that it answered. */
export type Unlisted = Map<string, number>

export interface CleanedUp {
  removed: number
  /** Kinds that still have items of the probe, and how many. */
  left: { kind: string; items: number }[]
  /** Items that can only be archived, and are. */
  archived: number
}

/** Looks for what the probe made by its prefix, not from memory: also what a killed probe left is found. */
export async function findOwn(
  store: ProbeStore,
  { among = kinds, unlisted = new Map() }: { among?: readonly Kind[]; unlisted?: Unlisted } = {},
): Promise<Found[]> {
  const listed: { kind: Kind; items: Item[] }[] = []
  for (const kind of among) listed.push({ kind, items: await listOf(store, kind, unlisted) })
  // What belongs to other items comes last: by then those are known.
  const sorted = [...listed.filter(({ kind }) => !kind.of), ...listed.filter(({ kind }) => kind.of)]
  const own = new Map(sorted.map(({ kind, items }) => [kind.key, ownAmong(store, kind, items)]))
  return among
    .map((kind) => ({ kind, items: own.get(kind.key) ?? [] }))
    .filter(({ items }) => items.length > 0)
    .map((found) => ({ ...found, ids: found.items.map((item) => String(item[found.kind.id])) }))
}

function ownAmong(store: ProbeStore, kind: Kind, items: Item[]): Item[] {
  const ours = items.filter((item) => isOurs(item, { path: kind.path, kind: kind.key }, store.own))
  for (const item of ours) store.own.add(kind.key, item[kind.id])
  return ours.filter((item) => item.is_deleted !== true)
}

async function listOf(store: ProbeStore, kind: Kind, unlisted: Unlisted): Promise<Item[]> {
  if (unlisted.has(kind.key)) return []
  const found: Item[] = []
  try {
    for await (const { items } of numberedPages<Item>(store.client, kind.list ?? kind.path)) found.push(...items)
  } catch (error) {
    // A plan without the feature, or a token without its scope: then nothing was made there either.
    if (!(error instanceof MissingScopeError) && !isAbsent(error)) throw error
    unlisted.set(kind.key, error.httpStatus)
  }
  return found
}

function isAbsent(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.httpStatus === 404
}

/** Removes all that the probe made, or archives it where the platform does not delete, and looks again. */
export async function cleanUp(store: ProbeStore, unlisted: Unlisted = new Map()): Promise<CleanedUp> {
  const found = await findOwn(store, { unlisted })
  const refused: boolean[] = []
  for (const each of found) refused.push(!(await remove(store, each)))
  // The answer to one deletion is definite, that to many is not.
  const unsure = found.filter(({ kind }, at) => refused[at] || !('each' in kind.remove)).map(({ kind }) => kind)
  const still = await findOwn(store, { among: unsure, unlisted })
  const left = still.map(({ kind, ids }) => ({ kind: kind.key, items: ids.length }))
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const remaining = sum(left.map(({ items }) => items))
  return {
    removed: sum(found.map(({ ids }) => ids.length)) - remaining,
    left,
    archived: sum(found.filter(({ kind }) => kind.archived).map(({ ids }) => ids.length)),
  }
}

/** @returns whether the store accepted every deletion. */
async function remove(store: ProbeStore, { kind, ids, items }: Found): Promise<boolean> {
  for (const item of items) {
    const cleared = kind.cleared?.(item)
    if (cleared) await store.answerTo({ method: 'POST', query: {}, form: undefined, ...cleared })
  }
  for (const id of kind.emptied === undefined ? [] : ids) await empty(store, `${kind.path}/${id}/${kind.emptied}`)
  const batch = 'most' in kind.remove ? kind.remove.most : 1
  let accepted = true
  for (let at = 0; at < ids.length; at += batch)
    accepted = (await removeBatch(store, kind, ids.slice(at, at + batch))) && accepted
  return accepted
}

/** A batch that is refused is tried again in halves: it may be too large for this store, or one of its items cannot be deleted. */
async function removeBatch(store: ProbeStore, kind: Kind, ids: string[]): Promise<boolean> {
  const answer = await store.answerTo(removal(kind, ids))
  if (answer !== null && (answer.httpStatus < 300 || answer.httpStatus === 404)) return true
  if (ids.length === 1) return false
  const half = Math.ceil(ids.length / 2)
  const first = await removeBatch(store, kind, ids.slice(0, half))
  return (await removeBatch(store, kind, ids.slice(half))) && first
}

/** The call that removes them; one item only, where the kind has no batches. */
function removal({ path, remove: how }: Kind, ids: string[]): ReadyCall {
  const call = { method: 'DELETE' as const, path, query: {}, body: undefined, form: undefined }
  if ('each' in how) return { ...call, path: `${path}/${ids[0]}` }
  return 'listed' in how ? { ...call, body: ids.map(Number) } : { ...call, query: { [how.filter]: ids.join(',') } }
}

async function empty(store: ProbeStore, path: string): Promise<void> {
  const ids: string[] = []
  for await (const { items } of numberedPages<Item>(store.client, path)) ids.push(...items.map(({ id }) => String(id)))
  if (ids.length === 0) return
  await store.answerTo({ method: 'DELETE', path, query: { 'id:in': ids.join(',') }, body: undefined, form: undefined })
}
