import type { Shops } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { type Fields, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const longZone = 'Zone '.repeat(50).trim()

function zonesWithMethods(shops: Shops, zones: number): number {
  return shops.list(zones, '/v2 by number') + zones * shops.list(1, '/v2 by number')
}

export const shippingZones: EntitySpec = {
  entity: 'shipping-zones',
  kills: {
    'shipping-zones': listSubject('shipping-zones', '^/v2/shipping/zones$'),
    'shipping-methods': listSubject('shipping-methods', '^/v2/shipping/zones/\\d+/methods$'),
  },
  faults: {
    writes: [
      writing('shipping-zones', '^/v2/shipping/zones$'),
      writing('shipping-methods', '^/v2/shipping/zones/\\d+/methods$'),
    ],
    lists: [reading(['shipping-zones', 'shipping-methods'], '^/v2/shipping/zones$')],
  },
  tables: [
    {
      table: 'shipping_zones',
      entity: 'shipping-zones',
      references: {},
      parents: [],
      keys: (row) => [`${plainText(row.name)} (${row.type})`],
      rewritten: ({ locations }) => ({ locations: zoneLocationsOf(locations) }),
    },
    {
      table: 'shipping_methods',
      entity: 'shipping-methods',
      references: { zone_id: 'shipping_zones' },
      parents: ['zone_id'],
      keys: (row) => [`${plainText(row.name)} (${row.type})`],
      rewritten: ({ channel_ids }, side) => ({
        channel_ids: (channel_ids as unknown[]).map((id) => plainText(side.refer('channels', id))).sort(),
      }),
    },
  ],
  excludedFields: {
    shipping_zones: { id: ownId },
    shipping_methods: { id: ownId },
  },
  notWritable: {
    shipping_methods: { zone_id: 'part of the address' },
  },
  awkward: {
    findings: [
      // Prices of carriers cannot be copied, and channels are never created.
      `shipping-methods different ${longZone} (zip) > Channel gone (perorder) channel_ids`,
      'shipping-methods missing متجر & Söhne 🛒 (country) > Royal Mail (royalmail)',
      'shipping-methods missing متجر & Söhne 🛒 (country) > UPS® (upsready)',
    ],
  },
  fewest: {
    paths: /^\/(v2\/shipping|v3\/shipping\/settings)/,
    tables: ['shipping_zones', 'shipping_methods'],
    // Methods are listed by their zone, a page of them at most; the settings, by their storefront.
    reads: (shops) => zonesWithMethods(shops, shops.count('shipping_zones')) + 1 + shops.count('channels'),
    looks: (shops) => zonesWithMethods(shops, shops.born('shipping_zones')) + 1 + shops.count('channels'),
    writes: (shops) => shops.fresh('shipping_zones') + shops.fresh('shipping_methods'),
  },
}

/** Each store has its own ids for the places of a zone. */
function zoneLocationsOf(locations: unknown): string[] {
  const areas: Fields[] = Array.isArray(locations) ? locations : []
  return areas.map(({ id: _own, ...area }) => JSON.stringify(area, Object.keys(area).sort())).sort()
}
