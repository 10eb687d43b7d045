import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { insertZone, shippingMethodTable } from '../../resources/shipping/shipping-rows.ts'
import type { SandboxStore } from '../../store/store.ts'

type Fields = Record<string, unknown>

/** A zone and its shipping methods. */
export interface ZonePlan {
  zone: Fields
  methods: Fields[]
}

const FRESH_METHOD = {
  enabled: true,
  handling_fees: { fixed_surcharge: '0' },
  is_fallback: false,
  channel_ids: [DEFAULT_CHANNEL_ID],
}

export function plantZones(store: SandboxStore, plans: readonly ZonePlan[]): void {
  for (const { zone, methods } of plans) {
    const { id } = insertZone(store, zone)
    for (const method of methods) shippingMethodTable(store).insert({ ...FRESH_METHOD, ...method, zone_id: id })
  }
}

const flat = (name: string, rate: number) => ({ name, type: 'perorder', settings: { rate } })

const byWeight = (name: string, cost: number) => ({
  name,
  type: 'weight',
  settings: {
    default_cost: cost * 4,
    default_cost_type: 'fixed_amount',
    range: [
      { lower_limit: 0, upper_limit: 20, shipping_cost: cost },
      { lower_limit: 20, upper_limit: 40, shipping_cost: cost * 2 },
    ],
  },
})

const HOME: ZonePlan = {
  zone: {
    name: 'United States',
    type: 'country',
    locations: [{ country_iso2: 'US' }],
    free_shipping: { enabled: true, minimum_sub_total: '75.0000', exclude_fixed_shipping_products: true },
  },
  methods: [flat('Standard delivery', 6), byWeight('By weight', 8)],
}

const WORLD: ZonePlan = {
  zone: {
    name: 'Rest of the world',
    type: 'global',
    handling_fees: { percentage_surcharge: '4', display_separately: true },
  },
  methods: [{ name: 'Per item', type: 'peritem', settings: { rate: 9.5 }, handling_fees: { fixed_surcharge: '2' } }],
}

const FAR_STATES: ZonePlan = {
  zone: {
    name: 'Alaska and Hawaii',
    type: 'state',
    locations: [
      { country_iso2: 'US', state_iso2: 'AK' },
      { country_iso2: 'US', state_iso2: 'HI' },
    ],
  },
  methods: [byWeight('By air', 15), { ...flat('By sea', 12), enabled: false, is_fallback: true }],
}

const NEAR: ZonePlan = {
  zone: {
    name: 'Around the corner',
    type: 'zip',
    locations: ['10001', '10002', '10003'].map((zip) => ({ zip, country_iso2: 'US' })),
  },
  methods: [
    {
      name: 'By value',
      type: 'total',
      settings: {
        default_cost: null,
        default_cost_type: 'percentage_of_total',
        range: [{ lower_limit: 0, upper_limit: 49.99, shipping_cost: 4 }],
      },
    },
    { name: 'On foot', type: 'freeshipping', settings: {} },
  ],
}

const ABROAD = ['CA', 'MX', 'GB', 'DE', 'FR', 'IT', 'ES', 'JP', 'AU', 'NZ']

/** Adds zones. Those of a small store are also the first ones of larger stores. */
export function seedShipping(store: SandboxStore, count: number): void {
  const abroad = ABROAD.map(
    (country_iso2, at): ZonePlan => ({
      zone: { name: `Abroad: ${country_iso2}`, type: 'country', locations: [{ country_iso2 }] },
      methods: [flat('Tracked', 14 + at), byWeight('Freight', 20 + at)],
    }),
  )
  plantZones(store, [HOME, WORLD, FAR_STATES, NEAR, ...abroad].slice(0, count))
}
