import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import type { StoreSide } from '../../../comparison/store-side.ts'
import { isObject, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const coupons: EntitySpec = {
  entity: 'coupons',
  kills: {
    coupons: {
      component: 'coupons',
      pass: 'coupons',
      write: { method: 'POST', path: '^/v2/coupons$' },
      before: { method: 'GET', path: '^/v2/coupons$' },
      probe: { path: '^/v2/coupons$', query: /limit=/ },
    },
  },
  faults: {
    writes: [writing('coupons', '^/v2/coupons$')],
    lists: [reading(['coupons'], '^/v2/coupons$')],
  },
  tables: [
    {
      table: 'coupons',
      entity: 'coupons',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.code)],
      rewritten: ({ applies_to }, side) => ({ applies_to: namingMembers(applies_to, side) }),
    },
  ],
  excludedFields: {
    coupons: { id: ownId, num_uses: 'counts uses in this store', date_created: platformDate },
  },
  notWritable: {
    coupons: { applies_to: 'products in the place of categories are two things changed' },
  },
  otherValues: { 'coupons.type': ['free_shipping', 'per_total_discount'] },
  awkward: {
    failures: [
      // Of two codes that differ only in case the platform accepts one.
      'coupons natural_key_collision Coupon *',
      // Nothing that it applies to exists.
      'coupons missing_reference Coupon *',
    ],
    findings: ['coupons missing summer', 'coupons missing all-gone', 'coupons different PART-GONE applies_to'],
  },
  fewest: oneByOne(/^\/v2\/coupons/, 'coupons', '/v2 by id'),
}

/** Ids of what a coupon applies to; 0 means everything. */
function namingMembers(scope: unknown, side: StoreSide): unknown {
  if (!isObject(scope) || !Array.isArray(scope.ids)) return scope
  const names = scope.ids.map((id: unknown) => (id === 0 ? 'all' : plainText(side.refer(plainText(scope.entity), id))))
  return { ...scope, ids: names.sort() }
}
