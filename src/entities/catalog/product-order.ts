import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import type { Component, SaleTerms, Unsold } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import type { Pass } from '../core/pass.ts'
import type { References } from '../core/references.ts'
import { categoriesOfTree } from './categories.ts'
import { list } from './product-children.ts'

const key = 'category-product-order'
const orderPath = (categoryId: string) => `/v3/catalog/categories/${categoryId}/products/sort-order`
const field = 'product_order'

/** A product without a position has never been sorted. */
function isSorted({ sort_order }: PlatformItem): boolean {
  return sort_order !== null && sort_order !== undefined
}

function orderDraft(category: PlatformItem, references: References): Draft {
  const id = references.need('categories', category.category_id)
  const products = list(category[field]).flatMap(({ product_id, sort_order }) => {
    const counterpart = references.want('products', product_id)
    return counterpart === undefined ? [] : { product_id: counterpart, sort_order: Number(sort_order) }
  })
  const sorted = inOrder(products)
  return draft(
    key,
    category.category_id,
    { products: sorted },
    { name: String(category.name ?? ''), parentId: String(id) },
  )
}

function inOrder(products: PlatformItem[]): PlatformItem[] {
  return products.toSorted(
    (a, b) => Number(a.sort_order) - Number(b.sort_order) || Number(a.product_id) - Number(b.product_id),
  )
}

/** No call takes a position from a product. */
function withOthers(desired: Draft, existing: Draft): Draft {
  const own = list(desired.body.products)
  const sent = new Set(own.map(({ product_id }) => product_id))
  const others = list(existing.compare.products).filter(({ product_id }) => !sent.has(product_id))
  return { ...desired, compare: { products: inOrder([...own, ...others]) } }
}

const keyOf = (order: Draft, productId: unknown) => `${order.parentId} ${productId}`

/**
 * The platform refuses the whole order for a product that is not in the category: `skip` leaves products that were
 * there already in the categories that they had. The others are sorted without it.
 */
const elsewhere: Unsold = {
  mayBeReason: ({ httpStatus }) => httpStatus === 422,
  isReason: () => false,
  ask: async (client, order, signal) => {
    const inCategory = new Set<unknown>()
    for await (const { items } of offsetPages<PlatformItem>(client, orderPath(order.parentId ?? ''), {}, { signal }))
      for (const { product_id } of items) inCategory.add(product_id)
    const others = list(order.body.products).filter(({ product_id }) => !inCategory.has(product_id))
    const none: SaleTerms = { least: 0, most: 0, required: [] }
    return new Map(others.map(({ product_id }) => [keyOf(order, product_id), none]))
  },
  replace: (order, termsOf) => {
    if (termsOf === 'none') return undefined
    const all = list(order.body.products)
    const products = all.filter(({ product_id }) => termsOf(keyOf(order, product_id)) === undefined)
    return products.length === all.length ? undefined : { ...order, body: { products }, compare: { products } }
  },
}

/**
 * The order of the products in a category, if the merchant set one. One call sets the order of a whole category and is
 * safe to repeat. No list says which categories have an order, so reading takes a call for each category with products.
 */
export const productOrder: Component = {
  key,
  label: 'Product order in categories',
  scope: 'storefront',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'category',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    unsold: elsewhere,
    call: ([only]) => ({ method: 'PUT', path: orderPath(only?.parentId ?? ''), body: only?.draft.body.products }),
    results: (_status, _body, desired) =>
      desired.map((one) => ({
        saved: { category_id: numberOf(one.parentId ?? ''), name: one.name, [field]: one.body.products },
      })),
  },
  update: {
    call: (desired) => ({ method: 'PUT', path: orderPath(desired.parentId ?? ''), body: desired.body.products }),
    leaves: withOthers,
  },
  callsPerItem: { write: 1 },
}

/** Comes after the products: only products in a category can have a position there. */
export const productOrders: Pass = {
  key,
  label: 'Product order in categories',
  root: key,
  below: 'categories',
  hasIdOfParent: true,
  // A product that leaves a category is no longer in its order.
  changesWithOthers: true,
  source: { path: '/v3/catalog/trees/categories', kind: 'staged', limit: 250, idField: 'category_id' },
  picks: { idsParameter: 'category_id:in', of: 'categories' },
  storefront: categoriesOfTree,
  sets: [{ field, of: 'products', id: 'product_id', partial: true }],
  // A category of a store with a million products may have ten thousand of them.
  plannedTogether: 10,
  details: [
    {
      field,
      path: orderPath,
      idField: 'product_id',
      mayHave: () => true,
      // A large category that was never sorted would otherwise take as much memory as a sorted one.
      keeps: isSorted,
      namedBy: { by: 'products', field: 'categories' },
    },
  ],
  holds: (category) => category[field] === undefined || list(category[field]).length > 0,
  destination: {
    path: '/v3/catalog/trees/categories',
    kind: 'staged',
    limit: 250,
    idField: 'category_id',
    complete: true,
  },
  drafts: orderDraft,
}
