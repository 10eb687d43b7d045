import type { StoreClient } from '../../bigcommerce/client.ts'
import { numberedPages } from '../../bigcommerce/pages.ts'
import { list } from '../catalog/product-children.ts'
import type { ToCreate, WriteCall } from '../core/calls.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { addressesOf, allLines, amount, everything, hasMoreLines, linesOf, linesPath } from './order-lines.ts'

/** The field for the shipments of an order, which pages of orders do not include. */
export const shipmentsField = 'shipments of the order'

/** The field for the ids that a shipment refers to; only in an existing order. */
const shipmentIdsField = 'ids that shipments name'

interface ShipmentIds {
  lines: unknown[]
  addresses: unknown[]
  /** Whether the answer showed all lines. */
  isWhole: boolean
}

const idsOf = (items: PlatformItem[]) => items.map(({ id }) => id)

/**
 * Added to the body of an existing order, because its shipments refer to the destination's ids of lines and addresses.
 */
export function shipmentIdsOf(order: PlatformItem): PlatformItem {
  return {
    [shipmentIdsField]: {
      lines: idsOf(linesOf(order)),
      addresses: idsOf(addressesOf(order)),
      isWhole: order[allLines] !== undefined || !hasMoreLines(order),
    } satisfies ShipmentIds,
  }
}

const said = [
  'tracking_number',
  'tracking_carrier',
  'tracking_link',
  'shipping_method',
  'shipping_provider',
  'comments',
]
/** Fields of our own in a body: positions among the lines and addresses of the order. */
const itemsByPosition = 'items by position'
const addressByPosition = 'address by position'

/**
 * Shipments of an order, by ascending id. What they contain is compared by the positions of lines: a product may be gone
 * by now, and lines have other ids in every store.
 */
export function shipmentDrafts(order: PlatformItem): Draft[] {
  const lines = linesOf(order).map(({ id }) => id)
  const addresses = addressesOf(order).map(({ id }) => id)
  return list(order[shipmentsField])
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map((shipment) => {
      const made = shipmentDraft(shipment)
      const items = list(shipment.items).map(({ order_product_id, quantity }) => ({
        position: lines.indexOf(order_product_id),
        quantity,
      }))
      const goods = items.map(({ position, quantity }) => `${quantity} of line ${position + 1}`).sort()
      return {
        ...made,
        body: {
          ...made.body,
          [itemsByPosition]: items,
          [addressByPosition]: addresses.indexOf(shipment.order_address_id),
        },
        compare: { ...made.compare, items: goods },
      }
    })
}

function shipmentDraft(shipment: PlatformItem): Draft {
  const fields = Object.fromEntries(said.map((field) => [field, String(shipment[field] ?? '')]))
  const merchant_shipping_cost = amount(shipment.merchant_shipping_cost)
  return draft('order-shipments', shipment.id, { ...fields, merchant_shipping_cost })
}

/** Lines of an order that were read for the first of its shipments, by what the answer to the new order showed. */
const readLines = new WeakMap<ShipmentIds, unknown[]>()

/** The ids of the lines come from a list of their own if the answer to the new order shows only some of them. */
function createCall(shipment: ToCreate): WriteCall {
  const { parent, parentId } = shipment
  const ids = (parent?.body[shipmentIdsField] ?? { lines: [], addresses: [], isWhole: true }) as ShipmentIds
  const call = { method: 'POST' as const, path: pathOf(parentId), body: bodyOf(shipment, ids) }
  if (ids.isWhole) return call
  return {
    ...call,
    prepare: async ({ destination }) => {
      const lines = readLines.get(ids) ?? idsOf(linesOf({ [allLines]: await linesAt(destination, parentId) }))
      readLines.set(ids, lines)
      return { body: bodyOf(shipment, { ...ids, lines }) }
    },
  }
}

async function linesAt(client: Pick<StoreClient, 'get'>, orderId: string): Promise<PlatformItem[]> {
  const lines: PlatformItem[] = []
  for await (const { items } of numberedPages<PlatformItem>(client, linesPath(orderId))) lines.push(...items)
  return lines
}

/** @throws nothing: if the lines do not exist, the platform refuses the shipment with its own message. */
function bodyOf({ draft: { body } }: ToCreate, ids: ShipmentIds): PlatformItem {
  const { [itemsByPosition]: items, [addressByPosition]: address, ...rest } = body
  const full = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
  return {
    ...full,
    order_address_id: ids.addresses[Number(address)],
    items: (items as { position: number; quantity: unknown }[]).map(({ position, quantity }) => ({
      order_product_id: ids.lines[position],
      quantity,
    })),
  }
}

const pathOf = (orderId: string) => `/v2/orders/${orderId}/shipments`

export const orderShipment: Component = {
  key: 'order-shipments',
  label: 'Shipments',
  data: 'personal',
  recovery: 'baseline',
  destinationOwned: [],
  sideEffects: { mail: true },
  carried: false,
  create: {
    batch: 1,
    // One shipment per call.
    call: ([only]) => createCall(only as ToCreate),
  },
  probe: async (client, { parentIds }) => {
    const found: Draft[] = []
    for (const id of parentIds) {
      const shipments: PlatformItem[] = []
      for await (const { items } of numberedPages<PlatformItem>(client, pathOf(id))) shipments.push(...items)
      // A shipment contains lines.
      const { body: order } = await client.get<PlatformItem>(`/v2/orders/${id}`, everything)
      const lines = hasMoreLines(order) ? { [allLines]: await linesAt(client, id) } : {}
      found.push(...shipmentDrafts({ ...order, ...lines, [shipmentsField]: shipments }))
    }
    return found
  },
  read: shipmentDraft,
  callsPerItem: { write: 1 },
}
