import type { Row, SandboxStore } from '../../store/store.ts'
import { priceRecordTable } from '../../tables/product-tables.ts'

const MOMENT = '2024-02-29T23:59:59Z'

/** Inserts a price for a variant. Does nothing if there is no variant. */
export function insertPrice(
  store: SandboxStore,
  price_list_id: number,
  currency: string,
  variant: Row | undefined,
  fields: { price?: unknown; sale_price?: unknown } & object,
): void {
  if (!variant) return
  const { price, sale_price } = fields
  priceRecordTable(store).insert({
    price_list_id,
    variant_id: variant.id,
    currency,
    product_id: variant.product_id,
    bulk_pricing_tiers: [],
    date_created: MOMENT,
    ...fields,
    calculated_price: sale_price ?? price ?? variant.price ?? 0,
    date_modified: MOMENT,
  })
}
