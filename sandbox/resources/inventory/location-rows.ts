import type { Row, SandboxStore, Table } from '../../store/store.ts'

/** The default location, whose stock is the stock in the catalogue. */
export const DEFAULT_LOCATION_ID = 1

export function locationTable(store: SandboxStore): Table {
  return store.table('locations', [
    'code_key',
    'type_id',
    'enabled',
    'managed_by_external_source',
    'storefront_visibility',
  ])
}

export function locationTime(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

const CLOSED = { open: false, opening: '00:00', closing: '00:00' }
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

export function freshLocation(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    description: '',
    managed_by_external_source: false,
    type_id: 'PHYSICAL',
    enabled: true,
    operating_hours: Object.fromEntries(DAYS.map((day) => [day, CLOSED])),
    time_zone: 'Etc/UTC',
    storefront_visibility: true,
    special_hours: [],
    created_at: locationTime(),
    updated_at: locationTime(),
    ...fields,
  }
}

/** Inserts the location that every store has from the start. */
export function plantDefaultLocation(store: SandboxStore): Row {
  const address = {
    address1: '1 Sample Street',
    address2: '',
    city: 'Austin',
    state: 'Texas',
    zip: '78701',
    email: `orders@${store.hash}.example`,
    phone: '555-0100',
    geo_coordinates: { latitude: 30.2672, longitude: -97.7431 },
    country_code: 'US',
  }
  const fields = { code: 'BC-LOCATION-1', label: 'Default location', address }
  return locationTable(store).insert({ id: DEFAULT_LOCATION_ID, ...freshLocation(fields) })
}
