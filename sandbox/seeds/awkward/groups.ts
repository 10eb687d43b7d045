import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { insertGroup } from '../../tables/group-tables.ts'
import { priceAssignmentTable, priceListTable } from '../../tables/price-tables.ts'
import { type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'

/**
 * Adds groups with rules about deleted or oddly named items, a group without access to anything, and one whose name is
 * as long as possible. Two groups share a price list, and one list is only for guests in one channel.
 */
export function plantGroups(shop: AwkwardShop): void {
  const { store, products, categories } = shop
  const percent = (amount: string) => ({ method: 'percent', amount })
  const list = priceListTable(store).find({ name_key: 'Großhandel 🛒' })[0]?.id ?? 0
  const gone = { type: 'product', product_id: goneId(store, 'products'), ...percent('1.0000') }
  const sale = idIn(categories, 'Sale')
  const groups = [
    { name: 'Gäste 👋', is_group_for_guests: true, discount_rules: [{ type: 'price_list', price_list_id: list }] },
    { name: filled('A group whose name is as long as it may be. ', 255), is_default: true },
    {
      name: 'Everything at once',
      discount_rules: [
        { type: 'all', ...percent('0.0000') },
        { type: 'category', category_id: sale, method: 'fixed', amount: '0.0001' },
        { type: 'product', product_id: idIn(products, 'Free of charge'), method: 'price', amount: '9999.9999' },
        gone,
      ],
    },
    { name: 'No access', category_access: { type: 'none' } },
    {
      name: 'Some access',
      category_access: { type: 'specific', categories: [sale, goneId(store, 'categories')] },
    },
    { name: 'Access to an empty list', category_access: { type: 'specific', categories: [] } },
    { name: 'Only what is gone', discount_rules: [gone] },
  ]
  const ids = groups.map((fields) => insertGroup(store, { ...fields, date_created: MOMENT, date_modified: MOMENT }).id)
  const assign = (customer_group_id: number | undefined, channel_id: number | null) =>
    priceAssignmentTable(store).insert({ price_list_id: list, customer_group_id, channel_id })
  assign(ids[0], DEFAULT_CHANNEL_ID)
  assign(ids[2], DEFAULT_CHANNEL_ID)
  assign(ids[2], null)
}

const MOMENT = '2024-02-29 23:59:59'
