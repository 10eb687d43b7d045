import type { Row, SandboxStore } from '../../store/store.ts'
import { priceListTable, priceTime } from '../../tables/price-tables.ts'
import { priceRecordTable, variantTable } from '../../tables/product-tables.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { variantAnswers } from '../products/rows/variant-rows.ts'

type Body = Record<string, unknown>
type Complaints = Record<string, string>

/** Why a row of a batch was refused: the keys of its price, and its invalid fields. */
export interface RecordError {
  data: { price_list_id: unknown; variant_id: unknown; sku: unknown; currency: unknown }
  field_errors: Complaints
}

const PRICES: FieldRules = {
  price: { kind: 'number', min: 0, nullable: true },
  sale_price: { kind: 'number', min: 0, nullable: true },
  retail_price: { kind: 'number', min: 0, nullable: true },
  map_price: { kind: 'number', min: 0, nullable: true },
}

const TIER: FieldRules = {
  quantity_min: { kind: 'integer', min: 0 },
  quantity_max: { kind: 'integer', min: 0 },
  type: { kind: 'text', oneOf: ['fixed', 'price', 'percent'] },
  amount: { kind: 'number', min: 0 },
}

export const PRICE_FIELDS = Object.keys(PRICES)

/**
 * Saves one row of a batch, which is identified by list, variant and currency.
 * @returns the errors of the row; undefined if it was saved
 */
export function saveRecord(store: SandboxStore, listId: number, row: Body, mayExist: boolean): RecordError | undefined {
  const variant = variantNamed(store, row)
  const currency = typeof row.currency === 'string' ? row.currency.toLowerCase() : ''
  const own = variant && recordOf(store, listId, variant.id, currency)
  const { values, errors } = readFields(PRICES, row)
  const field_errors: Complaints = {
    ...errors,
    ...(priceListTable(store).get(listId) ? {} : { price_list_id: 'the price list does not exist' }),
    ...(variant ? {} : complaintAboutVariant(row)),
    ...(/^[a-z]{3}$/.test(currency) ? {} : { currency: 'currency must be the code of a currency' }),
    ...complaintsAboutTiers(row.bulk_pricing_tiers),
    ...(own && !mayExist ? { variant_id: 'a price of this variant in this currency exists already' } : {}),
  }
  const data = { price_list_id: listId, variant_id: row.variant_id, sku: row.sku, currency: row.currency }
  if (!variant || Object.keys(field_errors).length > 0) return { data, field_errors }
  write(store, { price_list_id: listId, variant_id: variant.id, currency }, withTiers(values, row), variant, own)
  return undefined
}

export function recordOf(store: SandboxStore, listId: number, variantId: number, currency: string): Row | undefined {
  return priceRecordTable(store).find({ price_list_id: listId, variant_id: variantId, currency_key: currency })[0]
}

/** A product's SKU is accepted only if its base variant has it, because a product has no price records of its own. */
function variantNamed(store: SandboxStore, { variant_id, sku }: Body): Row | undefined {
  if (variant_id !== undefined) return variantTable(store).get(Number(variant_id))
  return typeof sku === 'string' && sku !== '' ? variantTable(store).find({ sku_key: sku })[0] : undefined
}

function complaintAboutVariant({ variant_id, sku }: Body): Complaints {
  if (variant_id !== undefined) return { variant_id: `there is no variant ${String(variant_id)}` }
  return { sku: sku === undefined ? 'variant_id or sku is required' : `no variant has the SKU ${String(sku)}` }
}

function complaintsAboutTiers(given: unknown): Complaints {
  if (given === undefined) return {}
  if (!Array.isArray(given)) return { bulk_pricing_tiers: 'bulk_pricing_tiers must be an array' }
  const tiers = given.map((tier) => ({ ...(tier as Body) }))
  const bad = tiers.flatMap((tier) =>
    Object.values({
      ...complaintsAboutMissing(['quantity_min', 'type', 'amount'], tier),
      ...readFields(TIER, tier).errors,
    }),
  )
  if (bad.length > 0) return { bulk_pricing_tiers: bad.join('; ') }
  return tiers.some((tier, at) => tiers.slice(at + 1).some((other) => overlap(tier, other)))
    ? { bulk_pricing_tiers: 'the quantity ranges overlap' }
    : {}
}

function overlap(left: Body, right: Body): boolean {
  // A maximum of 0 means "and more".
  const last = (tier: Body) => Number(tier.quantity_max) || Infinity
  return Number(left.quantity_min) <= last(right) && Number(right.quantity_min) <= last(left)
}

function withTiers(values: Body, { bulk_pricing_tiers }: Body): Body {
  if (bulk_pricing_tiers === undefined) return values
  return { ...values, bulk_pricing_tiers: (bulk_pricing_tiers as Body[]).map((tier) => readFields(TIER, tier).values) }
}

function write(store: SandboxStore, key: Body, fields: Body, variant: Row, own?: Row): void {
  const table = priceRecordTable(store)
  const { price, sale_price } = { ...own, ...fields } as Body
  const calculated_price = sale_price ?? price ?? variantAnswers(store, [variant])[0]?.calculated_price
  const saved = { ...fields, calculated_price, date_modified: priceTime() }
  if (own) table.update(own.id, saved)
  else
    table.insert({
      ...key,
      product_id: variant.product_id,
      bulk_pricing_tiers: [],
      date_created: priceTime(),
      ...saved,
    })
}

/**
 * Prices that are not set are left out, and the largest quantity of a tier without one is null. Tiers and the SKU are
 * included on request.
 */
export function recordAnswer(store: SandboxStore, row: Row, includes: readonly string[]): Body {
  const { id: _id, bulk_pricing_tiers, ...fields } = row
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    ...(includes.includes('bulk_pricing_tiers') ? { bulk_pricing_tiers: tiersShown(bulk_pricing_tiers) } : {}),
    ...(includes.includes('sku') ? { sku: variantTable(store).get(Number(row.variant_id))?.sku ?? '' } : {}),
  }
}

function tiersShown(tiers: unknown): Body[] {
  // Only this file writes the field.
  return (tiers as Body[]).map(({ quantity_min, quantity_max = null, ...tier }) => ({
    quantity_min,
    quantity_max,
    ...tier,
  }))
}
