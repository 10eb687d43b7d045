import { batches, callsOf, pageOfPlaces, type Shops } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { bornWith, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

/** Products with one stock, and variants with their own. */
function trackedItems(shops: Shops): number {
  const tracked = Map.groupBy(shops.rows('products'), ({ inventory_tracking }) => inventory_tracking)
  const byVariant = new Set(tracked.get('variant')?.map(({ id }) => id))
  return (
    (tracked.get('product')?.length ?? 0) +
    shops.count('variants', ({ product_id }) => byVariant.has(Number(product_id)))
  )
}

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
    // The list has a row for each item, with all its locations. One call writes the levels of many items and locations.
    reads: (shops) => shops.list(trackedItems(shops), 'by number', pageOfPlaces),
    looks: (shops) => shops.list(trackedItems(shops), 'by number', pageOfPlaces),
    writes: (shops) => callsOf(trackedItems(shops) * shops.count('locations'), batches.stock),
  },
}
