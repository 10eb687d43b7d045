import { list } from '../catalog/product-children.ts'
import type { PlatformItem } from '../core/draft.ts'
import type { Addresses } from './order-addresses.ts'
import { amount, cut, linesOf, pickupsOf } from './order-lines.ts'

/** The first line of what a copy adds to the staff notes. */
const mark = '--- Copied from another store ---'
/** Source: the published orders specification. */
const longest = 65_535

/** The field for the coupons that an order used. */
export const couponsField = 'coupons that were used'

/**
 * The staff notes as the source has them. The original may be a copy itself, so only what its own copy added last is left
 * out.
 */
export function notesBefore({ staff_notes }: PlatformItem, { isCopy }: { isCopy: boolean }): string {
  const notes = String(staff_notes ?? '')
  const at = isCopy ? notes.lastIndexOf(mark) : -1
  return (at < 0 ? notes : notes.slice(0, at)).trimEnd()
}

/** Parts of an order that the platform does not accept. */
interface Unaccepted {
  hasItems: boolean
  /** Parts of addresses, as the source has them. */
  addresses: Addresses | undefined
}

/**
 * The staff notes of a copy, which also record what the API cannot write: the order number, payments and external ids.
 */
export function notesOfCopy(order: PlatformItem, { hasItems, addresses }: Unaccepted): string {
  const facts: [string, unknown][] = [
    ['Order number', order.id],
    ['External order id', order.external_order_id],
    ['External source', order.external_source],
    ['External id', order.external_id],
    ['Payment status', order.payment_status],
    ['Tax', amount(order.total_tax) || undefined],
    ['Refunded', amount(order.refunded_amount) || undefined],
    ['Store credit used', amount(order.store_credit_amount) || undefined],
    ['Gift certificates used', amount(order.gift_certificate_amount) || undefined],
    ['Coupons', couponsOf(order)],
    ['Shipped', order.date_shipped],
    ['Pickup', pickupsOf(order).map(describePickup).join('; ')],
    ['Dates', datesOf(order)],
    ['Items', hasItems ? undefined : 'none'],
    ['Addresses', addresses && JSON.stringify(addresses)],
  ]
  const said = facts.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== 'null')
  const added = [mark, ...said.map(([what, value]) => `${what}: ${value}`)].join('\n')
  const before = cut(notesBefore(order, { isCopy: false }), longest - added.length - 2)
  return before === '' ? added : `${before}\n\n${added}`
}

interface UnlinkedLine {
  /** From 0. */
  position: number
  /** The line's product and options. */
  item: PlatformItem
}

/**
 * The notes of a copy, with the lines that are not linked to their products. The API has no other field for these
 * (G15).
 */
export function withUnlinkedLines(notes: string, lines: UnlinkedLine[]): string {
  return lines
    .map(({ position, item }) => `\nLine ${position + 1} is not linked to its product: ${JSON.stringify(item)}`)
    .reduce((all, line) => (all.length + line.length > longest ? all : all + line), notes)
}

/** What the notes of a copy say about its original. */
interface Noted {
  /** Products and options of unlinked lines, by position. */
  unlinked: ReadonlyMap<number, PlatformItem>
  hasItems: boolean
  addresses: Partial<Addresses>
}

export const nothingNoted: Noted = { unlinked: new Map(), hasItems: true, addresses: {} }

export function notedIn({ staff_notes }: PlatformItem): Noted {
  const notes = String(staff_notes ?? '').replaceAll('\r\n', '\n')
  if (!notes.includes(mark)) return nothingNoted
  const added = notes.slice(notes.lastIndexOf(mark))
  const lines = added.matchAll(/^Line (\d+) is not linked to its product: (\{.*\})$/gm)
  const unlinked = [...lines].map(([, line, item]) => [Number(line) - 1, readJson(item)] as const)
  return {
    unlinked: new Map(unlinked.filter(([, item]) => Object.keys(item).length > 0)),
    hasItems: !/^Items: none$/m.test(added),
    addresses: readJson(/^Addresses: (\{.*\})$/m.exec(added)?.[1]),
  }
}

function readJson(text: string | undefined): PlatformItem {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    // The staff edited the notes, so the copy is compared as it is.
    return {}
  }
}

function couponsOf(order: PlatformItem): string | undefined {
  const used = list(order[couponsField]).map(({ code, discount }) => `${code} (${amount(discount)})`)
  return used.length > 0 ? used.join(', ') : undefined
}

/** On one line, because each fact has one. */
function describePickup({ location, ...pickup }: PlatformItem): string {
  const at = (location ?? {}) as PlatformItem
  const said = [
    ...[pickup.pickup_method_display_name, pickup.collection_instructions, pickup.collection_time_description],
    ...[at.name, at.code, at.address_line_1, at.address_line_2, at.city, at.state, at.postal_code, at.country_alpha2],
  ]
  return said.filter(Boolean).join(', ').replace(/\s+/g, ' ')
}

/** Dates for which shoppers ordered, such as of delivery. */
function datesOf(order: PlatformItem): string {
  const dated = linesOf(order).filter(({ event_date }) => Boolean(event_date) && event_date !== '0')
  return dated.map(({ name, event_name, event_date }) => `${name} (${event_name || 'Date'}: ${event_date})`).join(', ')
}
