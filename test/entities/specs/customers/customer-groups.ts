import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import { type Fields, isObject, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const customerGroups: EntitySpec = {
  entity: 'customer-groups',
  kills: {
    'customer-groups': {
      component: 'customer-groups',
      pass: 'customer-groups',
      write: { method: 'POST', path: '^/v2/customer_groups$' },
      before: { method: 'GET', path: '^/v2/customer_groups$' },
      probe: { path: '^/v2/customer_groups$', query: /name=/ },
    },
  },
  faults: {
    writes: [writing('customer-groups', '^/v2/customer_groups$')],
    lists: [reading(['customer-groups'], '^/v2/customer_groups$')],
  },
  tables: [
    {
      table: 'customer_groups',
      entity: 'customer-groups',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.name)],
      rewritten: (row, side) => ({ discount_rules: rulesOf(row, side), category_access: accessOf(row, side) }),
    },
  ],
  excludedFields: {
    customer_groups: { id: ownId, date_created: platformDate, date_modified: platformDate },
  },
  awkward: {
    findings: [
      // They name items that are gone from the source.
      'customer-groups different Everything at once discount_rules',
      'customer-groups different Only what is gone discount_rules',
      'customer-groups different Some access category_access',
    ],
  },
  fewest: oneByOne(/^\/v2\/customer_groups/, 'customer_groups', '/v2 by number'),
}

/** Discounts of a customer group in any order, by the names of their targets. */
function rulesOf(group: Row, side: StoreSide): Fields[] {
  const rules: Fields[] = Array.isArray(group.discount_rules) ? group.discount_rules : []
  const named = rules.map(({ price_list_id, category_id, product_id, ...rule }) => ({
    ...rule,
    on:
      side.refer('price_lists', price_list_id) ??
      side.refer('categories', category_id) ??
      side.refer('products', product_id) ??
      null,
  }))
  return named.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function accessOf({ category_access }: Row, side: StoreSide): unknown {
  if (!isObject(category_access) || !Array.isArray(category_access.categories)) return category_access
  return {
    ...category_access,
    categories: category_access.categories.map((id) => plainText(side.refer('categories', id))).sort(),
  }
}
