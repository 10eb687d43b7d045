import { MissingScopeError, PlatformError } from '../bigcommerce/errors.ts'
import { numberedPages } from '../bigcommerce/pages.ts'
import type { ReadyCall } from './call.ts'
import { isOurs } from './guard.ts'
import { type Item, type Kind, kinds } from './kinds.ts'
import type { ProbeStore } from './probe-store.ts'

/** The probe's items of one kind, as the store lists them. */
export interface Found {
  kind: Kind
  ids: string[]
  items: Item[]
}

/** Kinds whose lists the store refused, with the status of the refusal. */
export type Unlisted = Map<string, number>

export interface CleanedUp {
  removed: number
  /** Kinds of which items of the probe still exist, and how many. */
  left: { kind: string; items: number }[]
  /** Items that cannot be deleted and were archived instead. */
  archived: number
}

/** Finds the probe's items by their prefix, not from memory, so that items of a killed probe are found too. */
export async function findOwn(
  store: ProbeStore,
  { among = kinds, unlisted = new Map() }: { among?: readonly Kind[]; unlisted?: Unlisted } = {},
): Promise<Found[]> {
  const listed: { kind: Kind; items: Item[] }[] = []
  for (const kind of among) listed.push({ kind, items: await listOf(store, kind, unlisted) })
  // Items recognised by the item they belong to come last, because the others must be known first.
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
    // The plan lacks the feature or the token lacks the scope, so nothing was created there either.
    if (!(error instanceof MissingScopeError) && !isAbsent(error)) throw error
    unlisted.set(kind.key, error.httpStatus)
  }
  return found
}

function isAbsent(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.httpStatus === 404
}

/** Deletes everything the probe created, or archives what the platform does not delete, and then checks again. */
export async function cleanUp(store: ProbeStore, unlisted: Unlisted = new Map()): Promise<CleanedUp> {
  const found = await findOwn(store, { unlisted })
  const refused: boolean[] = []
  for (const each of found) refused.push(!(await remove(store, each)))
  // The answer to a single deletion is definite, the answer to a batch is not.
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

/**
 * Splits a refused batch in halves and tries those: it may be too large for this store, or contain an item that cannot
 * be deleted.
 */
async function removeBatch(store: ProbeStore, kind: Kind, ids: string[]): Promise<boolean> {
  const answer = await store.answerTo(removal(kind, ids))
  if (answer !== null && (answer.httpStatus < 300 || answer.httpStatus === 404)) return true
  if (ids.length === 1) return false
  const half = Math.ceil(ids.length / 2)
  const first = await removeBatch(store, kind, ids.slice(0, half))
  return (await removeBatch(store, kind, ids.slice(half))) && first
}

/** The call that deletes these items; a single one if the kind has no batches. */
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
