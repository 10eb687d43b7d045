import { list } from '../catalog/product-children.ts'
import type { TakenStock } from '../core/component.ts'
import type { PlatformItem } from '../core/draft.ts'
import type { References } from '../core/references.ts'

/** The field for all lines of an order, because a page contains only fifty for each consignment. */
export const allLines = 'all lines'

/** The list that has them. */
export const linesPath = (orderId: string) => `/v2/orders/${orderId}/products`

/** The query for an order with all its parts. */
export const everything = { include: 'consignments.line_items,fees', consignment_structure: 'object' }

/** A line in the form without a link to the catalogue. */
export interface OtherForm {
  custom: PlatformItem
  /** Its product and options, which are compared instead; null if it refers to nothing in the catalogue. */
  item: PlatformItem | null
}

/** Consignments as the platform groups them. Any of the lists may be missing. */
interface Consignments {
  shipping?: PlatformItem[]
  pickups?: PlatformItem[]
  downloads?: PlatformItem[]
  email?: { gift_certificates?: PlatformItem[] }
}

function consignmentsOf(order: PlatformItem): Consignments {
  // Without the include parameters, the field is a link.
  return (order.consignments ?? {}) as Consignments
}

function groupsOf(order: PlatformItem): PlatformItem[] {
  const { shipping, pickups, downloads, email } = consignmentsOf(order)
  return [list(shipping), list(pickups), list(downloads), list(email?.gift_certificates)].flat()
}

/** The platform puts a warning beside a truncated list. Source: the platform's public issues. */
export function hasMoreLines(order: PlatformItem): boolean {
  return groupsOf(order).some((group) => group.__warning__ !== undefined)
}

const byId = (a: PlatformItem, b: PlatformItem) => Number(a.id) - Number(b.id)

/** All lines, by ascending id. */
export function linesOf(order: PlatformItem): PlatformItem[] {
  const whole = list(order[allLines])
  if (whole.length > 0) return [...whole].sort(byId)
  return groupsOf(order)
    .flatMap(({ line_items }) => list(line_items))
    .sort(byId)
}

/** The shipping addresses, by ascending id. */
export function addressesOf(order: PlatformItem): PlatformItem[] {
  return list(consignmentsOf(order).shipping).sort(byId)
}

/** Where goods are picked up instead of being sent. */
export function pickupsOf(order: PlatformItem): PlatformItem[] {
  return list(consignmentsOf(order).pickups)
}

/** Amounts of money are strings, numbers, or missing. */
export function amount(value: unknown): number {
  return Math.round(Number(value ?? 0) * 10_000) / 10_000
}

/** The beginning of a text, without half of an emoji at its end: a store cannot read an order that has one. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
}

/**
 * What is compared of the lines. Which product each has is a field of its own, and left out if the source has a product
 * that is not at the destination any more: the copy may still be linked to the one that was.
 *
 * @param unlinked products and options of lines that are not linked to them, by position
 */
export function comparedLines(
  lines: PlatformItem[],
  references: References,
  unlinked: ReadonlyMap<number, PlatformItem>,
): PlatformItem {
  const items = lines.flatMap((line, at) => {
    const item = unlinked.get(at) ?? catalogItem(line, references) ?? outsideCatalogue(line)
    return item ? [[`products.${at + 1}`, item] as const] : []
  })
  return { products: lines.map(comparedLine), ...Object.fromEntries(items) }
}

function comparedLine(line: PlatformItem): PlatformItem {
  return {
    name: String(line.name ?? ''),
    quantity: Number(line.quantity),
    price_ex_tax: amount(line.price_ex_tax),
    price_inc_tax: amount(line.price_inc_tax),
    upc: String(line.upc ?? ''),
  }
}

/** A catalogue item has its SKU in the catalogue; for anything else, only the line has one. */
function outsideCatalogue(line: PlatformItem): PlatformItem | null {
  return isOfCatalogue(line) ? null : { product_id: 0, variant_id: 0, sku: String(line.sku ?? '') }
}

function isOfCatalogue({ product_id, variant_id }: PlatformItem): boolean {
  return Number(product_id ?? 0) > 0 && Number(variant_id ?? 0) > 0
}

function catalogItem(line: PlatformItem, references: References): PlatformItem | null {
  const product = productOf(line, references)
  return product ? { ...product, options: choicesOf(line), wrapping: wrapping(line) } : null
}

function choicesOf(line: PlatformItem): string[] {
  return chosenIn(line).map(({ display_name, display_value }) => `${display_name}: ${display_value}`)
}

/** An option that the shopper left empty was not chosen. */
function chosenIn(line: PlatformItem): PlatformItem[] {
  return list(line.product_options).filter(({ value }) => value !== '' && value !== null)
}

