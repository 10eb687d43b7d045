import { describe, test } from 'vitest'
import * as windows from './kill-windows.ts'
import { timeout } from './moments.ts'
import type { Subject } from './subject.ts'
import { killSubjects } from './subjects.ts'

const roots = killSubjects('brands', 'categories', 'products')
const ofMetafields = killSubjects('product-metafields', 'brand-metafields', 'category-metafields', 'variant-metafields')
const marketing = killSubjects('gift-certificates', 'coupons', 'promotions', 'promotion-codes', 'scripts', 'banners')
const ofPrices = killSubjects('price-lists', 'customer-groups', 'price-list-assignments')
/** Components around the catalogue: one found by key, one by comparison with existing items, and one sent in batches. */
const around = killSubjects('locations', 'shipping-zones', 'tax-rates')
const people = killSubjects(
  'customer-attributes',
  'customers',
  'segments',
  'shopper-profiles',
  'segment-members',
  'subscribers',
  'wishlists',
)
const ofThemes = killSubjects('themes', 'theme-activations')
const content = [
  ...killSubjects('pages', 'blog-posts'),
  ...ofThemes,
  ...killSubjects('widget-templates', 'custom-template-associations', 'page-widgets'),
]
const sales = killSubjects('orders', 'order-shipments', 'order-metafields')
const ofOthers = [...ofPrices, ...marketing, ...around, ...people, ...content, ...sales]
const creators = [
  ...roots,
  ...ofOthers,
  ...killSubjects(
    'product-options',
    'product-option-values',
    'product-modifiers',
    'product-reviews',
    'product-complex-rules',
  ),
  ...ofMetafields,
]
const resent = killSubjects(
  'price-records',
  'promotions-switched-on',
  'redirects',
  'customer-consents',
  'search-filter-contexts',
  'inventory',
)
const beside = [...ofOthers, ...resent]
/** Components that follow another call below their product or order, and are held with it. */
const after = killSubjects(
  'product-option-values',
  'product-modifiers',
  'product-reviews',
  'product-complex-rules',
  'order-shipments',
)

const all: { window: windows.KillWindow; subjects: readonly Subject[] }[] = [
  // An option's value and a modifier follow the correction of an option, and a lock on one holds the other.
  { window: windows.beforeSending, subjects: creators.filter((subject) => !after.includes(subject)) },
  {
    window: windows.beforeTheAnswer,
    subjects: [
      ...creators,
      ...killSubjects(
        'related-products',
        'category-product-order',
        'product-channel-assignments',
        'product-customs-information',
      ),
      ...resent,
    ],
  },
  { window: windows.beforeTheCommit, subjects: creators },
  { window: windows.duringTheJob, subjects: killSubjects('themes') },
  // Brands fit on one page: by the time its results arrive, its checkpoint is written.
  { window: windows.beforeTheCheckpoint, subjects: killSubjects('categories', 'products') },
  { window: windows.duringHandOver, subjects: roots },
  { window: windows.whileDraining, subjects: roots },
  { window: windows.whileSettling, subjects: [...roots, ...killSubjects('product-modifiers')] },
]

describe.concurrent('a killed run', { timeout }, () => {
  for (const { window, subjects } of all)
    for (const subject of subjects)
      test(`${window.story}: ${subject.component}`, () =>
        windows.expectWholeDespiteKill(window, subject, {
          catalogueOnly: !beside.includes(subject),
          withTheme: ofThemes.includes(subject),
        }))
})
