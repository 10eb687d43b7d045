import type { SqliteStore } from '../store/sqlite-store.ts'

/**
 * Copies a row and its children: the rows of other tables whose indexed `<table>_id` is its id, their children, and so
 * on. In the copies, every id of a copied row, indexed or not, is replaced by the id of its copy, so the choice of a
 * copied variant names the copied option.
 *
 * @returns the id of the copy
 */
export function doubleRow(store: SqliteStore, table: string, id: number): number {
  const family: Family = new Map()
  gather(store, family, table, id)
  // All rows are collected before the first is copied: a new copy still has the original's parent, so it would be found
  // too.
  const copies = new Map([...family].map(([name, ids]) => [name, copiesOf(store, name, ids)]))
  for (const [name, ids] of copies) {
    for (const copy of ids.values()) pointAtCopies(store, copies, name, copy)
  }
  return copies.get(table)?.get(id) ?? 0
}

/** Ids of the rows to copy, by table. */
type Family = Map<string, Set<number>>

/** By table, the id of the copy of each row. */
type Copies = Map<string, Map<number, number>>

function gather(store: SqliteStore, family: Family, name: string, id: number): void {
  const ids = family.get(name) ?? new Set()
  if (ids.has(id)) return
  family.set(name, ids.add(id))
  const pointer = pointerTo(name)
  for (const child of store.tableNames()) {
    if (!store.table(child).columns().includes(pointer)) continue
    for (const row of store.table(child).find({ [pointer]: id })) gather(store, family, child, row.id)
  }
}

function copiesOf(store: SqliteStore, name: string, ids: ReadonlySet<number>): Map<number, number> {
  const rows = store.table(name).find({ id: [...ids] })
  return new Map(rows.map(({ id, ...fields }) => [id, store.table(name).insert(fields).id]))
}

/** `category_id` refers to `categories`, `variant_id` to `variants`. */
function pointerTo(table: string): string {
  return `${table.replace(/ies$/, 'y').replace(/s$/, '')}_id`
}

function pointAtCopies(store: SqliteStore, copies: Copies, name: string, id: number): void {
  const { id: _id, ...fields } = store.table(name).get(id) ?? { id }
  store.table(name).update(id, pointed(copies, fields))
}

function pointed(copies: Copies, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, pointedValue(copies, key, value)]))
}

/**
 * `base_variant_id` counts as a `variant_id`, and the entries of a list called `option_values` are rows of that table.
 */
function pointedValue(copies: Copies, key: string, value: unknown): unknown {
  if (typeof value === 'number') {
    const tables = [...copies].filter(([table]) => `_${key}`.endsWith(`_${pointerTo(table)}`))
    return tables.map(([, ids]) => ids.get(value)).find((copy) => copy !== undefined) ?? value
  }
  if (Array.isArray(value)) return value.map((item) => pointedValue(copies, key, item))
  if (typeof value !== 'object' || value === null) return value
  const inner = pointed(copies, { ...value })
  const copy = copies.get(key)?.get(Number(inner.id))
  return copy === undefined ? inner : { ...inner, id: copy }
}
