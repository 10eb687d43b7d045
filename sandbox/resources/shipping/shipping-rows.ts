import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { type Body, isObject, readV2, refuseV2 } from './v2-body.ts'

export function shippingZoneTable(store: SandboxStore): Table {
  return store.table('shipping_zones', ['name', 'type'])
}

export function shippingMethodTable(store: SandboxStore): Table {
  return store.table('shipping_methods', ['zone_id', 'name'])
}

export function carrierConnectionTable(store: SandboxStore): Table {
  return store.table('carrier_connections', ['carrier_id'])
}

/** Required fields of each location, by type of zone. A zone for the whole world has no locations. */
export const LOCATION_FIELDS: Record<string, readonly string[]> = {
  zip: ['zip', 'country_iso2'],
  country: ['country_iso2'],
  state: ['country_iso2', 'state_iso2'],
  global: [],
}

/** Source: the limit in the published shipping specification. */
export const MOST_ZIPS = 40_000

/** Reserves ids for the locations of each zone, so that they are unique within a store. */
const LOCATIONS_PER_ZONE = 100_000

/** Every write gives locations new ids (our choice). */
export function numbered(zoneId: number, locations: Body[]): Body[] {
  return locations.map((location, at) => ({ id: zoneId * LOCATIONS_PER_ZONE + at + 1, ...location }))
}

export function readLocations(type: string, given: unknown): Body[] {
  if (!Array.isArray(given) || !given.every(isObject)) return refuseV2(400, 'locations must be an array of objects')
  if (type === 'zip' && given.length > MOST_ZIPS) refuseV2(400, `A zone can have at most ${MOST_ZIPS} ZIP codes.`)
  const rules = { zip: text, country_iso2: { kind: 'text', min: 2, max: 2 }, state_iso2: text } as const
  return given.map((location) => {
    const missing = (LOCATION_FIELDS[type] ?? []).filter((field) => location[field] === undefined)
    if (missing.length > 0) refuseV2(400, `A location of a ${type} zone needs ${missing.join(', ')}`)
    return readV2(rules, location)
  })
}

const text = { kind: 'text', min: 1 } as const

/** Fees are stored as strings: a fixed amount or a percentage, but not both. */
export function readFees(given: unknown, { separate }: { separate: boolean }): Body {
  if (!isObject(given)) return refuseV2(400, 'handling_fees must be an object')
  const kinds = ['fixed_surcharge', 'percentage_surcharge'].filter((field) => given[field] !== undefined)
  if (kinds.length > 1) refuseV2(400, 'handling_fees has either a fixed_surcharge or a percentage_surcharge')
  const fees = Object.fromEntries(kinds.map((field) => [field, feeText(field, given[field])]))
  const { display_separately } = readV2({ display_separately: { kind: 'boolean' } }, given)
  return { ...fees, ...(separate && { display_separately: display_separately ?? false }) }
}

function feeText(field: string, value: unknown): string {
  const number = Number(value)
  if (!['string', 'number'].includes(typeof value) || value === '' || !(number >= 0))
    refuseV2(400, `${field} must be a number of at least 0`)
  return String(number)
}

export function insertZone(store: SandboxStore, fields: Body): Row {
  const table = shippingZoneTable(store)
  const { id } = table.insert({ ...FRESH_ZONE, ...fields })
  return table.update(id, { locations: numbered(id, (fields.locations ?? []) as Body[]) })
}

const FRESH_ZONE = {
  locations: [],
  free_shipping: { enabled: false, minimum_sub_total: '0.0000', exclude_fixed_shipping_products: false },
  handling_fees: { fixed_surcharge: '0', display_separately: false },
  enabled: true,
}
