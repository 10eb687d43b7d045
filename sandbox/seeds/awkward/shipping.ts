import type { SandboxStore } from '../../store/store.ts'
import { plantZones } from '../shop/shipping.ts'
import { filled } from './awkward-shop.ts'

const NO_CHANNEL = 999_999

/**
 * Adds carrier methods, whose credentials cannot be read, equal names, empty zones, and methods for deleted channels.
 */
export function plantAwkwardShipping(store: SandboxStore): void {
  plantZones(store, [
    {
      zone: { name: 'متجر & Söhne 🛒', type: 'country', locations: [{ country_iso2: 'DE' }, { country_iso2: 'AT' }] },
      methods: [
        { name: 'Same name', type: 'perorder', settings: { rate: 0 } },
        { name: 'Same name', type: 'perorder', settings: { rate: 12.3456 } },
        { name: 'Same name', type: 'peritem', settings: { rate: 12.3456 } },
        { name: 'UPS®', type: 'upsready', settings: { carrier_options: { delivery_services: ['Express', 'Ground'] } } },
        { name: 'Royal Mail', type: 'royalmail', settings: {}, enabled: false },
      ],
    },
    {
      zone: { name: 'Same zone', type: 'state', locations: [{ country_iso2: 'US', state_iso2: 'TX' }] },
      methods: [],
    },
    {
      zone: { name: 'Same zone', type: 'state', locations: [{ country_iso2: 'US', state_iso2: 'OR' }], enabled: false },
      methods: [{ name: 'Nowhere sold', type: 'perorder', settings: { rate: 1 }, channel_ids: [] }],
    },
    {
      zone: { name: filled('Zone ', 250), type: 'zip', locations: zips(2_000) },
      methods: [
        { name: 'By value', type: 'total', settings: {} },
        { name: 'Channel gone', type: 'perorder', settings: { rate: 3 }, channel_ids: [1, NO_CHANNEL] },
      ],
    },
  ])
}

function zips(count: number) {
  return Array.from({ length: count }, (_, at) => ({ zip: String(10_000 + at), country_iso2: 'US' }))
}
