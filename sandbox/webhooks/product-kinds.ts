import { numbersIn } from '../http/listing.ts'
import { inventoryItems, stockOf } from '../resources/inventory/stock.ts'
import { selectProducts } from '../resources/products/rows/selection.ts'
import { isBase } from '../resources/products/rows/variant-rows.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import {
  channelAssignmentTable,
  imageTable,
  modifierTable,
  modifierValueTable,
  optionTable,
  optionValueTable,
  productCategoryTable,
  productTable,
  variantTable,
} from '../tables/product-tables.ts'
import { type Changes, changedFields, dataOf, idsIn, type WatchedCall, type WatchedKind } from './row-changes.ts'
import type { StoreEvent } from './store-event.ts'

type Body = Record<string, unknown>

/** The products that a call changes, according to its path, filter, body or answer. */
function productIds(call: WatchedCall): number[] {
  const { store, params, method, query, body } = call.request
  if (params.productId !== undefined) return [Number(params.productId)]
  if (method === 'DELETE') return selectProducts(store, query, 0, Number.MAX_SAFE_INTEGER).rows.map(({ id }) => id)
  return [...new Set([...idsIn(body), ...idsIn(dataOf(call))])]
}

/** The products changed by `PUT /v3/catalog/variants`. Its rows name a variant, or the product of a new variant. */
function productIdsOfVariants({ request: { store, body } }: WatchedCall): number[] {
  const variants = variantTable(store).find({ id: idsIn(body) })
  return [...new Set([...idsIn(body, 'product_id'), ...idsIn(variants, 'product_id')])]
}

/** The products of rows that identify an item by variant, SKU or product. */
function productIdsOfItems({ request: { store, body } }: WatchedCall): number[] {
  const rows = itemRows(body)
  const skus = rows.flatMap((row) => identityOf(row).sku ?? []).map(String)
  const identities = rows.map(identityOf)
  const variants = [
    ...variantTable(store).find({ id: idsIn(identities, 'variant_id') }),
    ...variantTable(store).find({ sku_key: skus }),
  ]
  const named = productTable(store).find({ sku_key: skus })
  return [...new Set([...idsIn(identities, 'product_id'), ...idsIn(variants, 'product_id'), ...idsIn(named)])]
}

function itemRows(body: unknown): Body[] {
  const { items, settings } = (body ?? {}) as { items?: unknown; settings?: unknown }
  const rows = items ?? settings
  return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : []
}

/** Settings identify the item in `identity`; adjustments identify it beside the quantity. */
function identityOf(row: Body): Body {
  return typeof row.identity === 'object' && row.identity !== null ? { ...row.identity } : row
}

/** Source: the fields that trigger no event, in the published webhooks specification. We added dates and counters. */
const SILENT_PRODUCT_FIELDS = [
  ...['date_modified', 'date_last_imported', 'view_count', 'base_variant_id'],
  ...['mpn', 'gtin', 'product_tax_code'],
]

function productRows(store: SandboxStore, ids: number[]): Row[] {
  const links = Map.groupBy(productCategoryTable(store).find({ product_id: ids }), (link) => link.product_id)
  return productTable(store)
    .find({ id: ids })
    .map((row) => ({ ...row, categories: (links.get(row.id) ?? []).map((link) => link.category_id).sort() }))
}

function productEvent(word: string, id: unknown, more: Body = {}): StoreEvent {
  return { scope: `store/product/${word}`, data: { type: 'product', id, ...more } }
}

function productEvents({ created, updated, deleted }: Changes): StoreEvent[] {
  return [
    ...created.map(({ id }) => productEvent('created', id)),
    ...updated.flatMap(({ before, after }) => [
      productEvent('updated', after.id),
      ...(isCountedAsWhole(after) ? stockEvents(before, after) : []),
    ]),
    ...deleted.map(({ id }) => productEvent('deleted', id)),
  ]
}

/** Source: `store/product/inventory/updated` of BigCommerce "Webhook events". */
function isCountedAsWhole(product: Row): boolean {
  return product.base_variant_id !== null || product.inventory_tracking === 'product'
}

/** `value` is the difference, and `absolute` means any change not made by an order. Source: as above. */
function stockEvents(before: Row, after: Row): StoreEvent[] {
  const value = Number(after.inventory_level ?? 0) - Number(before.inventory_level ?? 0)
  const inventory = { product_id: after.id, method: 'absolute', value }
  return value === 0 ? [] : [productEvent('inventory/updated', after.id, { inventory })]
}

export const products: WatchedKind = {
  rows: (call) => productRows(call.request.store, productIds(call)),
  silent: SILENT_PRODUCT_FIELDS,
  events: productEvents,
}

export const countedProducts: WatchedKind = {
  ...products,
  rows: (call) => productRows(call.request.store, productIdsOfItems(call)),
}

function skuEvent(word: string, variant: Row, more?: Body): StoreEvent {
  const { id, sku_id, product_id } = variant
  const data = { type: 'sku', id: sku_id ?? id, ...(more ?? { sku: { product_id, variant_id: id } }) }
  return { scope: `store/sku/${word}`, data }
}

/** A change of stock alone raises only this event, not an update (our choice: the sources do not say). */
function skuEvents({ created, updated, deleted }: Changes): StoreEvent[] {
  return [
    ...created.map((row) => skuEvent('created', row)),
    ...updated.flatMap(({ before, after }) => {
      const others = changedFields(before, after, ['inventory_level'])
      return [...(others.length > 0 ? [skuEvent('updated', after)] : []), ...skuStockEvents(before, after)]
    }),
    ...deleted.map((row) => skuEvent('deleted', row)),
  ]
}

