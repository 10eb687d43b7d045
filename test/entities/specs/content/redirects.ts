import { batches, callsOf } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import type { StoreSide } from '../../../comparison/store-side.ts'
import { isObject, plainText, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const targetTables: Record<string, string> = {
  ...{ product: 'products', brand: 'brands', category: 'categories', page: 'pages', post: 'blog_posts' },
}

export const redirects: EntitySpec = {
  entity: 'redirects',
  kills: {
    /** Written as a whole, and again after a lost answer. */
    redirects: listSubject('redirects', '^/v3/storefront/redirects$', {
      method: 'PUT',
      path: '^/v3/storefront/redirects$',
    }),
  },
  faults: {
    writes: [writing('redirects', '^/v3/storefront/redirects$', { method: 'PUT' })],
    lists: [reading(['redirects'], '^/v3/storefront/redirects$')],
  },
  tables: [
    {
      table: 'redirects',
      entity: 'redirects',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.from_path)],
      rewritten: ({ to }, side) => ({ to: leadingTo(to, side) }),
    },
  ],
  excludedFields: {
    redirects: { id: ownId, site_id: 'a site belongs to a channel, and the seed has one; their story compares it' },
  },
  notWritable: {
    redirects: { from_path: 'names the row' },
  },
  otherValues: { 'redirects.to.type': ['product', 'brand'] },
  awkward: {
    failures: [
      // Their targets are gone.
      'redirects missing_reference /to-a-page-gone',
      'redirects missing_reference /to-a-product-gone',
      // Of two paths that are one to the platform it accepts one.
      'redirects natural_key_collision /slash',
      'redirects natural_key_collision /two-cases',
    ],
    findings: [
      'redirects missing /to-a-page-gone',
      'redirects missing /to-a-product-gone',
      'redirects missing /slash/',
      'redirects missing /two-cases',
      // Made for products that could not keep these addresses.
      'redirects extra /coffee%20with milk_(2)',
      'redirects extra /men',
    ],
  },
  fewest: {
    paths: /^\/v3\/storefront\/redirects/,
    tables: ['redirects'],
    reads: (shops) => shops.list(shops.count('redirects'), 'by id or cursor'),
    looks: () => 1,
    writes: (shops) => callsOf(shops.count('redirects'), batches.redirects),
  },
}

function leadingTo(to: unknown, side: StoreSide): unknown {
  if (!isObject(to)) return to
  const table = targetTables[plainText(to.type)]
  return table ? { ...to, entity_id: side.refer(table, to.entity_id) } : { ...to, ...withTexts(to, side, 'url') }
}
