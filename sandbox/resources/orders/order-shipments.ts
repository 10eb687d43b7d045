import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { mailDate, refuseV2, refuseV2IfAny, v2Object } from '../../http/v2-body.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import {
  deleteShipmentsOf,
  orderAddressTable,
  orderProductTable,
  orderTable,
  ORDER_SCOPE as SCOPE,
  shipmentTable,
} from '../../tables/order-tables.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { shownShipment } from './order-answer.ts'
import { mailShopper } from './outbox.ts'

type Body = Record<string, unknown>

const SHIPMENTS = '/v2/orders/:orderId/shipments'
const SHIPMENT = `${SHIPMENTS}/:shipmentId`

const RULES: FieldRules = {
  tracking_number: { kind: 'text', max: 50, fallback: '' },
  tracking_carrier: { kind: 'text', fallback: '' },
  tracking_link: { kind: 'text', fallback: '' },
  merchant_shipping_cost: { kind: 'number', min: 0, fallback: 0 },
  shipping_method: { kind: 'text', fallback: '' },
  shipping_provider: { kind: 'text', fallback: '' },
  comments: { kind: 'text', fallback: '' },
}

const SHIPPED = 2
const PARTIALLY_SHIPPED = 3
/** Later statuses, which a new shipment does not change. */
const SETTLED = [SHIPPED, 4, 5, 10, 14]

function orderOf({ store, params }: SandboxRequest): Row {
  return orderTable(store).get(Number(params.orderId)) ?? refuseV2(404, 'The requested order was not found.')
}

function named(request: SandboxRequest): Row {
  const row = shipmentTable(request.store).get(Number(request.params.shipmentId))
  return row?.order_id === orderOf(request).id ? row : refuseV2(404, 'The requested shipment was not found.')
}

function listShipments(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const order = orderOf(request)
  const { offset, limit } = v2PageOf(query)
  const { rows } = shipmentTable(store).page({ where: { order_id: order.id }, offset, limit })
  if (rows.length === 0) return noContent()
  return { status: 200, body: rows.map((row) => shownShipment(store, row, order)) }
}

function create(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const order = orderOf(request)
  const given = v2Object(request.body)
  const { values, errors } = readFields(RULES, given)
  const address = orderAddressTable(store).get(Number(given.order_address_id))
  if (address?.order_id !== order.id) errors.order_address_id = 'order_address_id must be an address of the order'
  refuseV2IfAny(errors)
  const items = itemsOf(store, order, given)
  return store.transaction(() => {
    const row = shipmentTable(store).insert({
      ...Object.fromEntries(Object.entries(RULES).map(([field, { fallback }]) => [field, fallback])),
      ...values,
      order_id: order.id,
      order_address_id: address?.id,
      items,
      date_created: mailDate(new Date()),
    })
    ship(store, order, items)
    mailShopper(store, order, 'shipment')
    return { status: 201, body: shownShipment(store, row, order) }
  })
}

/** An item can have at most the ordered quantity, minus what is already shipped. */
function itemsOf(
  store: SandboxStore,
  order: Row,
  { items }: Body,
): { order_product_id: number; product_id: unknown; quantity: number }[] {
  if (!Array.isArray(items) || items.length === 0) refuseV2(400, 'items is required')
  return (items as Body[]).map(({ order_product_id, quantity }) => {
    const line = orderProductTable(store).get(Number(order_product_id))
    if (line?.order_id !== order.id) refuseV2(400, `The order has no product ${order_product_id}.`)
    const open = Number(line.quantity) - Number(line.quantity_shipped ?? 0)
    if (!(Number(quantity) >= 1) || Number(quantity) > open)
      refuseV2(400, `Of order product ${order_product_id} ${open} can be shipped.`)
    return { order_product_id: line.id, product_id: line.product_id, quantity: Number(quantity) }
  })
}

/** Marks an order as shipped, in part or completely. */
function ship(store: SandboxStore, order: Row, items: { order_product_id: number; quantity: number }[]): void {
  for (const { order_product_id, quantity } of items) {
    const line = orderProductTable(store).get(order_product_id)
    const quantity_shipped = Number(line?.quantity_shipped ?? 0) + quantity
    orderProductTable(store).update(order_product_id, { quantity_shipped })
  }
  const lines = orderProductTable(store).find({ order_id: order.id })
  const whole = lines.every((line) => line.type !== 'physical' || line.quantity_shipped === line.quantity)
  const date_shipped = mailDate(new Date())
  const status_id = SETTLED.includes(Number(order.status_id)) ? order.status_id : whole ? SHIPPED : PARTIALLY_SHIPPED
  orderTable(store).update(order.id, { status_id, ...(whole && { date_shipped }) })
}

function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  const { values, errors } = readFields(RULES, v2Object(request.body))
  refuseV2IfAny(errors)
  return { status: 200, body: shownShipment(store, shipmentTable(store).update(own.id, values), orderOf(request)) }
}

/** Deletes the shipment. The order keeps its status. */
function remove(request: SandboxRequest): SandboxAnswer {
  shipmentTable(request.store).delete(named(request).id)
  return noContent()
}

function removeAll(request: SandboxRequest): SandboxAnswer {
  deleteShipmentsOf(request.store, orderOf(request).id)
  return noContent()
}

function count(request: SandboxRequest): SandboxAnswer {
  return { status: 200, body: { count: shipmentTable(request.store).count({ order_id: orderOf(request).id }) } }
}

const read = { method: 'GET', scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const orderShipments: SandboxResource = {
  key: 'order-shipments',
  routes: [
    { ...read, path: SHIPMENTS, handle: listShipments },
    { method: 'POST', path: SHIPMENTS, ...write, handle: create },
    { method: 'DELETE', path: SHIPMENTS, ...write, handle: removeAll },
    { ...read, path: `${SHIPMENTS}/count`, handle: count },
    {
      ...read,
      path: SHIPMENT,
      handle: (request) => ({
        status: 200,
        body: shownShipment(request.store, named(request), orderOf(request)),
      }),
    },
    { method: 'PUT', path: SHIPMENT, ...write, handle: update },
    { method: 'DELETE', path: SHIPMENT, ...write, handle: remove },
  ],
}
