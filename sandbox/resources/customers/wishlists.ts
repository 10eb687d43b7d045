import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerTable, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { productTable, variantTable } from '../../tables/product-tables.ts'
import {
  deleteWishlist,
  insertWishlist,
  type WishedItem,
  wishlistItemTable,
  wishlistTable,
} from '../../tables/wishlist-tables.ts'
import { numberParam, objectBody, refuseIfAny, refuseJson, rowOr404, rowsIn } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'

type Body = Record<string, unknown>

const WISHLISTS = '/v3/wishlists'
const WISHLIST = `${WISHLISTS}/:wishlistId`
const ITEMS = `${WISHLIST}/items`

const RULES: FieldRules = {
  customer_id: { kind: 'integer', min: 1 },
  name: { kind: 'text', max: 255 },
  is_public: { kind: 'boolean' },
}

function shown(store: SandboxStore, row: Row): Body {
  const items = wishlistItemTable(store).find({ wishlist_id: row.id })
  return { ...row, items: items.map(({ wishlist_id: _list, ...item }) => item) }
}

function itemsIn(store: SandboxStore, body: Body): (WishedItem & { id?: unknown })[] {
  return rowsIn(body, 'items').map(({ id, product_id, variant_id }, at) => {
    const product = productTable(store).get(Number(product_id))
    if (!product)
      refuse(422, `items[${at}] names no product`, { [`items.${at}.product_id`]: 'there is no such product' })
    const variant = variant_id === undefined || variant_id === null ? null : variantTable(store).get(Number(variant_id))
    if (variant === undefined || (variant && variant.product_id !== product.id))
      refuse(422, `items[${at}] names no variant of its product`, { [`items.${at}.variant_id`]: 'no such variant' })
    // Without a variant id, the only variant of the product (our choice).
    return { id, product_id: product.id, variant_id: variant?.id ?? (product.base_variant_id as number | null) }
  })
}

function fieldsIn(store: SandboxStore, body: Body): Body {
  const { values, errors } = readFields(RULES, body)
  refuseIfAny(errors)
  if (body.customer_id === undefined) refuseIfAny({ customer_id: 'customer_id is required' })
  if (!customerTable(store).get(Number(values.customer_id))) refuseIfAny({ customer_id: 'there is no such customer' })
  return values
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const given = objectBody(body)
  const fields = fieldsIn(store, given)
  const items = itemsIn(store, given).map(({ id: _new, ...item }) => item)
  const row = store.transaction(() => insertWishlist(store, fields, items))
  return { status: 201, body: { data: shown(store, row), meta: {} } }
}

/** The body replaces all items. Those with an id stay the same items (our choice). */
function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  const given = objectBody(request.body)
  if (given.items === undefined) refuseJson(['items'])
  const fields = fieldsIn(store, given)
  const items = itemsIn(store, given)
  const row = store.transaction(() => {
    const kept = new Set(items.map(({ id }) => id))
    for (const { id } of wishlistItemTable(store).find({ wishlist_id: own.id }))
      if (!kept.has(id)) wishlistItemTable(store).delete(id)
    for (const { id, ...item } of items) saveItem(store, own.id, id, item)
    return wishlistTable(store).update(own.id, fields)
  })
  return { status: 201, body: { data: shown(store, row), meta: {} } }
}

function saveItem(store: SandboxStore, wishlist_id: number, id: unknown, item: WishedItem): void {
  const own = id === undefined ? undefined : wishlistItemTable(store).get(Number(id))
  if (own?.wishlist_id === wishlist_id) wishlistItemTable(store).update(own.id, { ...item })
  else wishlistItemTable(store).insert({ wishlist_id, ...item })
}

function addItems(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  const items = itemsIn(store, objectBody(request.body))
  store.transaction(() => {
    for (const { id: _new, ...item } of items) wishlistItemTable(store).insert({ wishlist_id: own.id, ...item })
  })
  return { status: 201, body: { data: shown(store, own), meta: {} } }
}

function removeItem(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  const item = rowOr404(wishlistItemTable(store), numberParam(request, 'itemId'), { wishlist_id: own.id })
  wishlistItemTable(store).delete(item.id)
  return ok(shown(store, own))
}

function named({ store, params }: SandboxRequest): Row {
  const row = wishlistTable(store).get(Number(params.wishlistId))
  return row ?? refuse(404, 'Could not find wishlist')
}

function listWishlists({ store, query }: SandboxRequest): SandboxAnswer {
  const customers = numbersIn(query, 'customer_id')
  const where: Where = customers ? { customer_id: customers } : {}
  const listed = list({ query, table: wishlistTable(store), where, show: (row) => shown(store, row), idFilters: false })
  return store.switches.wishlists_counted === true ? listed : withoutTotal(listed)
}

/** Recorded twice: the total is 0, although the list contains wishlists. */
function withoutTotal({ status, body }: SandboxAnswer): SandboxAnswer {
  const { data, meta } = body as { data: unknown[]; meta: { pagination: Body } }
  const { links: _links, ...pagination } = meta.pagination
  return { status, body: { data, meta: { pagination: { ...pagination, total: 0, total_pages: 0 } } } }
}

/** Deleting an unknown wishlist is no error: the specification has no 404. */
function remove(request: SandboxRequest): SandboxAnswer {
  request.store.transaction(() => deleteWishlist(request.store, numberParam(request, 'wishlistId')))
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const wishlists: SandboxResource = {
  key: 'wishlists',
  routes: [
    { method: 'GET', path: WISHLISTS, ...read, handle: listWishlists },
    { method: 'POST', path: WISHLISTS, ...write, handle: create },
    { method: 'GET', path: WISHLIST, ...read, handle: (request) => ok(shown(request.store, named(request))) },
    { method: 'PUT', path: WISHLIST, ...write, handle: update },
    { method: 'DELETE', path: WISHLIST, ...write, handle: remove },
    { method: 'POST', path: ITEMS, ...write, handle: addItems },
    { method: 'DELETE', path: `${ITEMS}/:itemId`, ...write, handle: removeItem },
  ],
}
