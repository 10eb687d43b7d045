import type { StoreClient } from '../../bigcommerce/client.ts'
import { asRecord } from '../../bigcommerce/errors.ts'
import { type PageOptions, v2Pages } from '../../bigcommerce/pages.ts'
import type { Query } from '../../bigcommerce/query.ts'
import { list } from '../catalog/product-children.ts'
import type { WriteCall } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { orderMetafields } from '../core/metafields.ts'
import type { RunOptions } from '../core/pass.ts'
import type { WalkOptions } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import {
  type Addresses,
  acceptedAddresses,
  addressOf,
  unusableIn,
  unusableParts,
  withUnusableParts,
} from './order-addresses.ts'
import {
  addressesOf,
  allLines,
  amount,
  comparedLines,
  desiredLine,
  everything,
  hasMoreLines,
  linesOf,
  linesPath,
  otherForm,
  takenBy,
} from './order-lines.ts'
import { couponsField, notedIn, notesBefore, notesOfCopy, nothingNoted } from './order-notes.ts'
import { orderShipment, shipmentDrafts, shipmentIdsOf, shipmentsField } from './order-shipments.ts'
import { otherForms, sentBody, unsoldLines } from './unlinked-lines.ts'

const key = 'orders'
const path = '/v2/orders'

/** Marks copied orders, so that the platform counts them neither as sales nor for billing (B7). */
const copied = 'M-MIG'

/** The amounts that can be written. The platform requires them in pairs. */
const amounts = [
  ...['subtotal', 'shipping_cost', 'handling_cost', 'wrapping_cost', 'total'].flatMap((what) => [
    `${what}_ex_tax`,
    `${what}_inc_tax`,
  ]),
  ...['base_shipping_cost', 'base_handling_cost', 'base_wrapping_cost', 'discount_amount'],
]
const texts = [
  ...['customer_message', 'payment_method', 'payment_provider_id', 'external_merchant_id', 'customer_locale'],
  ...['geoip_country', 'geoip_country_iso2'],
]
/** The platform refuses an order without items. */
const noItems = { name: 'No items', quantity: 1, price_ex_tax: 0, price_inc_tax: 0 }

/**
 * An order of the source as a new order, or an order of the destination as it exists. The platform assigns a new
 * number: the old one is kept in the external id, by which we recognise the copy, and in the staff notes (B7).
 */
function orderDraft(order: PlatformItem, references: References): Draft {
  const { sourceHash } = references
  // The notes of a copy record what the platform did not accept of its original.
  const noted = sourceHash === undefined ? notedIn(order) : nothingNoted
  const { addresses, ...said } = saidOf(order, references)
  const lines = noted.hasItems ? linesOf(order) : []
  const unusable = [...unusableIn(addresses), ...(lines.length > 0 ? [] : ['it has no items and was copied with one'])]
  const body = {
    ...withoutEmpty({ ...said, ...acceptedAddresses(order, addresses) }),
    products: lines.length > 0 ? lines.map((line) => desiredLine(line, references)) : [noItems],
    [otherForms]: lines.map((line) => otherForm(line, references)),
    ...(sourceHash === undefined ? shipmentIdsOf(order) : markedAs(order, sourceHash)),
    staff_notes: notesOfCopy(order, { hasItems: lines.length > 0, addresses: unusableParts(addresses) }),
  }
  const channel = references.find('channels', order.channel_id)
  const compare = {
    ...said,
    // A copy has the first channel, or the one whose orders the destination took before that was disconnected.
    channel_id: channel,
    ...withUnusableParts(addresses, noted.addresses),
    date_created: momentOf(order.date_created),
    staff_notes: notesBefore(order, { isCopy: sourceHash === undefined }),
    ...comparedLines(lines, references, noted.unlinked),
  }
  return draft(key, order.id, body, {
    compare,
    keys: keysOf(order, sourceHash),
    name: `Order ${order.id}`,
    ...(unusable.length > 0 && {
      withheld: `${unusable.join('; ')}, because the platform refuses it otherwise.`,
      remedy: 'Nothing to do: the staff notes of the copied order keep what the original says.',
    }),
    children: shipmentDrafts(order),
  })
}

