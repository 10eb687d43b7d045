import { callsOf, fewestOfMetafields, page, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate, reasonsOfMetafields } from '../../../comparison/exclusion-reasons.ts'
import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import { type Fields, metafieldRules, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const shipments = '^/v2/orders/\\d+/shipments$'

/** The products of an order that the list of orders shows. */
const inlineLines = 50

export const orders: EntitySpec = {
  entity: 'orders',
  components: {
    orders: { livesElsewhere: 'an order is written once: test/engine/orders.test.ts' },
  },
  kills: {
    'order-metafields': {
      component: 'order-metafields',
      pass: 'order-metafields',
      write: { method: 'POST', path: '^/v3/orders/metafields$' },
      before: { method: 'GET', path: '^/v3/orders/metafields$' },
      probe: { path: '^/v3/orders/\\d+/metafields$', query: /limit/ },
    },
    orders: {
      ...listSubject('orders', '^/v2/orders$'),
      // Mails are muted by a write before the first order. This is the only call between the two.
      before: { method: 'GET', path: '^/v3/orders/settings/channels/\\d+$' },
    },
    'order-shipments': {
      component: 'order-shipments',
      pass: 'orders',
      write: { method: 'POST', path: shipments },
      before: { method: 'POST', path: '^/v2/orders$' },
      probe: { path: shipments, query: /limit/ },
    },
  },
  faults: {
    writes: [
      writing('orders', '^/v2/orders$'),
      writing('order-shipments', '^/v2/orders/\\d+/shipments$'),
      writing('order-metafields', '^/v3/orders/metafields$'),
    ],
    lists: [reading(['orders'], '^/v2/orders$'), reading(['order-metafields'], '^/v3/orders/metafields$')],
    details: [reading(['order-shipments'], '^/v2/orders/\\d+/shipments$')],
  },
  tables: [
    {
      table: 'orders',
      entity: 'orders',
      references: { channel_id: 'channels' },
      parents: [],
      keys: (row) => [orderNumber(row)],
      rewritten: (row, side) => ({
        customer_id: side.nameOf('customers', row.customer_id)?.full ?? 'nobody',
        staff_notes: plainText(row.staff_notes).split('--- Copied from another store ---')[0]?.trim(),
        goods: side
          .where('order_products', 'order_id', row.id)
          .map((line, at) => goodsOf({ ...line, ...unlinked(row, at) }, side)),
        addresses: side.where('order_addresses', 'order_id', row.id).map(withoutIds),
        fees: side.where('order_fees', 'order_id', row.id).map(withoutIds),
        // An order that failed at first comes after the others.
        shipments: side
          .where('order_shipments', 'order_id', row.id)
          .map((shipment) => JSON.stringify(shipmentOf(shipment, side)))
          .sort(),
      }),
    },
    metafieldRules('order_metafields', 'order-metafields', 'orders'),
  ],
  excludedFields: {
    order_metafields: reasonsOfMetafields('order'),
    orders: {
      id: ownId,
      external_source: 'says that it is a copy',
      external_order_id: 'says whose copy it is: the row is known by it',
      external_id: 'read-only on the platform',
      order_source: 'the platform writes down where an order came from',
      date_modified: platformDate,
      date_shipped: platformDate,
      payment_status: 'follows from payments, which cannot be copied; recorded in the staff notes',
      store_credit_amount: 'read-only on the platform; recorded in the staff notes',
      gift_certificate_amount: 'read-only on the platform; recorded in the staff notes',
      coupon_discount: 'read-only on the platform; recorded in the staff notes',
      refunded_amount: 'read-only on the platform; recorded in the staff notes',
      cart_id: 'names a cart of one store',
      ebay_order_id: 'names an order of another shop',
      is_email_opt_in: 'read-only on the platform',
      is_tax_inclusive_pricing: 'follows from the store settings',
      tax_provider_id: 'follows from the store settings',
    },
  },
  notWritable: {
    order_metafields: { resource_id: 'part of the address' },
  },
  otherValues: { 'order_metafields.permission_set': ['read', 'write'] },
  awkward: {
    findings: [
      // An order from a channel that is not created is recorded for the first one.
      'orders different * channel_id',
    ],
  },
  fewest: {
    paths: /^\/(v2\/orders|v3\/orders\/metafields)/,
    tables: ['orders', 'order_shipments', 'order_metafields'],
    // No list shows more than the first products of an order, nor its coupons and shipments: it only says which orders have any.
    reads: (shops) =>
      shops.list(shops.count('orders'), '/v2 by id') +
      sum([...shops.sizes('order_products', 'order_id').values()].map((lines) => callsOf(lines - inlineLines, page))) +
      shops.owners('order_coupons', 'order_id') +
      shops.owners('order_shipments', 'order_id') +
      fewestOfMetafields('order').reads(shops),
    // A copy is compared by what its list shows.
    compares: (copy) => copy.list(copy.count('orders'), '/v2 by id') + fewestOfMetafields('order').reads(copy),
    looks: (shops) => shops.list(shops.born('orders'), '/v2 by id') + fewestOfMetafields('order').looks,
    writes: (shops) =>
      shops.count('orders') + shops.count('order_shipments') + fewestOfMetafields('order').writes(shops),
  },
}

/** The source's id for it. */
function orderNumber({ id, external_source, external_order_id }: Row): string {
  return external_source === 'M-MIG' ? plainText(external_order_id).split('-').slice(1).join('-') : plainText(id)
}

/** A line that the platform did not sell any more: the staff notes have its product and wrapping. */
function unlinked({ staff_notes }: Row, at: number): Fields {
  const pattern = new RegExp(`^Line ${at + 1} is not linked to its product: (.*)$`, 'm')
  const { product_id, wrapping } = JSON.parse(pattern.exec(plainText(staff_notes))?.[1] ?? '{}')
  return product_id === undefined ? {} : { product_id, ...wrapping }
}

/** Products of an order, which may be gone from the catalogue. */
function goodsOf(line: Row, side: StoreSide): Fields {
  const { name, quantity, quantity_shipped, price_ex_tax, price_inc_tax, total_ex_tax, total_inc_tax, upc } = line
  const { wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax } = line
  const product = side.nameOf('products', line.product_id)?.full ?? 'nothing of the catalogue'
  return {
    ...{ name, quantity, quantity_shipped, price_ex_tax, price_inc_tax, total_ex_tax, total_inc_tax, product, upc },
    ...{ wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax },
  }
}

function withoutIds(row: Row): Fields {
  const { id: _id, order_id: _order, order_address_id: _address, tax_class_id: _class, ...rest } = row
  return rest
}

function shipmentOf(shipment: Row, side: StoreSide): Fields {
  const { items, date_created: _date, ...rest } = withoutIds(shipment)
  const lines = (items as Fields[]).map(
    ({ order_product_id, quantity }) => `${quantity} of ${side.get('order_products', order_product_id)?.name}`,
  )
  return { ...rest, lines }
}
