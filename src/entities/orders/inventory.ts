import { numberOf } from '../../model/destination-id.ts'
import { settableLevel } from '../catalog/product-children.ts'
import type { ToCreate } from '../core/calls.ts'
import type { Component, StockLevel } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { References } from '../core/references.ts'
import {
  levelsAtOnce as batch,
  countLevels,
  existingLevels,
  levelId,
  levelsPath as path,
  rowsAtOnce,
  setLevels,
  sourceLevels,
} from './stock-levels.ts'

const key = 'inventory'

/**
 * The stock at one location, identified by its variant, or by its product if stock is tracked for the whole product. A
 * variant of a product that existed before the first run has no mapping, so its SKU is used.
 */
function levelDraft(level: PlatformItem, references: References): Draft {
  const { location_id, product_id, variant_id, sku, tracked_by } = level
  const quantity = settableLevel(level.quantity)
  const location = references.need('locations', location_id)
  const product = references.need('products', product_id)
  const variant = variant_id === null ? undefined : references.find('product-variants', variant_id)
  const stockKeeping = typeof sku === 'string' ? sku.trim() : ''
  const named =
    tracked_by === 'product'
      ? { product_id: product }
      : variant === undefined
        ? { sku: stockKeeping }
        : { variant_id: variant }
  return draft(
    key,
    levelId(level),
    { location_id: location, ...named, quantity },
    {
      compare: { quantity },
      keys: [
        ...(variant === undefined ? [] : [`variant:${location}/${variant}`]),
        ...(variant_id === null ? [`product:${location}/${product}`] : []),
        ...(stockKeeping === '' ? [] : [`sku:${location}/${stockKeeping.toLowerCase()}`]),
      ],
      name: stockKeeping || `product ${product_id}`,
      sku: stockKeeping || null,
      parentId: String(product),
    },
  )
}

/**
 * The response is just a transaction id, so accepted levels are taken to exist as sent, with the ids they have in the
 * list.
 */
function asSent({ body, keys, sku, parentId }: Draft): PlatformItem {
  const [, variant] = keys[0]?.match(/^variant:\d+\/(.+)$/) ?? []
  const { location_id, quantity } = body
  const variant_id = variant === undefined ? null : Number(variant)
  const tracked_by = body.product_id === undefined ? 'variant' : 'product'
  return { location_id, product_id: numberOf(parentId ?? ''), variant_id, sku: sku ?? '', quantity, tracked_by }
}

/** Undefined if the variant is not there, or was there before. */
function idByOwner(level: Draft): string | undefined {
  return level.body.sku === undefined ? levelId(asSent(level)) : undefined
}

const adjustment = (levels: readonly Draft[]) => setLevels(levels.map(({ body }) => body))

/**
 * A level of 0 is left out where there is no stock: a new item sells nothing then, and setting it would turn on tracking
 * where there was none.
 */
function worthSetting(levels: readonly ToCreate[]): readonly Draft[] {
  const some = levels.filter(({ draft: { body }, inStock = 0 }) => body.quantity !== 0 || inStock !== 0)
  return (some.length > 0 ? some : levels).map(({ draft }) => draft)
}

function levelOf({ body, parentId }: Draft): StockLevel | undefined {
  const { location_id, product_id, variant_id, quantity } = body
  if (product_id === undefined && variant_id === undefined) return undefined
  return {
    productId: numberOf(parentId ?? ''),
    variantId: product_id === undefined ? Number(variant_id) : 0,
    locationId: Number(location_id),
    quantity: Number(quantity),
  }
}

/**
 * Sets absolute levels, so it is safe to repeat. The destination's shop changes stock itself, so levels are set only
 * for new products (D1).
 */
const stockLevel: Component = {
  key,
  label: 'Stock levels',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'location, and variant or product; the SKU where the variant was there already',
  destinationOwned: ['quantity'],
  setOnNew: ['product-variants', 'products'],
  idByOwner,
  sideEffects: { level: levelOf },
  carried: false,
  create: {
    batch,
    call: (desired) => adjustment(worthSetting(desired)),
    results: (_status, _body, desired) => desired.map((level) => ({ saved: asSent(level) })),
  },
  update: {
    call: (desired) => adjustment([desired]),
    several: {
      batch,
      call: (corrections) => adjustment(corrections.map(({ desired }) => desired)),
    },
  },
  callsPerItem: { write: 1 / batch },
}

const reading = { path, kind: 'staged', limit: rowsAtOnce, idField: 'id', length: countLevels } as const

/** The last phase, because any other write may change stock. */
export const inventory = defineEntity({
  key,
  label: 'Inventory',
  group: 'catalog',
  after: ['locations', 'products'],
  scope: 'store',
  scopes: [{ scope: 'store_inventory', below: ['/v3/inventory'], probe: { path, query: { limit: 1 } } }],
  prune: 'never',
  components: [stockLevel],
  notMoved: [
    {
      what: 'stock of products that the run did not create, unless asked for (`overwriteLiving`)',
      why: 'it lives on at the destination',
    },
    { what: 'stock below 0, of which 0 is copied', why: 'the platform accepts no such level' },
    {
      what: 'safety stock, warning levels and bins at other locations than the default one',
      why: 'not moved yet; warning levels and bins of the default one are copied with their products',
    },
  ],
  passes: [
    {
      key,
      label: 'Stock levels',
      root: key,
      below: 'products',
      lookupOnly: true,
      // All levels of a product share a call, so that they are read once before they are set (G11).
      plannedInGroups: { items: batch, belongingTo: ({ product_id }) => product_id },
      about: { component: 'products', field: 'product_id' },
      countRequested: (client, _options, page) => countLevels(client, {}, page),
      // Pages are read twice (G2), and a third call finds out how the products of a page are tracked. That estimate
      // holds as long as some of them have several rows.
      source: { ...reading, pages: sourceLevels, walkCalls: { once: 1, perItem: 3 / rowsAtOnce } },
      destination: {
        ...reading,
        pages: existingLevels,
        walkCalls: { once: 1, perItem: 2 / rowsAtOnce },
        complete: true,
      },
      drafts: levelDraft,
    },
  ],
})
