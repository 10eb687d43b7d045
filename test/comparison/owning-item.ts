import type { Change } from '../harness/world-sandbox.ts'
import type { Row, State } from './store-side.ts'

const productChildren = ['option_values', 'variants', 'images', 'custom_fields', 'product_videos', 'bulk_pricing_rules', 'complex_rules', 'reviews', 'options', 'product_channel_assignments'] // biome-ignore format: one list

/** The item that a change is about, as the warnings of a run name it: by its component, and by the row that has its id. */
interface OwningItem {
  component: string
  table: string
  id: unknown
}

/** `state` is that of the changed store. */
export function owningItem({ table, ...change }: Change, state: State): OwningItem {
  const row = state[table]?.find(({ id }) => id === change.id) as Row
  const product = (component: string) => ({ component, table: 'products', id: row.product_id })
  if (table === 'product_categories')
    return 'fields' in change && 'sort_order' in change.fields
      ? { component: 'category-product-order', table: 'categories', id: row.category_id }
      : product('products')
  if (table === 'customs_information') return product('product-customs-information')
  if (productChildren.includes(table)) return product('products')
  return { component: table.replace('_', '-'), table, id: change.id }
}
