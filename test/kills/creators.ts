import { expect } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import type { Subject } from './subject.ts'
import { killSubjects, plantSpareValue } from './subjects.ts'

/** A used-up quota ends after a second instead of half a minute. */
const quota = { requests: 1_000_000, windowMs: 1_000 }

/** A world whose source has something of every component that creates with calls of its own. */
export async function aWorldOfCreators(options: WorldOptions = {}): Promise<World> {
  const world = await aWorld({ requestTimeoutSeconds: 1, quotas: { source: quota, destination: quota }, ...options })
  await plantSpareValue(world)
  await addCatalogueParts(world, 'source')
  return world
}

/** The writes of each of these components met a fault. */
export async function expectAllHit(world: World, subjects: readonly Subject[]): Promise<void> {
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0)
  expect(new Set(hit.map(({ path }) => path))).toEqual(new Set(subjects.map(({ write }) => write.path)))
}

/** Every component that creates with calls of its own, in the order of a run; orders have suites of their own. */
export const creators = killSubjects(
  'locations',
  'shipping-zones',
  'tax-rates',
  'categories',
  'brands',
  'products',
  'product-options',
  'product-option-values',
  'product-modifiers',
  'product-reviews',
  'related-products',
  'product-complex-rules',
  'category-product-order',
  'product-customs-information',
  'gift-certificates',
  'coupons',
  'promotions',
  'promotion-codes',
  'promotions-switched-on',
  'scripts',
  'banners',
  'customer-attributes',
  'customers',
  'subscribers',
  'segments',
  'shopper-profiles',
  'segment-members',
  'wishlists',
  'pages',
  'blog-posts',
  'redirects',
  'product-metafields',
  'brand-metafields',
  'category-metafields',
  'variant-metafields',
  'price-lists',
  'price-records',
  'customer-groups',
  'price-list-assignments',
  'widget-templates',
  'custom-template-associations',
  'page-widgets',
)