function saidOf(order: PlatformItem, references: References): PlatformItem & { addresses: Addresses } {
  const fields = (names: readonly string[], value: (given: unknown) => unknown) =>
    Object.fromEntries(names.map((name) => [name, value(order[name])]))
  const customer = Number(order.customer_id ?? 0)
  const text = (given: unknown) => (given === null || given === undefined || given === 'null' ? '' : String(given))
  return {
    ...fields(amounts, amount),
    ...fields(texts, text),
    status_id: Number(order.status_id),
    date_created: order.date_created,
    default_currency_code: order.default_currency_code,
    order_is_digital: order.order_is_digital === true,
    // 0 means a guest: an order whose customer was not copied belongs to no account.
    customer_id: customer === 0 ? 0 : (references.want('customers', customer) ?? 0),
    channel_id: references.find('channels', order.channel_id) ?? 1,
    ...addressOfShopper(text(order.ip_address), text(order.ip_address_v6)),
    addresses: {
      billing_address: addressOf((order.billing_address ?? {}) as PlatformItem),
      shipping_addresses: addressesOf(order).map((address) => ({
        ...addressOf(address),
        shipping_method: text(address.shipping_method),
      })),
    },
    fees: list(order.fees).map((fee) => feeOf(fee, references)),
  }
}

/** The platform accepts only one of the two, and thirty characters in the first. Some orders have an IPv6 address there. */
function addressOfShopper(v4: string, v6: string): PlatformItem {
  if (v4 === '') return { ip_address_v6: v6 }
  return v4.includes(':') ? { ip_address_v6: v4 } : { ip_address: v4 }
}

function feeOf(fee: PlatformItem, references: References): PlatformItem {
  const { type, display_name_customer, display_name_merchant, source } = fee
  const taxClass = Number(fee.tax_class_id ?? 0) > 0 ? references.find('tax-classes', fee.tax_class_id) : undefined
  return {
    ...{ type, display_name_customer, display_name_merchant, source },
    cost_ex_tax: amount(fee.cost_ex_tax),
    cost_inc_tax: amount(fee.cost_inc_tax),
    ...(taxClass !== undefined && { tax_class_id: taxClass }),
  }
}

/** The platform treats an empty text as missing, and refuses an empty address. */
function withoutEmpty(said: PlatformItem): PlatformItem {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== '' && !isEmptyList(value)))
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

function markedAs({ id }: PlatformItem, sourceHash: string): PlatformItem {
  return { external_source: copied, external_order_id: `${sourceHash}-${id}` }
}

const keyFromId = (id: string, sourceHash: string) => `order:${sourceHash}-${id}`

export function isCopiedOrder(order: PlatformItem): boolean {
  return order.external_source === copied
}

/** Only a copy is recognised by this number, because other apps use the field for their own (B7). */
function keysOf(order: PlatformItem, sourceHash: string | undefined): string[] {
  if (sourceHash !== undefined) return [keyFromId(String(order.id), sourceHash)]
  return isCopiedOrder(order) ? [`order:${order.external_order_id}`] : []
}

function momentOf(date: unknown): string {
  const moment = new Date(String(date))
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

function createCall(body: PlatformItem): WriteCall {
  const call = { method: 'POST' as const, path, query: everything, body, heavy: true }
  const { country, country_iso2 } = (body.billing_address ?? {}) as PlatformItem
  if (country !== undefined || country_iso2 !== undefined) return call
  return { ...call, prepare: async ({ source }) => ({ body: await withCountryOf(source, body) }) }
}

/** The billing address of a point-of-sale order may have no country. It gets the shop's. */
async function withCountryOf(source: Pick<StoreClient, 'get'>, body: PlatformItem): Promise<PlatformItem> {
  const { country } = (await source.get<PlatformItem>('/v2/store')).body
  return { ...body, billing_address: { ...(body.billing_address as PlatformItem), country } }
}

const order: Component = {
  key,
  label: 'Orders',
  data: 'personal',
  recovery: 'key',
  naturalKey: 'store and number of the source, in the external id that a copy gets',
  keyFromId,
  destinationOwned: ['status_id'],
  sideEffects: { mail: true, stock: ({ body }) => takenBy(list(body.products)) },
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => createCall(sentBody(only?.draft.body ?? {})),
    unsold: unsoldLines,
  },
  probe: async (client, { keys }) => {
    const found: Draft[] = []
    const numbers = keys.flat().map((one) => one.slice('order:'.length))
    // Keys may not be stored; without them, all orders are listed.
    for (const external_order_id of numbers.length > 0 ? numbers : [undefined])
      for await (const { items } of v2Pages<PlatformItem>(client, path, { ...everything, external_order_id }))
        found.push(...items.map((item) => orderDraft(item, identity)))
    return found
  },
  callsPerItem: { write: 1 },
}

const pieces = (lines: PlatformItem[]) => lines.reduce((sum, { quantity }) => sum + Number(quantity ?? 0), 0)

