import { batches, callsOf, pageOfPlaces } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { bornWith, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const inventory: EntitySpec = {
  entity: 'inventory',
  components: {
    inventory: {
      editedElsewhere: 'every field is destination-owned: test/engine/inventory.test.ts',
      livesElsewhere: 'the catalogue shows it, too: test/engine/inventory.test.ts',
    },
  },
  kills: {
    /** Absolute levels, written again after a lost answer. */
    inventory: {
      ...listSubject('inventory', '^/v3/inventory/items$', {
        method: 'PUT',
        path: '^/v3/inventory/adjustments/absolute$',
      }),
      // Stock that copied orders took is given back.
      alsoEarlier: true,
    },
  },
  faults: {
    writes: [writing('inventory', '^/v3/inventory/adjustments/absolute$', { method: 'PUT' })],
    lists: [reading(['inventory'], '^/v3/inventory/items$')],
  },
  tables: [
    {
      table: 'stock',
      entity: 'inventory',
      references: { product_id: 'products', variant_id: 'variants', location_id: 'locations' },
      parents: ['variant_id', 'product_id'],
      keys: (row, side) => [plainText(side.refer('locations', row.location_id))],
      // Stock of the default location is part of the catalogue; an item that was never counted has none.
      says: ({ location_id, quantity }) => location_id !== bornWith && Number(quantity ?? 0) !== 0,
    },
  ],
  excludedFields: {
    stock: {
      id: ownId,
      safety_stock: 'not moved yet',
      is_in_stock: 'not moved yet',
      warning_level: 'not moved yet',
      bin_picking_number: 'not moved yet',
    },
  },
  fewest: {
    paths: /^\/v3\/inventory\/(items|adjustments)/,
    tables: ['stock'],
    reads: (shops) => shops.list(shops.count('stock'), 'by number', pageOfPlaces),
    looks: (shops) => shops.list(shops.count('stock'), 'by number', pageOfPlaces),
    writes: (shops) => callsOf(shops.count('stock'), batches.stock),
  },
}
