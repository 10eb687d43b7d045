import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const wishlists: EntitySpec = {
  entity: 'wishlists',
  kills: {
    wishlists: {
      component: 'wishlists',
      pass: 'wishlists',
      write: { method: 'POST', path: '^/v3/wishlists$' },
      before: { method: 'GET', path: '^/v3/wishlists$' },
      probe: { path: '^/v3/wishlists$', query: /customer_id=/ },
    },
  },
  faults: {
    writes: [writing('wishlists', '^/v3/wishlists$')],
    lists: [reading(['wishlists'], '^/v3/wishlists$')],
  },
  tables: [
    {
      table: 'wishlists',
      entity: 'wishlists',
      references: { customer_id: 'customers' },
      parents: ['customer_id'],
      keys: (row) => [plainText(row.name)],
      rewritten: (row, side) => ({ items: wishesOf(row, side) }),
    },
  ],
  excludedFields: {
    wishlists: { id: ownId, token: 'every store makes the address of a shared list' },
  },
  notWritable: {
    wishlists: { customer_id: 'a list stays with its customer' },
  },
  awkward: {
    // Its customer is gone, or it is of a visitor.
    failures: ['wishlists missing_reference Wishlist *', 'wishlists missing_reference Wishlist *'],
    findings: [
      // Their customers or products are gone.
      'wishlists missing no customers * > Customer gone',
      'wishlists missing Of a visitor',
      'wishlists different wisher-1@example.com in default storefront > Product gone items',
      'wishlists different wisher-2@example.com in default storefront > All of it gone items',
      'wishlists different wisher-2@example.com in default storefront > Variant gone items',
    ],
  },
  fewest: oneByOne(/^\/v3\/wishlists/, 'wishlists', 'by number'),
}

/** The products on a list, in any order. */
function wishesOf({ id }: Row, side: StoreSide): string[] {
  return side
    .where('wishlist_items', 'wishlist_id', id)
    .map((item) => `${side.refer('products', item.product_id)}: ${side.refer('variants', item.variant_id)}`)
    .sort()
}
