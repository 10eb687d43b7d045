import type { StoreClient } from '../../bigcommerce/client.ts'
import { itemsIn, offsetPages } from '../../bigcommerce/pages.ts'
import { inParts } from '../../model/in-parts.ts'
import { list } from '../catalog/product-children.ts'
import type { Probe, WriteCall } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, outsideField, outsideOf, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { identity, type References } from '../core/references.ts'

const path = '/v3/wishlists'

function wishlistDraft(item: PlatformItem, references: References): Draft {
  const { id, token: _token, [outsideField]: _out, customer_id, items, ...rest } = item
  const customer = references.need('customers', customer_id)
  const wishes = list(items).flatMap((wish) => wishAt(wish, references))
  const name = String(rest.name ?? '')
  return draft(
    'wishlists',
    id,
    { ...rest, customer_id: customer, items: wishes },
    {
      compare: { ...rest, customer_id: customer, ...Object.fromEntries(wishes.map((wish) => [nameOf(wish), true])) },
      keys: [`customer:${customer}/name:${name.trim().toLowerCase()}`],
      name,
      parentId: String(customer),
      outside: outsideOf(item),
    },
  )
}

/** Empty if the destination does not have the product: the item is left out and stays pending. */
function wishAt({ product_id, variant_id }: PlatformItem, references: References): PlatformItem[] {
  const product = references.want('products', product_id)
  if (product === undefined) return []
  if (variant_id === null || variant_id === undefined) return [{ product_id: product }]
  const variant = references.want('product-variants', variant_id)
  return variant === undefined ? [] : [{ product_id: product, variant_id: variant }]
}

/** Wishes are compared one by one: what only the destination has was added by its shopper, and stays (G3). */
function nameOf({ product_id, variant_id }: PlatformItem): string {
  return `product ${product_id}/${variant_id ?? ''}`
}

/**
 * Keeps wishes that shoppers added at the destination, and those for what other storefronts sell (D3), because the list
 * is written as a whole.
 */
function withOthers(desired: Draft, existing: Draft): WriteCall {
  const others = list(existing.outside.items).map(({ product_id, variant_id }) => ({ product_id, variant_id }))
  const own = new Set(list(desired.body.items).map(nameOf))
  const added = [...list(existing.body.items), ...others].filter((wish) => !own.has(nameOf(wish)))
  const bodyWith = (wishes: PlatformItem[]) => {
    const all = [...list(desired.body.items), ...wishes]
    return { ...desired.body, items: [...new Map(all.map((wish) => [nameOf(wish), wish])).values()] }
  }
  const call = { method: 'PUT' as const, path: `${path}/${existing.id}`, body: bodyWith(added) }
  if (added.length === 0) return call
  return { ...call, prepare: async ({ destination }) => ({ body: bodyWith(await stillThere(destination, added)) }) }
}

/** Products per call: with variants, an address that is not too long. */
const productsAtOnce = 50

/** A list may name what the shop has deleted since, which the platform refuses in a new one. */
async function stillThere(client: Pick<StoreClient, 'get'>, wishes: PlatformItem[]): Promise<PlatformItem[]> {
  const there = new Set<string>()
  for (const ids of inParts([...new Set(wishes.map(({ product_id }) => Number(product_id)))], productsAtOnce)) {
    const query = { 'id:in': ids.join(','), include: 'variants', include_fields: 'id', limit: productsAtOnce }
    const answer = await client.get('/v3/catalog/products', query)
    for (const { id: product_id, variants } of itemsIn<PlatformItem>(answer, '/v3/catalog/products'))
      for (const variant_id of [undefined, ...list(variants).map(({ id }) => id)])
        there.add(nameOf({ product_id, variant_id }))
  }
  return wishes.filter((wish) => there.has(nameOf(wish)))
}

function customerAndProducts({ customer_id, items }: PlatformItem): { component: string; id: unknown }[] {
  const products = list(items).map(({ product_id }) => ({ component: 'products', id: product_id }))
  return [{ component: 'customers', id: customer_id }, ...products]
}

/** The platform lists the wishlists of one customer at a time. */
const probe: Probe = async (client, { parentIds }) => {
  const found: Draft[] = []
  for (const customer_id of parentIds)
    for await (const { items } of offsetPages<PlatformItem>(client, path, { customer_id }))
      found.push(...items.map((item) => wishlistDraft(item, identity)))
  return found
}

const wishlist: Component = {
  key: 'wishlists',
  label: 'Wishlists',
  data: 'personal',
  staysErased: true,
  recovery: 'baseline',
  naturalKey: 'customer and name, capitals aside',
  sharesKeys: true,
  madeByShoppers: true,
  addedTo: true,
  destinationOwned: [],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: withOthers,
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe,
  findsUnlisted: probe,
  callsPerItem: { write: 1 },
}

export const wishlists = defineEntity({
  key: 'wishlists',
  label: 'Wishlists',
  group: 'customers',
  after: ['products', 'customers'],
  scopes: [{ scope: 'store_v2_customers', below: [path] }],
  scope: 'store',
  prune: 'allowed',
  components: [wishlist],
  notMoved: [
    { what: 'the address under which a public list is shared', why: 'every store makes its own' },
    {
      what: 'that a product was taken off a list after it was copied',
      why: 'at the destination, it may be one that the shopper has added there',
    },
    { what: 'lists of visitors without an account', why: 'the platform gives every list to a customer' },
  ],
  passes: [
    {
      key: 'wishlists',
      label: 'Wishlists',
      root: 'wishlists',
      picks: { needs: customerAndProducts },
      about: { component: 'customers', field: 'customer_id' },
      source: { path, kind: 'staged', limit: 250, idField: 'id' },
      sets: [{ field: 'items', of: 'products', id: 'product_id' }],
      destination: { path, kind: 'staged', limit: 250, idField: 'id', complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      drafts: wishlistDraft,
    },
  ],
})
