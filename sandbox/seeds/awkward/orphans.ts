import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import type { Row } from '../../store/store.ts'
import {
  channelAssignmentTable,
  productCategoryTable,
  productMetafieldTable,
  productTable,
  variantTable,
} from '../../tables/product-tables.ts'
import { insertMetafield } from '../shop/metafield-row.ts'
import { type AwkwardProduct, type AwkwardShop, goneId, idIn } from './awkward-shop.ts'

/**
 * Products that refer to deleted items. No call creates such products, but real stores have them from before the
 * platform checked references.
 */
export const ORPHANS: readonly AwkwardProduct[] = [
  {
    name: 'Brand gone',
    grow: ({ store }, { id }) => void productTable(store).update(id, { brand_id: goneId(store, 'brands') }),
  },
  { name: 'Category gone', in: ['Sale'], grow: putIntoGoneCategory },
  {
    name: 'Related product gone',
    grow: ({ store }, { id }) =>
      void productTable(store).update(id, { related_products: [goneId(store, 'products'), id] }),
  },
  {
    name: 'Channel gone',
    grow: ({ store }, { id }) =>
      void channelAssignmentTable(store).insert({ product_id: id, channel_id: goneId(store, 'channels') }),
  },
  { name: 'Base variant gone', grow: loseBaseVariant },
]

function putIntoGoneCategory({ store }: AwkwardShop, { id }: Row): void {
  productCategoryTable(store).insert({ product_id: id, category_id: goneId(store, 'categories') })
}

/** Afterwards the product still refers to its deleted variant. */
function loseBaseVariant({ store }: AwkwardShop, { id }: Row): void {
  for (const variant of variantTable(store).find({ product_id: id })) variantTable(store).delete(variant.id)
}

/** Adds children of deleted products. */
export function plantLeftovers({ store, categories }: AwkwardShop): void {
  const product_id = goneId(store, 'products')
  channelAssignmentTable(store).insert({ product_id, channel_id: DEFAULT_CHANNEL_ID })
  productCategoryTable(store).insert({ product_id, category_id: idIn(categories, 'Sale') })
  insertMetafield(store, 'product', productMetafieldTable(store), product_id, { key: 'left', value: 'behind' })
}
