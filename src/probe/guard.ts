import { asRecord } from '../bigcommerce/errors.ts'
import { prefix, type ReadyCall, unknownId } from './call.ts'
import { type Item, type Kind, kinds, type Owner, ownersIn, sharedPaths } from './kinds.ts'

/** A write that might change something the probe did not create. It is never sent; it is a bug of ours. */
export class OutsideWriteError extends Error {
  constructor({ method, path }: { method: string; path: string }, why: string) {
    super(`${method} ${path} was not sent: ${why}.`)
    this.name = 'OutsideWriteError'
  }
}

/** Ids of the probe's own items by kind: those it created, and those found in a list by their prefix. */
export class OwnItems {
  readonly #ids = new Map<string, Set<string>>()

  add(kind: string, id: unknown): void {
    const ids = this.#ids.get(kind) ?? new Set()
    this.#ids.set(kind, ids.add(String(id)))
  }

  has({ kind, id }: Owner): boolean {
    return this.#ids.get(kind)?.has(String(id)) === true
  }
}

/** Whether a text in the item has the prefix, as all names, addresses and codes written by the probe do. */
export function carriesPrefix(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(prefix)
  return typeof value === 'object' && value !== null && Object.values(value).some(carriesPrefix)
}

/**
 * Refuses a write unless it can only create items with the prefix or change the probe's own items: every item that it
 * names in its path, query or body must be the probe's. All writes of the probe go through here.
 *
 * @throws OutsideWriteError
 */
export function confine(call: ReadyCall, own: OwnItems): void {
  if (call.method === 'GET') return
  const named = namedBy(call.path)
  if (named === undefined) throw new OutsideWriteError(call, 'the probe makes nothing there')
  const rows = rowsOf(call.body)
  // Below an item, the ids are those of its children.
  const ids = named.id === undefined ? idsIn(call, named.kind, rows) : []
  const strange = [...rows.flatMap((row) => owners(row, call.path)), ...ids].find((owner) => !mayName(owner, own))
  if (strange) throw new OutsideWriteError(call, `it names ${strange.kind} that the probe did not make`)
  if (named.id !== undefined) {
    if (!mayName({ kind: named.kind, id: named.id }, own))
      throw new OutsideWriteError(call, 'its path is not of an item that the probe made')
    return
  }
  const loose =
    call.method === 'DELETE'
      ? !isFiltered(call)
      : rows.some((row) => !isMarked(row, { path: call.path, kind: named.kind }, own))
  if (loose) throw new OutsideWriteError(call, 'it is not limited to items with the prefix')
}

/** The kind of a path, and the id of the top item if the path names one; undefined if the probe never writes there. */
export function namedBy(path: string): { kind: string; id?: string } | undefined {
  const shared = Object.keys(sharedPaths).find((known) => path === known)
  if (shared !== undefined) return { kind: sharedPaths[shared] ?? '' }
  const roots = [
    ...kinds.map(({ key, path: root }) => ({ key, root })),
    ...Object.entries(sharedPaths).map(bySharedPath),
  ]
  const found = roots
    .filter(({ root }) => path === root || path.startsWith(`${root}/`))
    .sort((one, other) => other.root.length - one.root.length)[0]
  if (!found) return undefined
  const id = path.slice(found.root.length + 1).split('/')[0]
  return id ? { kind: found.key, id } : { kind: found.key }
}

function bySharedPath([root, key]: [string, string]): { key: string; root: string } {
  return { key, root }
}

export const kindOf = (key: string): Kind | undefined => kinds.find((kind) => kind.key === key)

export function rowsOf(body: unknown): Item[] {
  if (body === undefined || body === null) return []
  return (Array.isArray(body) ? body : [body]).map(asRecord)
}

/** The items that a row names, at any depth, such as the products of an order. */
function owners(row: Item, path: string): Owner[] {
  const inside = Object.values(row)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'object' && value !== null)
    .flatMap((value) => owners(asRecord(value), path))
  return [...ownersIn(row, path), ...inside]
}

/** Ids of the kind itself, in changed rows and in filters. */
function idsIn({ method, query, body }: ReadyCall, kind: string, rows: Item[]): Owner[] {
  const idField = kindOf(kind)?.id ?? 'id'
  const ofRows = rows.flatMap((row) => (row[idField] === undefined ? [] : [{ kind, id: row[idField] }]))
  if (method !== 'DELETE') return ofRows
  const listed = Array.isArray(body) ? body.map((id) => ({ kind, id })) : []
  return [...listed, ...filtersOf(query).flatMap(({ ids, of }) => ids.map((id) => ({ kind: of ?? kind, id })))]
}

interface Filter {
  ids: string[]
  /** The kind of the ids, if it is not that of the path. */
  of: string | undefined
}

const filtered: Readonly<Record<string, string | undefined>> = {
  'product_id:in': 'products',
  'customer_id:in': 'customers',
  'customer_group_id:in': 'customer-groups',
  'price_list_id:in': 'price-lists',
  'id:in': undefined,
  'category_id:in': 'categories',
  'location_id:in': 'locations',
}

function filtersOf(query: Record<string, string>): Filter[] {
  return Object.entries(query).flatMap(([name, value]) =>
    name in filtered ? [{ ids: value.split(','), of: filtered[name] }] : [],
  )
}

/** Whether the call deletes only what it names, not everything. */
function isFiltered({ query, body }: ReadyCall): boolean {
  const unknown = Object.keys(query).filter((name) => !(name in filtered))
  const isEmpty = filtersOf(query).some(({ ids }) => ids.includes(''))
  return unknown.length === 0 && !isEmpty && (filtersOf(query).length > 0 || (Array.isArray(body) && body.length > 0))
}

/** An id that names no item: guests have the customer id 0, custom lines the product id 0, and so on. */
function isNothing(id: unknown): boolean {
  return id === 0 || id === null || id === ''
}

function mayName(owner: Owner, own: OwnItems): boolean {
  return isNothing(owner.id) || isOwn(owner, own)
}

function isOwn(owner: Owner, own: OwnItems): boolean {
  return String(owner.id) === String(unknownId) || own.has(owner)
}

/** Whether a later start would recognise what the row creates or changes. */
function isMarked(row: Item, named: { path: string; kind: string }, own: OwnItems): boolean {
  const id = row[kindOf(named.kind)?.id ?? 'id']
  return id === undefined ? isOurs(row, named, own) : isOwn({ kind: named.kind, id }, own)
}

/** Recognised by its text or, if it has none, by the item of ours that it belongs to. */
export function isOurs(row: Item, { path, kind }: { path: string; kind: string }, own: OwnItems): boolean {
  const of = kindOf(kind)?.of
  if (of === undefined && !(path in sharedPaths)) return carriesPrefix(row)
  const owner = of?.(row)
  return [...owners(row, path), ...(owner ? [owner] : [])].some((one) => isOwn(one, own))
}
