import { batches, callsOf, type Shops, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const priceLists: EntitySpec = {
  entity: 'price-lists',
  kills: {
    'price-lists': {
      component: 'price-lists',
      pass: 'price-lists',
      write: { method: 'POST', path: '^/v3/pricelists$' },
      before: { method: 'GET', path: '^/v3/pricelists$' },
      probe: { path: '^/v3/pricelists$', query: /name=/ },
    },
    /** An upsert: sent again after a lost answer, without a search. */
    'price-records': {
      component: 'price-records',
      pass: 'price-records',
      write: { method: 'PUT', path: '^/v3/pricelists/\\d+/records$' },
      before: { method: 'POST', path: '^/v3/pricelists$' },
      probe: { path: '^/v3/pricelists/\\d+/records$', query: /sku=/ },
    },
    'price-list-assignments': {
      component: 'price-list-assignments',
      pass: 'price-list-assignments',
      write: { method: 'POST', path: '^/v3/pricelists/assignments$' },
      before: { method: 'POST', path: '^/v2/customer_groups$' },
      probe: { path: '^/v3/pricelists/assignments$', query: /limit/ },
    },
  },
  faults: {
    writes: [
      writing('price-lists', '^/v3/pricelists$'),
      writing('price-records', '^/v3/pricelists/\\d+/records$', { method: 'PUT' }),
      writing('price-list-assignments', '^/v3/pricelists/assignments$'),
    ],
    lists: [
      reading(['price-lists', 'price-records'], '^/v3/pricelists$'),
      reading(['price-list-assignments'], '^/v3/pricelists/assignments$'),
    ],
    details: [reading(['price-records'], '^/v3/pricelists/\\d+/records$')],
  },
  tables: [
    {
      table: 'price_lists',
      entity: 'price-lists',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.name)],
    },
    {
      table: 'price_records',
      entity: 'price-records',
      references: { price_list_id: 'price_lists', variant_id: 'variants', product_id: 'products' },
      parents: ['price_list_id'],
      shownAs: (row) => `${row.price_list_id}/${row.currency}/variant:${row.variant_id}`,
      keys: (row, side) => [`${plainText(side.refer('variants', row.variant_id))} in ${plainText(row.currency)}`],
      // The platform leaves out a price that is not set, however the request said so.
      rewritten: ({ price, sale_price, retail_price, map_price }) => ({
        price: price ?? null,
        sale_price: sale_price ?? null,
        retail_price: retail_price ?? null,
        map_price: map_price ?? null,
      }),
    },
    {
      table: 'price_list_assignments',
      entity: 'price-list-assignments',
      references: { price_list_id: 'price_lists', customer_group_id: 'customer_groups', channel_id: 'channels' },
      parents: [],
      keys: (row, side) => [
        `${plainText(side.refer('customer_groups', row.customer_group_id))} in ${plainText(side.refer('channels', row.channel_id))}`,
      ],
    },
  ],
  excludedFields: {
    price_lists: { id: ownId, date_created: platformDate, date_modified: platformDate },
    price_records: {
      id: ownId,
      calculated_price: 'the platform calculates it from the price and the catalogue',
      date_created: platformDate,
      date_modified: platformDate,
    },
    price_list_assignments: { id: ownId },
  },
  notWritable: {
    price_records: {
      price_list_id: 'part of the address',
      variant_id: 'names the row',
      product_id: 'follows the variant',
      currency: 'names the row',
    },
    price_list_assignments: { customer_group_id: 'names the row', channel_id: 'names the row' },
  },
  onlyOnce: ['price_records'],
  awkward: {
    failures: [
      // A price of a variant that is gone.
      'price-records missing_reference variant * in usd',
    ],
    findings: ['price-records missing Wholesale > no variants * in usd'],
  },
  fewest: {
    paths: /^\/v3\/pricelists/,
    tables: ['price_lists', 'price_records', 'price_list_assignments'],
    reads: (shops) =>
      shops.list(shops.count('price_lists'), 'by id or cursor') +
      // Prices are listed by their price list.
      sum(recordsOf(shops).map((count) => shops.list(count, 'by id or cursor'))) +
      shops.list(shops.count('price_list_assignments'), 'by id or cursor'),
    looks: () => 1 + 1,
    writes: (shops) =>
      shops.count('price_lists') +
      sum(recordsOf(shops).map((count) => callsOf(count, batches.priceRecords))) +
      callsOf(shops.count('price_list_assignments'), batches.assignmentsOfPriceLists),
  },
}

function recordsOf(shops: Shops): number[] {
  const sizes = shops.sizes('price_records', 'price_list_id')
  return shops.rows('price_lists').map(({ id }) => sizes.get(id) ?? 0)
}
