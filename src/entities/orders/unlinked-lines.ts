import type { StoreClient } from '../../bigcommerce/client.ts'
import { itemsIn } from '../../bigcommerce/pages.ts'
import { list } from '../catalog/product-children.ts'
import type { SaleTerms, Unsold } from '../core/component.ts'
import type { Draft, PlatformItem } from '../core/draft.ts'
import type { OtherForm } from './order-lines.ts'
import { withUnlinkedLines } from './order-notes.ts'

/** A field of our own in a body: the form of each line without a link to the catalogue. */
export const otherForms = 'other forms of the lines'

/** The body as the platform accepts it. The notes record the products of unlinked lines (G15). */
export function sentBody({ [otherForms]: forms, ...body }: PlatformItem): PlatformItem {
  const unlinked = list(body.products).flatMap(({ product_id }, at) => {
    const item = (forms as OtherForm[])[at]?.item
    return product_id === undefined && item ? [{ position: at, item }] : []
  })
  return { ...body, staff_notes: withUnlinkedLines(String(body.staff_notes), unlinked) }
}

const keyOf = ({ product_id, variant_id }: PlatformItem) => `${product_id}/${variant_id}`

function isSold(line: PlatformItem, quantity: number, { least, most, required }: SaleTerms): boolean {
  const chosen = list(line.product_options).map(({ id }) => Number(id))
  return quantity >= least && quantity <= most && required.every((id) => chosen.includes(id))
}

function replace(draft: Draft, termsOf: ((key: string) => SaleTerms | undefined) | 'none'): Draft | undefined {
  const lines = list(draft.body.products)
  const forms = draft.body[otherForms] as OtherForm[]
  const ordered = Map.groupBy(lines, keyOf)
  const quantityOf = (line: PlatformItem) =>
    (ordered.get(keyOf(line)) ?? []).reduce((sum, { quantity }) => sum + Number(quantity), 0)
  const products = lines.map((line, at) => {
    if (line.product_id === undefined) return line
    const terms = termsOf === 'none' ? undefined : termsOf(keyOf(line))
    const sold = termsOf !== 'none' && (terms === undefined || isSold(line, quantityOf(line), terms))
    return sold ? line : (forms[at]?.custom ?? line)
  })
  if (products.every((line, at) => line === lines[at])) return undefined
  return { ...draft, body: { ...draft.body, products } }
}

/** Products per call: with modifiers, the platform returns no more. Source: the published list of products. */
const productsAtOnce = 10

async function ask(client: Pick<StoreClient, 'get'>, draft: Draft, signal: AbortSignal) {
  const lines = list(draft.body.products).filter(({ product_id }) => product_id !== undefined)
  const ids = [...new Set(lines.map(({ product_id }) => Number(product_id)))]
  const found = new Map<string, SaleTerms>()
  for (let at = 0; at < ids.length; at += productsAtOnce) {
    const query = {
      'id:in': ids.slice(at, at + productsAtOnce).join(','),
      include: 'variants,modifiers',
      include_fields: 'inventory_tracking,inventory_level,order_quantity_minimum,order_quantity_maximum',
      limit: productsAtOnce,
    }
    const answer = await client.get('/v3/catalog/products', query, { signal })
    for (const product of itemsIn<PlatformItem>(answer, '/v3/catalog/products'))
      for (const variant of list(product.variants)) found.set(`${product.id}/${variant.id}`, termsOf(product, variant))
  }
  for (const line of lines)
    if (line.variant_id !== undefined && !found.has(keyOf(line))) found.set(keyOf(line), noLongerThere)
  return found
}

/** The product was deleted after the copy, so it cannot be sold. */
const noLongerThere: SaleTerms = { least: 0, most: 0, required: [] }

function termsOf(product: PlatformItem, variant: PlatformItem): SaleTerms {
  const largest = Number(product.order_quantity_maximum ?? 0) || Number.POSITIVE_INFINITY
  const levels = { none: Number.POSITIVE_INFINITY, product: product.inventory_level, variant: variant.inventory_level }
  const level = levels[product.inventory_tracking as keyof typeof levels]
  return {
    least: Number(product.order_quantity_minimum ?? 0),
    most: Math.min(largest, Number(level ?? Number.POSITIVE_INFINITY)),
    required: list(product.modifiers).flatMap(({ id, required }) => (required === true ? [Number(id)] : [])),
  }
}

/**
 * The platform refuses a line that exceeds today's stock, misses today's minimum or maximum, has no choice for an
 * option required today, or whose product is deleted (G15). How it refuses a deleted product is not documented.
 */
export const unsoldLines: Unsold = {
  mayBeReason: ({ httpStatus }) => [400, 404, 409, 422].includes(httpStatus),
  isReason: ({ httpStatus, title, errors }) =>
    httpStatus === 409 ||
    (httpStatus === 400 &&
      (Object.values(errors).includes('MandatoryProductOptions') || /options of one or more products/i.test(title))),
  ask,
  replace,
}
