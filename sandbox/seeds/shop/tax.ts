import { nextTaxClassId, taxClassTable } from '../../resources/tax/tax-class-rows.ts'
import {
  DEFAULT_TAX_ZONE_ID,
  FRESH_RATE,
  FRESH_ZONE,
  taxPropertyTable,
  taxRateTable,
  taxZoneTable,
} from '../../resources/tax/tax-rows.ts'
import type { SandboxStore } from '../../store/store.ts'
import { now } from '../../validation/dates.ts'

type Fields = Record<string, unknown>

const MOMENT = '2024-02-29T12:00:00Z'

const CLASSES = ['Reduced rate', 'Books', 'Groceries']

const ZONES: [name: string, country_code: string, subdivision_codes: string[], percent: number][] = [
  ['Texas', 'US', ['TX'], 8.25],
  ['Germany', 'DE', [], 19],
  ['New York', 'US', ['NY'], 8.875],
  ['United Kingdom', 'GB', [], 20],
  ['France', 'FR', [], 20],
  ['California', 'US', ['CA'], 7.25],
  ['Canada', 'CA', [], 5],
  ['Australia', 'AU', [], 10],
]

/** Adds classes and zones. Those of a small store are also the first ones of larger stores. */
export function seedTax(store: SandboxStore, counts: { classes: number; zones: number; properties: number }): void {
  const classes = CLASSES.slice(0, counts.classes).map((name) => insertTaxClass(store, name))
  insertTaxRate(store, DEFAULT_TAX_ZONE_ID, 'Standard', { percent: 6, classes })
  for (const [name, country_code, subdivision_codes, percent] of ZONES.slice(0, counts.zones)) {
    const locations = [{ country_code, subdivision_codes, postal_codes: [] }]
    const zone = insertTaxZone(store, { name, shopper_target_settings: { locations, customer_groups: [] } })
    insertTaxRate(store, zone, 'Sales tax', { percent, classes })
  }
  for (let n = 1; n <= counts.properties; n++)
    insertTaxProperty(store, {
      code: `TP-${n}`,
      display_name: `Tax property ${n}`,
      type: n % 2 ? 'PRODUCT' : 'CUSTOMER',
    })
}

export function insertTaxClass(store: SandboxStore, name: string): number {
  const times = { created_at: now(), updated_at: now() }
  return taxClassTable(store).insert({ id: nextTaxClassId(store), name, ...times }).id
}

export function insertTaxZone(store: SandboxStore, fields: Fields): number {
  return taxZoneTable(store).insert({ ...FRESH_ZONE, ...fields }).id
}

/**
 * Inserts a rate: the standard percentage for most classes, half of it for the store's own, and zero for what is not
 * taxed.
 */
export function insertTaxRate(
  store: SandboxStore,
  tax_zone_id: number,
  name: string,
  { percent, classes, ...fields }: { percent: number; classes: number[] } & Fields,
): void {
  const own = classes.map((tax_class_id) => ({ rate: percent / 2, tax_class_id }))
  const class_rates = [{ rate: percent, tax_class_id: 0 }, { rate: 0, tax_class_id: 1 }, ...own]
  taxRateTable(store).insert({ ...FRESH_RATE, tax_zone_id, name, class_rates, ...fields })
}

function insertTaxProperty(store: SandboxStore, fields: Fields): void {
  taxPropertyTable(store).insert({ description: '', ...fields, created_at: MOMENT, updated_at: MOMENT })
}
