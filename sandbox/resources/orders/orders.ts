import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { mailDate, refuseV2, refuseV2IfAny, v2Object } from '../../http/v2-body.ts'
import { filtersIn, refuseNoNumbers } from '../../http/v2-list.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import type { Filter, Row, SandboxStore, Table } from '../../store/store.ts'
import {
  ORDER_STATUSES,
  orderAddressTable,
  orderCouponTable,
  orderFeeTable,
  orderMessageTable,
  orderProductTable,
  orderTable,
  orderTaxTable,
  ORDER_SCOPE as SCOPE,
} from '../../tables/order-tables.ts'
import { createOrder } from './new-order.ts'
import { shownAddress, shownFee, shownLine, shownOrder } from './order-answer.ts'
import { addressFields, orderFields } from './order-fields.ts'
import { mailShopper } from './outbox.ts'

const ORDERS = '/v2/orders'
const ORDER = `${ORDERS}/:orderId`

/** The list leaves out archived orders. */
function filterOf(query: URLSearchParams): Filter {
  refuseNoNumbers(query)
  const fields = ['status_id', 'customer_id', 'channel_id']
  const external = query.get('external_order_id')
  const where = {
    is_deleted: false,
    ...filtersIn(query, Object.fromEntries(fields.map((name) => [name, name]))),
    ...(external !== null && { external_order_id: external }),
  }
  const idOf = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
  return { where, spans: spansOf(query), minId: idOf('min_id'), maxId: idOf('max_id') }
}

function spansOf(query: URLSearchParams): NonNullable<Filter['spans']> {
  const spans: NonNullable<Filter['spans']> = {}
  for (const field of ['date_created', 'date_modified']) {
    const [least, most] = ['min', 'max'].map((end) => query.get(`${end}_${field}`))
    if (!least && !most) continue
    spans[`${field}_ms`] = {
      ...(least && { atLeast: momentOf(least) }),
      ...(most && { atMost: momentOf(most) }),
    }
  }
  return spans
}

function momentOf(text: string): number {
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? refuseV2(400, `${text} is no date`) : moment
}

function includesIn(query: URLSearchParams): Set<string> {
  const requested = new Set((query.get('include') ?? '').split(','))
  // Without the consignment structure, the answer contains a link instead.
  if (query.get('consignment_structure') !== 'object')
    for (const name of requested) if (name !== 'fees') requested.delete(name)
  return requested
}

function listOrders({ store, query }: SandboxRequest): SandboxAnswer {
  const { offset, limit } = v2PageOf(query)
  const [orderBy = 'id', direction] = (query.get('sort') ?? 'id:asc').split(':')
  const columns: Record<string, string> = { date_created: 'date_created_ms', date_modified: 'date_modified_ms' }
  const { rows } = orderTable(store).page({
    ...filterOf(query),
    ...(columns[orderBy] && { orderBy: columns[orderBy] }),
    descending: direction === 'desc' || query.get('direction') === 'desc',
    offset,
    limit,
  })
  const includes = includesIn(query)
  return rows.length === 0 ? noContent() : { status: 200, body: rows.map((row) => shownOrder(store, row, includes)) }
}

function countOrders({ store, query }: SandboxRequest): SandboxAnswer {
  const filter = filterOf(query)
  const countOf = (where: object) =>
    orderTable(store).page({ ...filter, where: { ...filter.where, ...where }, offset: 0, limit: 1 }).total
  const statuses = ORDER_STATUSES.map((status, sort_order) => ({
    ...status,
    sort_order,
    count:
      filter.where?.status_id === undefined || filter.where.status_id === status.id
        ? countOf({ status_id: status.id })
        : 0,
  }))
  return { status: 200, body: { statuses, count: countOf({}) } }
}

function named({ store, params }: Pick<SandboxRequest, 'store' | 'params'>): Row {
  return orderTable(store).get(Number(params.orderId)) ?? refuseV2(404, 'The requested order was not found.')
}

function create({ store, body, query }: SandboxRequest): SandboxAnswer {
  const order = createOrder(store, v2Object(body))
  return { status: 200, body: shownOrder(store, order, includesIn(query)) }
}

