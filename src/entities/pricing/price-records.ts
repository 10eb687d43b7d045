import { asRecord, titleOf } from '../../bigcommerce/errors.ts'
import { cursorPages } from '../../bigcommerce/pages.ts'
import { list } from '../catalog/product-children.ts'
import type { Probe, WriteResult } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { withFourDecimals } from '../core/four-decimals.ts'
import type { Pass } from '../core/pass.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'

const key = 'price-records'
const recordsOf = (listId: unknown) => `/v3/pricelists/${listId}/records`

/** Source: the published price lists specification. */
const batch = 1000

/** Prices have no id; this field holds one that we make up. */
const idField = 'record'

/**
 * The SKU that a price is for. Filters take a comma-separated list of SKUs, so a SKU with a comma is unusable.
 */
function skuOf({ sku }: PlatformItem): string | null {
  return typeof sku === 'string' && sku !== '' && !sku.includes(',') ? sku : null
}

const wholePrice = { include: 'bulk_pricing_tiers,sku' }

const reading: Reading = {
  path: '/v3/pricelists',
  kind: 'staged',
  byCursor: true,
  limit: 250,
  idField,
  parts: {
    path: ({ id }) => recordsOf(id),
    query: wholePrice,
    limit: 250,
    byCursor: true,
    item: (price, { id }) => withId({ ...price, price_list_id: id }),
  },
}

/** A price keeps its id when a merchant changes the SKU of its variant. */
function withId(price: PlatformItem): PlatformItem {
  return { ...price, [idField]: nameOf(price.price_list_id, price.currency, `variant:${price.variant_id}`) }
}

function nameOf(listId: unknown, currency: unknown, of: string): string {
  return `${listId}/${String(currency).toLowerCase()}/${of}`
}

/**
 * A price that exists is found by its variant and by its SKU. One to be written has the SKU only where the variant is
 * not known, and beside it the SKU as it is written: it is not known whether the platform's filter ignores case.
 */
function keysOf(price: PlatformItem, listId: number, variant: number | undefined, isExisting: boolean): string[] {
  const sku = skuOf(price)
  return [
    ...(variant === undefined ? [] : [`variant:${variant}`]),
    ...(sku !== null && (variant === undefined || isExisting) ? [`sku:${sku.toLowerCase()}`] : []),
    ...(sku !== null && variant === undefined && !isExisting ? [`written:${sku}`] : []),
  ].map((of) => `price:${nameOf(listId, price.currency, of)}`)
}

function recordDraft(price: PlatformItem, references: References): Draft {
  const listId = references.need('price-lists', price.price_list_id)
  const sku = skuOf(price)
  // A variant of a product that existed before the first run has no mapping, but its SKU identifies it too.
  const variant = references.find('product-variants', price.variant_id)
  // Its variants have one, unless they were deleted there or refused.
  const isCreated = references.isCreated?.('products', price.product_id) === true
  // Elsewhere, its SKU would find a variant of a product that is no copy.
  if (variant === undefined) references.need('products', price.product_id)
  const named =
    variant !== undefined || isCreated || sku === null
      ? { variant_id: variant ?? references.need('product-variants', price.variant_id) }
      : { sku }
  const currency = String(price.currency).toLowerCase()
  const prices = {
    price: price.price ?? null,
    sale_price: price.sale_price ?? null,
    retail_price: price.retail_price ?? null,
    map_price: price.map_price ?? null,
  }
  const amounts = withFourDecimals(prices, Object.keys(prices))
  const tiers = list(price.bulk_pricing_tiers).map((tier) => withFourDecimals(tier, ['amount']))
  return draft(
    key,
    price[idField],
    { ...named, currency, ...amounts, bulk_pricing_tiers: tiers.map(withoutNulls) },
    {
      compare: { ...amounts, bulk_pricing_tiers: inOrder(tiers.map(comparable)) },
      keys: keysOf(price, listId, named.variant_id, references.sourceHash === undefined),
      name: `${sku ?? `variant ${price.variant_id}`} in ${currency}`,
      sku,
      parentId: String(listId),
    },
  )
}

/** Stores show in several ways that a tier has no largest quantity, and accept no null. Source: the published file. */
function comparable({ quantity_max, ...tier }: PlatformItem): PlatformItem {
  const most = Number(quantity_max ?? 0)
  return most === 0 || most === 2_147_483_647 ? tier : { ...tier, quantity_max }
}

function inOrder(tiers: PlatformItem[]): PlatformItem[] {
  return [...tiers].sort((a, b) => Number(a.quantity_min) - Number(b.quantity_min))
}

/**
 * Shape F: the prices listed were refused, the others were saved. If it lists one that is not among those sent, it does
 * not tell them apart.
 */
