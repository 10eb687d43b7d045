import { batches, callsOf, fewestOfMetafields, type Shops, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, reasonsOfMetafields } from '../../../comparison/exclusion-reasons.ts'
import { metafieldRules, plainText, withPictureName, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { metafieldsOfTwoApps } from '../../../faults/truth.ts'
import { metafieldSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const metafields = metafieldsOfTwoApps({ category: 'default storefront > Younger than its child' })

export const categories: EntitySpec = {
  entity: 'categories',
  components: {
    'category-trees': { neverCreated: 'every store is born with the tree of its default storefront' },
  },
  kills: {
    categories: {
      component: 'categories',
      pass: 'categories',
      write: { method: 'POST', path: '^/v3/catalog/trees/categories$' },
      before: { method: 'GET', path: '^/v3/catalog/trees/categories$' },
      probe: { path: '^/v3/catalog/trees/categories$', query: /parent_id/ },
    },
    'category-metafields': metafieldSubject('category', 'categories', '^/v3/catalog/categories/\\d+/metafields$'),
  },
  faults: {
    writes: [
      writing('categories', '^/v3/catalog/trees/categories$'),
      writing('category-metafields', '^/v3/catalog/categories/metafields$'),
    ],
    lists: [
      reading(['category-trees'], '^/v3/catalog/trees$'),
      reading(['categories', 'category-product-order'], '^/v3/catalog/trees/categories$'),
      reading(['category-metafields'], '^/v3/catalog/categories/metafields$'),
    ],
  },
  tables: [
    {
      table: 'category_trees',
      entity: 'category-trees',
      references: { channel_id: 'channels' },
      parents: [],
      keys: (row, side) => [plainText(side.refer('channels', row.channel_id))],
    },
    {
      table: 'categories',
      entity: 'categories',
      references: { tree_id: 'category_trees', parent_id: 'categories' },
      parents: ['parent_id', 'tree_id'],
      mayMove: true,
      keys: (row) => [plainText(row.name)],
      rewritten: (row, side) => ({ ...withPictureName(row), ...withTexts(row, side, 'description') }),
    },
    metafieldRules('category_metafields', 'category-metafields', 'categories'),
  ],
  excludedFields: {
    category_trees: {
      id: ownId,
      name: 'the platform creates the tree of every default storefront, and it keeps its name',
    },
    categories: {
      id: ownId,
      category_uuid: ownId,
      views: 'counts visitors of this store',
    },
    category_metafields: reasonsOfMetafields('category'),
  },
  notWritable: {
    category_trees: { channel_id: 'a tree stays with its channel' },
    categories: { tree_id: 'needs a second tree, and the seed has one' },
    category_metafields: { resource_id: 'part of the address' },
  },
  otherValues: {
    'categories.default_product_sort': ['newest', 'alpha_desc'],
    'category_metafields.permission_set': ['read', 'write'],
  },
  awkward: {
    failures: [
      ...metafields.failures,
      // Their pictures cannot be fetched.
      'categories picture_not_fetched Picture gone',
      'categories hierarchy_broken Parent gone',
      'categories hierarchy_broken Below the one',
      'categories hierarchy_broken Below the other',
    ],
    findings: [
      ...metafields.findings,
      'categories different default storefront > Picture gone image_url',
      'categories missing no categories * > Parent gone',
    ],
  },
  fewest: {
    paths: /^\/v3\/catalog\/(trees|categories(?!\/\*\/products))/,
    tables: ['category_trees', 'categories', 'category_metafields'],
    reads: (shops) =>
      shops.list(shops.count('category_trees'), 'by number') +
      shops.list(shops.count('categories'), 'by number') +
      fewestOfMetafields('category').reads(shops),
    looks: () => 1 + 1 + fewestOfMetafields('category').looks,
    // Parents before their children (C5).
    writes: (shops) =>
      sum(levels(shops).map((size) => callsOf(size, batches.categories))) +
      fewestOfMetafields('category').writes(shops),
  },
}

/** How many categories there are at each depth. */
function levels(shops: Shops): number[] {
  const sizes: number[] = []
  for (let parents = new Set([0]); ; ) {
    const below = shops.rows('categories').filter(({ parent_id }) => parents.has(Number(parent_id)))
    if (below.length === 0) return sizes
    sizes.push(below.length)
    parents = new Set(below.map(({ id }) => id))
  }
}
