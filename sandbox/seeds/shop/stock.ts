import { DEFAULT_LOCATION_ID, locationTable } from '../../resources/inventory/location-rows.ts'
import { inventoryItems, setQuantity } from '../../resources/inventory/stock.ts'
import type { SandboxStore } from '../../store/store.ts'
import { productTable } from '../../tables/product-tables.ts'

/** Puts some items in stock at other locations too. The later a location was opened, the fewer it has. */
export function seedStock(store: SandboxStore): void {
  const products = productTable(store).page({ offset: 0, limit: 400 }).rows
  const items = inventoryItems(store, { product_id: products.map(({ id }) => id) })
  const others = locationTable(store)
    .find({})
    .filter(({ id }) => id !== DEFAULT_LOCATION_ID)
  for (const [at, { id }] of others.entries())
    for (const [n, item] of items.entries())
      if (n % (at + 2) === 0) setQuantity(store, item, id, 3 + ((n * 5 + at) % 40))
}