function recordResults(httpStatus: number, body: unknown, desired: Draft[]): WriteResult[] {
  const asAccepted = (one: Draft): WriteResult =>
    one.body.variant_id === undefined ? { lookFor: true } : { saved: savedAs(one) }
  if (httpStatus !== 422) return desired.map(asAccepted)
  const { batch_errors } = asRecord(body)
  const errors: BatchError[] = Array.isArray(batch_errors) ? batch_errors : []
  const isClear = errors.length > 0 && errors.every(({ data }) => desired.some((one) => isAbout(data, one)))
  return desired.map((one) => {
    const error = errors.find(({ data }) => isAbout(data, one))
    if (error) return { refused: { title: 'The price was not saved', errors: error.field_errors ?? {} } }
    if (isClear) return asAccepted(one)
    return { refused: { title: titleOf(body) || 'The prices were not saved', errors: {} }, withOthers: true }
  })
}

interface BatchError {
  data?: PlatformItem
  field_errors?: Record<string, string>
}

function isAbout(data: PlatformItem | undefined, { body }: Draft): boolean {
  if (!data || String(data.currency).toLowerCase() !== body.currency) return false
  return body.variant_id === undefined ? data.sku === body.sku : data.variant_id === body.variant_id
}

/** The response contains no prices, so that of a known variant is taken to exist as sent, with the id it has in the list. */
function savedAs({ body, sku, parentId, keys }: Draft): PlatformItem {
  return { ...body, sku: sku ?? '', price_list_id: parentId, [idField]: keys[0]?.slice('price:'.length) }
}

/** How many SKUs one address names. */
const skusAtOnce = 50

/** Looks up prices that were written by SKU, to learn their ids. */
const probe: Probe = async (client, { keys, parentIds }) => {
  const found: Draft[] = []
  for (const listId of parentIds) {
    const own = keys.flat().filter((key) => key.startsWith(`price:${listId}/`))
    const skus = own.flatMap((key) => /\/written:(.*)$/.exec(key)?.[1] ?? [])
    for (let at = 0; at < skus.length; at += skusAtOnce) {
      const query = { ...wholePrice, 'sku:in': skus.slice(at, at + skusAtOnce).join(',') }
      for await (const { items } of cursorPages<PlatformItem>(client, recordsOf(listId), query))
        found.push(...items.map((price) => recordDraft(withId({ ...price, price_list_id: listId }), identity)))
    }
  }
  return found.map((one) => ({ ...one, keys: one.keys.filter((key) => skuInKey(key) !== undefined) }))
}

function skuInKey(key: string): string | undefined {
  return /\/sku:(.*)$/.exec(key)?.[1]
}

function withoutNulls(body: PlatformItem): PlatformItem {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

/** Written by an upsert, so it is safe to repeat. */
export const priceRecord: Component = {
  key,
  label: 'Prices of price lists',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'price list, variant (by its SKU where the variant was there already) and currency',
  knownByKey: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    together: ({ draft: { parentId } }) => parentId ?? '',
    call: (desired) => ({
      method: 'PUT',
      path: recordsOf(desired[0]?.draft.parentId),
      // A new price has nothing to clear.
      body: desired.map((one) => withoutNulls(one.draft.body)),
      heavy: true,
    }),
    readsRefusals: true,
    results: recordResults,
  },
  update: {
    call: (desired) => ({ method: 'PUT', path: recordsOf(desired.parentId), body: [desired.body] }),
    several: {
      // Less than the platform accepts: if it refuses one price, all of the batch are sent one by one.
      batch: 100,
      together: ({ desired: { parentId } }) => parentId ?? '',
      call: (corrections) => ({
        method: 'PUT',
        path: recordsOf(corrections[0]?.desired.parentId),
        body: corrections.map(({ desired }) => desired.body),
        heavy: true,
      }),
    },
  },
  remove: {
    call: ({ id }) => {
      const [listId, currency = '', of = ''] = id.split('/')
      const query = { 'variant_id:in': of.slice('variant:'.length), currency }
      return { method: 'DELETE', path: recordsOf(listId), query }
    },
  },
  probe,
  callsPerItem: { write: 1 / batch },
}

/** Read price list by price list, because no list contains them all. */
export const priceRecords: Pass = {
  key,
  label: 'Prices of price lists',
  root: key,
  below: 'price-lists',
  about: { component: 'products', field: 'product_id' },
  part: {
    component: 'product-variants',
    leftOut: 'its variant is not at the destination.',
    remedy: 'Run again with `update`, which creates a variant that was deleted at the destination, and its prices.',
  },
  source: reading,
  destination: { ...reading, complete: true },
  drafts: recordDraft,
}