/** Changes an order, and notifies the shopper if its status is new. */
function update(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const own = named(request)
  const given = v2Object(request.body)
  const { values, errors } = orderFields(given)
  refuseV2IfAny(errors)
  const address = given.billing_address === undefined ? {} : { billing_address: addressFields(given.billing_address) }
  const archived = given.is_deleted === undefined ? {} : { is_deleted: given.is_deleted === true }
  const order = store.transaction(() => {
    const fields = { ...values, ...address, ...archived, date_modified: mailDate(new Date()) }
    const changed = orderTable(store).update(own.id, fields)
    if (changed.status_id !== own.status_id) mailShopper(store, changed, 'status')
    return changed
  })
  return { status: 200, body: shownOrder(store, order, includesIn(query)) }
}

function archive(request: SandboxRequest): SandboxAnswer {
  orderTable(request.store).update(named(request).id, { is_deleted: true })
  return noContent()
}

function archiveAll({ store }: SandboxRequest): SandboxAnswer {
  store.transaction(() => {
    for (const { id } of orderTable(store).find({ is_deleted: false }))
      orderTable(store).update(id, { is_deleted: true })
  })
  return noContent()
}

type Shows = (store: SandboxStore, row: Row) => unknown

function listBelow(table: (store: SandboxStore) => Table, show: Shows) {
  return (request: SandboxRequest): SandboxAnswer => {
    const { store, query } = request
    const { offset, limit } = v2PageOf(query)
    const { rows } = table(store).page({ where: { order_id: named(request).id }, offset, limit })
    return rows.length === 0 ? noContent() : { status: 200, body: rows.map((row) => show(store, row)) }
  }
}

function oneBelow(table: (store: SandboxStore) => Table, param: string, show: Shows) {
  return (request: SandboxRequest): SandboxAnswer => {
    const row = table(request.store).get(Number(request.params[param]))
    if (row?.order_id !== named(request).id) return refuseV2(404, 'The requested resource was not found.')
    return { status: 200, body: show(request.store, row) }
  }
}

function showConsignments(request: SandboxRequest): SandboxAnswer {
  const requested = request.query.get('include')?.includes('line_items') ? 'consignments.line_items' : 'consignments'
  const { consignments } = shownOrder(request.store, named(request), new Set([requested]))
  return { status: 200, body: consignments }
}

function showStatus({ params }: SandboxRequest): SandboxAnswer {
  const status = ORDER_STATUSES[Number(params.statusId)]
  return status ? { status: 200, body: status } : refuseV2(404, 'The requested status was not found.')
}

const plain: Shows = (_store, row) => row
const read = { method: 'GET', scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const orders: SandboxResource = {
  key: 'orders',
  routes: [
    { ...read, path: ORDERS, handle: listOrders },
    { method: 'POST', path: ORDERS, scope: SCOPE, latency: 'heavy', handle: create },
    { method: 'DELETE', path: ORDERS, ...write, handle: archiveAll },
    { ...read, path: `${ORDERS}/count`, handle: countOrders },
    { ...read, path: '/v2/order_statuses', handle: () => ({ status: 200, body: ORDER_STATUSES }) },
    { ...read, path: '/v2/order_statuses/:statusId', handle: showStatus },
    {
      ...read,
      path: ORDER,
      handle: (request) => ({
        status: 200,
        body: shownOrder(request.store, named(request), includesIn(request.query)),
      }),
    },
    { method: 'PUT', path: ORDER, ...write, handle: update },
    { method: 'DELETE', path: ORDER, ...write, handle: archive },
    { ...read, path: `${ORDER}/products`, handle: listBelow(orderProductTable, (_store, row) => shownLine(row)) },
    {
      ...read,
      path: `${ORDER}/products/:lineId`,
      handle: oneBelow(orderProductTable, 'lineId', (_store, row) => shownLine(row)),
    },
    { ...read, path: `${ORDER}/shipping_addresses`, handle: listBelow(orderAddressTable, shownAddress) },
    {
      ...read,
      path: `${ORDER}/shipping_addresses/:addressId`,
      handle: oneBelow(orderAddressTable, 'addressId', shownAddress),
    },
    { ...read, path: `${ORDER}/coupons`, handle: listBelow(orderCouponTable, plain) },
    { ...read, path: `${ORDER}/taxes`, handle: listBelow(orderTaxTable, plain) },
    { ...read, path: `${ORDER}/messages`, handle: listBelow(orderMessageTable, plain) },
    { ...read, path: `${ORDER}/fees`, handle: listBelow(orderFeeTable, (_store, row) => shownFee(row)) },
    { ...read, path: `${ORDER}/consignments`, handle: showConsignments },
  ],
}
