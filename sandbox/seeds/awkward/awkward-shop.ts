import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { insertBaseVariant } from '../../resources/products/rows/variant-rows.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { freeUrl, urlIsFree } from '../../store/urls.ts'
import { channelAssignmentTable, productCategoryTable, productTable } from '../../tables/product-tables.ts'
import { createdDate, modifiedDate } from '../products/product-details.ts'
import { insertProductRow } from '../products/product-row.ts'

/** What has been seeded so far, so that later items can refer to it. */
export interface AwkwardShop {
  store: SandboxStore
  treeId: number
  /** Ids by path, such as `Men/Shoes`. */
  categories: Map<string, number>
  brands: Map<string, number>
  products: Map<string, number>
}

/** A product with something that is hard to copy. */
export interface AwkwardProduct {
  name: string
  /** Fields in which it differs from a plain product. */
  fields?: Record<string, unknown>
  /** Paths of its categories; may be empty. */
  in?: readonly string[]
  brand?: string
  /** Its address. If that is taken, it gets the next free one. */
  url?: string
  /** Absent: only the default storefront. */
  channels?: readonly number[]
  /** Set if `grow` adds variants, so that it has no base variant. */
  hasOptions?: boolean
  /** Adds its children. */
  grow?: (shop: AwkwardShop, product: Row) => void
  /** Adds references to other products. Called once all products exist. */
  link?: (shop: AwkwardShop, product: Row) => void
}

export function addProducts(shop: AwkwardShop, plans: readonly AwkwardProduct[]): void {
  for (const plan of plans) shop.products.set(plan.name, addProduct(shop, plan).id)
  for (const { name, link } of plans) link?.(shop, productNamed(shop, name))
}

function addProduct(shop: AwkwardShop, plan: AwkwardProduct): Row {
  const { store } = shop
  const n = shop.products.size
  const product = insertProductRow(store, {
    fields: { name: plan.name, type: 'physical', price: 10 + n, weight: 1, ...brandOf(shop, plan), ...plan.fields },
    custom_url: addressOf(store, plan),
    date_created: createdDate(n, 1),
    date_modified: modifiedDate(n, 1),
  })
  for (const path of plan.in ?? [])
    productCategoryTable(store).insert({ product_id: product.id, category_id: idIn(shop.categories, path) })
  for (const channel_id of plan.channels ?? [DEFAULT_CHANNEL_ID])
    channelAssignmentTable(store).insert({ product_id: product.id, channel_id })
  if (!plan.hasOptions)
    productTable(store).update(product.id, { base_variant_id: insertBaseVariant(store, product).id })
  plan.grow?.(shop, product)
  return product
}

function brandOf(shop: AwkwardShop, { brand }: AwkwardProduct): Record<string, unknown> {
  return brand === undefined ? {} : { brand_id: idIn(shop.brands, brand) }
}

function addressOf(store: SandboxStore, { name, url }: AwkwardProduct): { url: string; is_customized: boolean } {
  if (url !== undefined && urlIsFree(store, url)) return { url, is_customized: true }
  const folder = url?.replace(/[^/]*\/?$/, '') ?? '/'
  return { url: freeUrl(store, folder, url?.split('/').filter(Boolean).pop() ?? name), is_customized: false }
}

export function idIn(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The awkward store has no ${name} yet`)
  return id
}

export function productNamed(shop: AwkwardShop, name: string): Row {
  const product = productTable(shop.store).get(idIn(shop.products, name))
  if (!product) throw new Error(`The awkward store has lost ${name}`)
  return product
}

/** A text of exactly this length. */
export function filled(words: string, length: number): string {
  return words.repeat(Math.ceil(length / words.length)).slice(0, length)
}

/** An id whose row has been deleted. */
export function goneId(store: SandboxStore, table: string): number {
  const { id } = store.table(table).insert({})
  store.table(table).delete(id)
  return id
}