/** Undefined if the destination does not have the product, because it was deleted or was never in the catalogue. */
function productOf(line: PlatformItem, references: References): { product_id: number; variant_id: number } | undefined {
  if (!isOfCatalogue(line)) return undefined
  const product_id = references.find('products', line.product_id)
  const variant_id = references.find('product-variants', line.variant_id)
  return product_id === undefined || variant_id === undefined ? undefined : { product_id, variant_id }
}

/** A line as a new order accepts it: linked to a catalogue item, or custom with its own name and price. */
export function desiredLine(line: PlatformItem, references: References): PlatformItem {
  const product = productOf(line, references)
  const options = product && optionsOf(line, references)
  if (!product || !options) return customLine(line)
  return { ...product, ...named(line), ...wrapping(line), ...(options.length > 0 && { product_options: options }) }
}

/** The line without a link to the catalogue, and what to compare instead of the link. */
export function otherForm(line: PlatformItem, references: References): OtherForm {
  return { custom: customLine(line), item: catalogItem(line, references) }
}

function customLine(line: PlatformItem): PlatformItem {
  return { ...named(line), ...(line.sku ? { sku: line.sku } : {}), ...nameWithChoices(line) }
}

function named(line: PlatformItem): PlatformItem {
  return {
    name: String(line.name ?? ''),
    name_merchant: String(line.name_merchant || line.name || ''),
    quantity: Number(line.quantity),
    // Both prices are sent, or the platform would calculate the missing one from today's taxes.
    price_ex_tax: amount(line.price_ex_tax),
    price_inc_tax: amount(line.price_inc_tax),
    ...(line.upc ? { upc: line.upc } : {}),
  }
}

/** What the lines of a new order take from stock. Lines without a product take nothing. */
export function takenBy(lines: PlatformItem[]): TakenStock[] {
  return lines.flatMap(({ product_id, variant_id, quantity }) =>
    product_id === undefined
      ? []
      : [{ productId: Number(product_id), variantId: Number(variant_id ?? 0), quantity: Number(quantity) }],
  )
}

/** The choices other than the variant. Undefined if the destination does not have or accept one of them. */
function optionsOf(line: PlatformItem, references: References): PlatformItem[] | undefined {
  const chosen = chosenIn(line).map((option) => choiceOf(option, references))
  return chosen.some((option) => option === undefined) ? undefined : (chosen as PlatformItem[])
}

/** Types of options that the platform does not accept with a new order. Source: the published orders specification. */
const unaccepted = ['File Upload', 'Product Pick List']

function choiceOf(option: PlatformItem, references: References): PlatformItem | undefined {
  const { product_option_id, value, display_name, display_value, type } = option
  if (unaccepted.includes(String(type))) return undefined
  const counterparts = (id: unknown, ...components: string[]) => components.map((one) => references.find(one, id))
  // Both are looked up in any case, because the first draft of an order only collects what it refers to.
  const [ofVariant, ofModifier] = counterparts(product_option_id, 'product-options', 'product-modifiers')
  const id = ofVariant ?? ofModifier
  if (id === undefined) return undefined
  const isId = /^\d+$/.test(String(value)) && !isEntered(type)
  const [variantValue, modifierValue] = isId
    ? counterparts(value, 'product-option-values', 'product-modifier-values')
    : []
  const counterpart = ofVariant === undefined ? modifierValue : variantValue
  // The id of the source is none of the option at the destination.
  if (isId && counterpart === undefined) return undefined
  // The platform refuses empty names; those that are missing it takes from the catalogue.
  const names = Object.entries({ display_name, display_value }).filter(([, name]) => name !== '' && name !== null)
  return { id, value: String(counterpart ?? enteredValue(option)), ...Object.fromEntries(names) }
}

/** Whether the shopper entered the value, so that it is no id, even if it is a number. */
const isEntered = (type: unknown) => /text|date/i.test(String(type))

/** The platform returns dates as Unix times and accepts ISO 8601. Source: the published orders specification. */
function enteredValue({ type, value }: PlatformItem): string {
  const text = String(value ?? '')
  if (type !== 'Date field' || !/^\d{1,11}$/.test(text)) return text
  return `${new Date(Number(text) * 1000).toISOString().slice(0, 19)}+00:00`
}

/** A line outside the catalogue has only its name to say what was chosen. */
function nameWithChoices(line: PlatformItem): PlatformItem {
  const chosen = choicesOf(line)
  if (chosen.length === 0) return {}
  return { name_merchant: cut(`${line.name_merchant || line.name} (${chosen.join(', ')})`, 250) }
}

function wrapping(line: PlatformItem): PlatformItem {
  const { wrapping_name, wrapping_message } = line
  const [ex, inc] = [amount(line.wrapping_cost_ex_tax), amount(line.wrapping_cost_inc_tax)]
  return {
    ...(wrapping_name ? { wrapping_name } : {}),
    ...(wrapping_message ? { wrapping_message } : {}),
    ...(ex > 0 || inc > 0 ? { wrapping_cost_ex_tax: ex, wrapping_cost_inc_tax: inc } : {}),
  }
}
