import type { SandboxStore } from '../../store/store.ts'
import { customerTable } from '../../tables/customer-tables.ts'
import { variantTable } from '../../tables/product-tables.ts'
import { insertWishlist, type WishedItem } from '../../tables/wishlist-tables.ts'
import { customerRow } from '../shop/customers.ts'
import { type AwkwardShop, filled, goneId, productNamed } from './awkward-shop.ts'

/** Adds a customer who only exists for the wishlists. */
export function plantWisher(store: SandboxStore, n: number): number {
  return customerTable(store).insert({ ...customerRow(n * 4 + 3), email: `wisher-${n}@example.com` }).id
}

/**
 * Adds lists with the same name, empty lists, lists with deleted products, and lists of deleted customers. No call
 * creates a list without a customer, but real stores have them from before accounts were required.
 */
export function plantAwkwardWishlists(shop: AwkwardShop): void {
  const { store } = shop
  const [first, second] = [plantWisher(store, 1), plantWisher(store, 2)]
  const there = itemOf(shop, 'Free of charge')
  const gone = { product_id: goneId(store, 'products'), variant_id: goneId(store, 'variants') }
  const add = (customer_id: number, name: string, items: WishedItem[], is_public = false) =>
    insertWishlist(store, { customer_id, name, is_public }, items)
  add(first, 'Two of one name', [there])
  add(first, 'Two of one name', [itemOf(shop, 'Last of the awkward')], true)
  add(second, 'Two of one name', [])
  add(first, 'Nothing on it', [])
  add(first, 'Product gone', [gone, there])
  add(second, 'Variant gone', [{ ...there, variant_id: goneId(store, 'variants') }])
  add(second, 'All of it gone', [gone])
  add(second, 'The same twice', [there, there])
  add(second, filled('Ein Wunschzettel 🎁 so lang wie möglich ', 255), [there])
  add(goneId(store, 'customers'), 'Customer gone', [there])
  add(0, 'Of a visitor', [there])
}

function itemOf(shop: AwkwardShop, name: string): WishedItem {
  const { id, base_variant_id } = productNamed(shop, name)
  const variant = base_variant_id ?? variantTable(shop.store).find({ product_id: id })[0]?.id
  return { product_id: id, variant_id: Number(variant) }
}
