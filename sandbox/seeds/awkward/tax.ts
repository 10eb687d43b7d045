import type { SandboxStore } from '../../store/store.ts'
import { insertTaxClass, insertTaxRate, insertTaxZone } from '../shop/tax.ts'
import { goneId } from './awkward-shop.ts'

const everywhere = (country_code: string) => [{ country_code, subdivision_codes: [], postal_codes: [] }]

/** Adds overlapping rates, zones with the same name, one only for a deleted group, and names in all scripts. */
export function plantAwkwardTax(store: SandboxStore): void {
  const reduced = insertTaxClass(store, 'Ermäßigt 7 % 減税')
  for (const name of ['Same zone', 'Same zone']) {
    const target = { locations: everywhere('DE'), customer_groups: [] }
    const zone = insertTaxZone(store, { name, shopper_target_settings: target })
    for (const priority of [1, 2, 2])
      insertTaxRate(store, zone, 'Same rate', { percent: 19, classes: [reduced], priority })
  }
  const gone = goneId(store, 'customer_groups')
  const groups = { locations: everywhere('FR'), customer_groups: [gone] }
  const unused = insertTaxZone(store, { name: 'Only a group that is gone', shopper_target_settings: groups })
  insertTaxRate(store, unused, 'Nothing', { percent: 0, classes: [], enabled: false })
  const locations = [{ country_code: 'US', subdivision_codes: ['TX', 'OR'], postal_codes: ['75001', '97001'] }]
  insertTaxZone(store, { name: 'No rates', shopper_target_settings: { locations: locations, customer_groups: [] } })
}
