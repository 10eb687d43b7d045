import { type Shops, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import type { StoreSide } from '../../../comparison/store-side.ts'
import { isObject, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

/** Fields that contain ids anywhere in a promotion, and the table of these ids. */
const idsInside: Record<string, string> = {
  ...{ brands: 'brands', categories: 'categories', products: 'products', variants: 'variants' },
  ...{ product_id: 'products', variant_id: 'variants', zone_ids: 'shipping_zones' },
  ...{ group_ids: 'customer_groups', excluded_group_ids: 'customer_groups' },
}

export const promotions: EntitySpec = {
  entity: 'promotions',
  components: {
    'promotion-settings': {
      neverCreated: 'every store has them',
      editedElsewhere: 'as the settings: test/engine/promotion-settings.test.ts',
    },
  },
  kills: {
    promotions: {
      component: 'promotions',
      pass: 'promotions',
      write: { method: 'POST', path: '^/v3/promotions$' },
      before: { method: 'GET', path: '^/v3/promotions$' },
      probe: { path: '^/v3/promotions$', query: /name=/ },
    },
    'promotion-codes': {
      component: 'promotion-codes',
      pass: 'promotion-codes',
      write: { method: 'POST', path: '^/v3/promotions/\\d+/codes$' },
      before: { method: 'POST', path: '^/v3/promotions$' },
      probe: { path: '^/v3/promotions/\\d+/codes$', query: /limit=/ },
    },
    /** Enabled at the end; sent again after a lost answer, without a search. */
    'promotions-switched-on': {
      component: 'promotions',
      pass: 'promotions',
      write: { method: 'PUT', path: '^/v3/promotions/\\d+$' },
      before: { method: 'POST', path: '^/v3/promotions/\\d+/codes$' },
      probe: { path: '^/v3/promotions/\\d+$', query: /./ },
    },
  },
  faults: {
    writes: [
      writing('promotions', '^/v3/promotions$'),
      writing('promotions', '^/v3/promotions/\\d+$', { method: 'PUT' }),
      writing('promotion-codes', '^/v3/promotions/\\d+/codes$'),
    ],
    lists: [
      reading(['promotions', 'promotion-codes'], '^/v3/promotions$'),
      reading(['promotion-settings'], '^/v3/promotions/settings$'),
    ],
  },
  tables: [
    {
      table: 'promotions',
      entity: 'promotions',
      references: {},
      parents: [],
      keys: (row) => [`${plainText(row.redemption_type)} ${plainText(row.name)}`],
      rewritten: (row, side) => ({
        rules: namesInside(row.rules, side),
        customer: namesInside(row.customer, side),
        channels: namesInside(row.channels, side, 'channels'),
      }),
    },
    {
      table: 'promotion_codes',
      entity: 'promotion-codes',
      references: { promotion_id: 'promotions' },
      parents: ['promotion_id'],
      keys: (row) => [plainText(row.code)],
    },
  ],
  excludedFields: {
    promotions: {
      id: ownId,
      current_uses: 'counts uses in this store',
      created_from: 'the platform writes down who made it',
    },
    promotion_codes: { id: ownId, current_uses: 'counts uses in this store', created: platformDate },
  },
  notWritable: {
    promotions: {
      redemption_type: 'fixed when the promotion is made',
      coupon_type: 'fixed when the promotion is made',
      can_be_used_with_other_promotions: 'says whether other fields mean something',
      coupon_overrides_other_promotions: 'means something with another field only',
      coupon_overrides_automatic_when_offering_higher_discounts: 'means something with another field only',
      max_uses: 'no limit is shown as no field',
      channels: 'other storefronts are not in the seed',
    },
    promotion_codes: { promotion_id: 'part of the address' },
  },
  otherValues: { 'promotions.status': ['DISABLED', 'ENABLED'] },
  awkward: {
    failures: [
      // Of two codes that differ only in case the platform accepts one.
      'promotion-codes natural_key_collision Code of promotions *',
      // Nothing that it applies to exists.
      'promotions missing_reference Gift gone',
    ],
    findings: [
      'promotion-codes missing coupon codes of two cases > winter',
      'promotions missing AUTOMATIC Gift gone',
      // The platform assigns this status itself.
      'promotions different AUTOMATIC Invalid status',
      // They name missing items and stay disabled.
      ...['All products gone rules', 'Product gone rules', 'Zone gone rules', 'Group gone customer'].flatMap((what) => [
        `promotions different AUTOMATIC ${what}`,
        `promotions different AUTOMATIC ${what.replace(/ \w+$/, ' status')}`,
      ]),
    ],
  },
  fewest: {
    paths: /^\/v3\/promotions/,
    tables: ['promotions', 'promotion_codes'],
    // The platform lists codes by their promotion.
    reads: (shops) =>
      1 +
      shops.list(shops.count('promotions'), 'by number') +
      sum(codesOf(shops).map((count) => shops.list(count, 'by id or cursor'))),
    // Items without a key of their own are listed before each call (B3).
    looks: (shops) => 1 + 1 + shops.count('promotions'),
    // They must not apply before everything exists: the enabled ones are enabled at the end (D5).
    writes: (shops) =>
      shops.count('promotions') +
      shops.count('promotion_codes') +
      shops.count('promotions', ({ status }) => status === 'ENABLED'),
  },
}

/** `table` is that of the ids which the value, or a field called `id` of it, contains. */
function namesInside(value: unknown, side: StoreSide, table?: string): unknown {
  if (Array.isArray(value)) {
    const members = value.map((member) => namesInside(member, side, table))
    return value.every((member) => typeof member === 'number') ? members.map(String).sort() : members
  }
  if (typeof value === 'number') return table === undefined ? value : side.refer(table, value)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, of]) => [
      field,
      namesInside(of, side, field === 'id' ? table : idsInside[field]),
    ]),
  )
}

function codesOf(shops: Shops): number[] {
  const sizes = shops.sizes('promotion_codes', 'promotion_id')
  return shops
    .rows('promotions')
    .flatMap(({ id, redemption_type: type }) => (type === 'COUPON' ? [sizes.get(id) ?? 0] : []))
}