interface OrderCounts {
  count?: number
  statuses?: { id: number; count?: number }[]
}

/** One call counts all orders. */
async function countOrders(client: Pick<StoreClient, 'get'>, _query: Query, { signal }: WalkOptions): Promise<number> {
  return Number((await client.get<OrderCounts>(`${path}/count`, {}, { signal })).body.count ?? 0)
}

/** The call also counts orders by status. */
async function countRequested(
  client: Pick<StoreClient, 'get'>,
  { orderStatuses }: RunOptions,
  { signal }: PageOptions,
): Promise<number> {
  const { count = 0, statuses = [] } = (await client.get<OrderCounts>(`${path}/count`, {}, { signal })).body
  if (orderStatuses.length === 0) return Number(count)
  const chosen = statuses.filter(({ id }) => orderStatuses.includes(String(id)))
  return chosen.reduce((sum, status) => sum + Number(status.count ?? 0), 0)
}

export const orders = defineEntity({
  key,
  label: 'Orders',
  group: 'orders',
  after: ['currencies', 'tax-classes', 'products', 'customers'],
  scope: 'store',
  scopes: [{ scope: 'store_v2_orders', below: [path, '/v3/orders'], probe: { path, query: { limit: 1 } } }],
  // Order history is never deleted.
  prune: 'never',
  components: [order, orderShipment, orderMetafields.component],
  notMoved: [
    {
      what: 'numbers of orders',
      why: 'the platform gives its own; the old one is in the external id and in the notes of the staff, and the list of mappings leads from one to the other',
    },
    {
      what: 'later changes of orders that were copied before',
      why: 'an order is copied once: writing it again would undo discounts and send mails to shoppers',
    },
    { what: 'archived orders', why: 'they are in no list' },
    {
      what: 'the account of an order whose customer is copied later than the order',
      why: "an order is written once; until then it is a guest's, with a warning. Copy customers with their orders, or before them",
    },
    {
      what: 'payments, refunds, and the tables of taxes and coupons of an order',
      why: "the platform's API gives no way to write them; amounts are copied, the rest is in the notes of the staff",
    },
    { what: 'messages between shop and shopper', why: "the platform's API only reads them" },
    {
      what: 'per-address line items',
      why: 'the API cannot set them: all go to the first address',
    },
    {
      what: 'the status "partially shipped" of an order that was shipped completely',
      why: 'the platform makes it "shipped" with the last of its shipments',
    },
    { what: 'where an order is picked up', why: 'not moved yet; it is in the notes of the staff' },
    {
      what: 'dates that shoppers chose for a product, such as for its delivery',
      why: "the platform's API only reads them; they are in the notes of the staff",
    },
    { what: 'dates of shipments', why: 'the platform sets them when the shipment is created' },
    {
      what: 'answers to form fields in addresses of an order',
      why: 'the platform does not take them with a new order',
    },
  ],
  passes: [
    {
      key,
      label: 'Orders',
      root: key,
      createOnly: true,
      keepsNaming: { component: 'product-variants', idIn: (item) => asRecord(item).variant_id },
      lookupOnly: true,
      picks: {},
      about: { component: 'channels', field: 'channel_id' },
      needsOpenChannel: true,
      isRequested: ({ status_id }, { orderStatuses }) =>
        orderStatuses.length === 0 || orderStatuses.includes(String(status_id)),
      countRequested,
      source: { path, query: everything, kind: 'keyset', limit: 250, idField: 'id', length: countOrders },
      byIds: { path, query: everything, idsParameter: 'range', limit: 250 },
      destination: { path, kind: 'keyset', limit: 250, idField: 'id', complete: false, length: countOrders },
      details: [
        {
          field: allLines,
          path: linesPath,
          mayHave: hasMoreLines,
          isWhole: ({ items_total }, lines) => pieces(lines) >= Number(items_total ?? 0),
        },
        {
          field: shipmentsField,
          path: (id) => `${path}/${id}/shipments`,
          mayHave: ({ items_shipped }) => Number(items_shipped ?? 0) > 0,
          isWhole: ({ items_shipped }, shipments) =>
            pieces(shipments.flatMap(({ items }) => list(items))) >= Number(items_shipped),
        },
        {
          field: couponsField,
          path: (id) => `${path}/${id}/coupons`,
          mayHave: ({ coupon_discount }) => amount(coupon_discount) > 0,
          isWhole: (_order, coupons) => coupons.length > 0,
        },
      ],
      changedSince: 'min_date_modified',
      drafts: orderDraft,
    },
    orderMetafields.pass,
  ],
})