function skuStockEvents(before: Row, after: Row): StoreEvent[] {
  const value = Number(after.inventory_level ?? 0) - Number(before.inventory_level ?? 0)
  const inventory = { product_id: after.product_id, method: 'absolute', value, variant_id: after.id }
  return value === 0 ? [] : [skuEvent('inventory/updated', after, { inventory })]
}

/** Products without options have no SKU events, because their base variant is the product itself. */
function skusOf(ids: (call: WatchedCall) => number[]): WatchedKind {
  const rows = (call: WatchedCall) =>
    variantTable(call.request.store)
      .find({ product_id: ids(call) })
      .filter((variant) => !isBase(variant))
  return { rows, events: skuEvents }
}

export const skus = skusOf(productIds)
export const batchedSkus = skusOf(productIdsOfVariants)
export const countedSkus = skusOf(productIdsOfItems)

/** The items of a call at each of its locations, one row for each pair. */
function stockRows({ request }: WatchedCall, ids: number[]): Row[] {
  const { store, params, body } = request
  const named = params.locationId === undefined ? idsIn(itemRows(body), 'location_id') : [Number(params.locationId)]
  const items = inventoryItems(store, { product_id: ids })
  const stocks = [...new Set(named)].flatMap((location_id) => items.map((item) => ({ item, location_id })))
  return stocks.map(({ item, location_id }, id) => {
    const { variant_id, product_id } = item.identity
    return { id, variant_id, product_id, location_id, ...stockOf(store, item, location_id) }
  })
}

/** The star is part of the scope. Source: the inventory events of BigCommerce "Inventory and location webhooks". */
export const stock: WatchedKind = {
  rows: (call) => stockRows(call, productIdsOfItems(call)),
  events: ({ updated }) =>
    updated.flatMap(({ before, after }) => {
      const { variant_id, product_id, location_id, quantity } = after
      const word = before.quantity === quantity ? 'settings_changed' : 'stock_changed'
      return { scope: `store/channel/*/inventory/product/${word}`, data: { variant_id, product_id, location_id } }
    }),
}

/** Of all pictures, only a product's first one raises an event. Source: "Product update events". */
export const firstPictures: WatchedKind = {
  rows: ({ request: { store, params } }) =>
    imageTable(store).count({ product_id: Number(params.productId) }) > 0 ? [{ id: Number(params.productId) }] : [],
  events: ({ created }) => created.map(({ id }) => productEvent('updated', id)),
}

function withValues(
  table: (store: SandboxStore) => Table,
  values: (store: SandboxStore) => Table,
): WatchedKind['rows'] {
  return ({ request: { store, params } }) => {
    const product_id = Number(params.productId)
    const rows = values(store).find({ product_id })
    return table(store)
      .find({ product_id })
      .map((row) => ({ ...row, values: rows.filter((value) => Object.values(value).includes(row.id)) }))
  }
}

/**
 * Documented for changes within one channel and language, which no call here makes. The switch raises the event for
 * every change. Source: "Options" and "Modifiers" of BigCommerce "Webhook events".
 */
function updatesOf(what: 'option' | 'modifier', { updated }: Changes, { request }: WatchedCall): StoreEvent[] {
  if (request.store.switches.webhook_option_events !== true) return []
  return updated.map(({ after: { id, product_id } }) => ({
    scope: `store/${what}/updated`,
    data: { type: `local_${what}`, id, affected_product_ids: [product_id] },
  }))
}

export const options: WatchedKind = {
  rows: withValues(optionTable, optionValueTable),
  events: (changes, call) => updatesOf('option', changes, call),
}

/** Deleting a modifier counts as a change of its product. Source: "Product update events". */
export const modifiers: WatchedKind = {
  rows: withValues(modifierTable, modifierValueTable),
  events: (changes, call) => [
    ...updatesOf('modifier', changes, call),
    ...changes.deleted.map((row) => productEvent('updated', row.product_id)),
  ],
}

/**
 * The assignments that a call changes: those of the products in its body, or those that match the filters of a
 * deletion.
 */
function linkRows(table: Table, field: string, { request: { method, query, body } }: WatchedCall): Row[] {
  if (method === 'PUT') return table.find({ product_id: idsIn(body, 'product_id') })
  const productIdFilter = numbersIn(query, 'product_id:in')
  const otherIds = numbersIn(query, `${field}:in`)
  return table.find({
    ...(productIdFilter ? { product_id: productIdFilter } : {}),
    ...(otherIds ? { [field]: otherIds } : {}),
  })
}

function assignmentEvents(path: (row: Row) => string | undefined, { created, deleted }: Changes): StoreEvent[] {
  const event = (rows: Row[], word: string) =>
    rows.flatMap((row) => {
      const scope = path(row)
      return scope === undefined ? [] : [{ scope: `${scope}/product/${word}`, data: { product_id: row.product_id } }]
    })
  return [...event(created, 'assigned'), ...event(deleted, 'unassigned')]
}

export const channelAssignments: WatchedKind = {
  rows: (call) => linkRows(channelAssignmentTable(call.request.store), 'channel_id', call),
  events: (changes) => assignmentEvents(({ channel_id }) => `store/channel/${channel_id}`, changes),
}

export const categoryAssignments: WatchedKind = {
  rows: (call) => linkRows(productCategoryTable(call.request.store), 'category_id', call),
  events: (changes, { request: { store } }) => assignmentEvents((link) => channelOf(store, link), changes),
}

function channelOf(store: SandboxStore, { category_id }: Row): string | undefined {
  const tree = store
    .table('category_trees')
    .get(Number(store.table('categories').get(Number(category_id))?.tree_id ?? 0))
  return tree ? `store/channel/${tree.channel_id}/category` : undefined
}
