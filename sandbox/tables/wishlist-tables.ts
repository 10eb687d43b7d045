import { createHash } from 'node:crypto'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { deleteRows } from './rows.ts'

export const wishlistTable = (store: SandboxStore): Table => store.table('wishlists', ['customer_id'])
export const wishlistItemTable = (store: SandboxStore): Table =>
  store.table('wishlist_items', ['wishlist_id', 'product_id'])

export interface WishedItem {
  product_id: number
  variant_id: number | null
}

/** The token is part of a public list's address. */
export function insertWishlist(store: SandboxStore, fields: Record<string, unknown>, items: WishedItem[]): Row {
  const { id } = wishlistTable(store).insert({ name: '', is_public: false, token: '', ...fields })
  const hex = createHash('sha256').update(`${store.hash}/wishlist/${id}`).digest('hex')
  const token = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  for (const item of items) wishlistItemTable(store).insert({ wishlist_id: id, ...item })
  return wishlistTable(store).update(id, { token })
}

export function deleteWishlist(store: SandboxStore, id: number): void {
  deleteRows(wishlistItemTable(store), { wishlist_id: id })
  wishlistTable(store).delete(id)
}
