import { seedOf } from '../../store/random.ts'
import type { SandboxStore, Table } from '../../store/store.ts'
import { now } from '../../validation/dates.ts'

/** The default class. It has no row, because it cannot be changed or deleted. */
const DEFAULT_TAX_CLASS_ID = 0

/**
 * Classes that every store has from the start, with the same ids. Source: the example of the published tax class list.
 */
const BUILT_IN = ['Non-Taxable Products', 'Shipping', 'Gift Wrapping']

/** A product's class id is at most 255, so ids of different stores are closer together than in other tables. */
const FIRST_ID_RANGE = 100

export function taxClassTable(store: SandboxStore): Table {
  const table = store.table('tax_classes', ['name_key'])
  if (table.count() > 0) return table
  for (const [at, name] of BUILT_IN.entries())
    table.insert({ id: at + 1, name, created_at: now(), updated_at: now(), is_built_in: true })
  return table
}

export function taxClassExists(store: SandboxStore, id: number): boolean {
  return id === DEFAULT_TAX_CLASS_ID || taxClassTable(store).get(id) !== undefined
}

export function nextTaxClassId(store: SandboxStore): number {
  const first = BUILT_IN.length + 1 + (seedOf(`${store.name} tax classes`) % FIRST_ID_RANGE)
  const last = taxClassTable(store).find({}).at(-1)?.id ?? 0
  return Math.max(first, last + 1)
}
