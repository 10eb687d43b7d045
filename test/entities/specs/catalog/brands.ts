import { fewestOfMetafields } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, reasonsOfMetafields } from '../../../comparison/exclusion-reasons.ts'
import { metafieldRules, plainText, withPictureName, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { metafieldsOfTwoApps } from '../../../faults/truth.ts'
import { metafieldSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const metafields = metafieldsOfTwoApps({ brand: 'Plain' })

export const brands: EntitySpec = {
  entity: 'brands',
  kills: {
    brands: {
      component: 'brands',
      pass: 'brands',
      write: { method: 'POST', path: '^/v3/catalog/brands$' },
      before: { method: 'GET', path: '^/v3/catalog/brands$' },
      probe: { path: '^/v3/catalog/brands$', query: /name=/ },
    },
    'brand-metafields': metafieldSubject('brand', 'brands', '^/v3/catalog/brands/\\d+/metafields$'),
  },
  faults: {
    writes: [writing('brands', '^/v3/catalog/brands$'), writing('brand-metafields', '^/v3/catalog/brands/metafields$')],
    lists: [
      reading(['brands'], '^/v3/catalog/brands$'),
      reading(['brand-metafields'], '^/v3/catalog/brands/metafields$'),
    ],
  },
  tables: [
    {
      table: 'brands',
      entity: 'brands',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.name)],
      rewritten: (row, side) => ({ ...withPictureName(row), ...withTexts(row, side, 'meta_description') }),
    },
    metafieldRules('brand_metafields', 'brand-metafields', 'brands'),
  ],
  excludedFields: {
    brands: { id: ownId },
    brand_metafields: reasonsOfMetafields('brand'),
  },
  notWritable: {
    brand_metafields: { resource_id: 'part of the address' },
  },
  otherValues: { 'brand_metafields.permission_set': ['read', 'write'] },
  awkward: {
    failures: [
      ...metafields.failures,
      // Their pictures cannot be fetched.
      'brands picture_not_fetched Picture gone',
    ],
    findings: [...metafields.findings, 'brands different Picture gone image_url'],
  },
  fewest: {
    paths: /^\/v3\/catalog\/brands/,
    tables: ['brands', 'brand_metafields'],
    reads: (shops) => shops.list(shops.count('brands'), 'by number') + fewestOfMetafields('brand').reads(shops),
    looks: () => 1 + fewestOfMetafields('brand').looks,
    writes: (shops) => shops.count('brands') + fewestOfMetafields('brand').writes(shops),
  },
}
