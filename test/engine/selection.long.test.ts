import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld } from '../harness/world.ts'

test('C4: picking everything that can be picked makes the stores equal, except for what is not picked and no pick needs', async () => {
  const world = await aWorld()
  const source = await world.state('source')
  const rows = (table: string) => source[table] ?? []
  const products = rows('products')
  const categories = rows('categories')
  const brands = rows('brands')
  const all = (found: { id: number }[]) => ({ ids: found.map(({ id }) => String(id)) })
  const files = new Set(rows('page_contexts').map(({ template_file }) => template_file))
  const selection = {
    products: all(products),
    categories: all(categories),
    brands: all(brands),
    'price-lists': all(rows('price_lists')),
    'customer-groups': all(rows('customer_groups')),
    pages: all(rows('pages')),
    pageTemplates: [...files].map((file) => ({ file, globals: true })),
  }
  const run = await world.complete({ selection })
  expect(run.status).toBe('completed')
  const found = compareStores(source, await world.state('destination'))
  // None of these is picked.
  const shoppers =
    /^(customers|customer-(attribute|address|form|metafield|consent)|subscribers|segment|shopper-profiles|wishlists)/
  const others =
    /^(banners|scripts|blog|redirects|custom-template|email|coupons|gift-certificates|promotions|locations|currencies|channel-currencies|tax|shipping|search-filter|orders|order-|inventory)/
  expect(found.filter(({ entity }) => !shoppers.test(entity) && !others.test(entity))).toEqual([
    // A template is copied together with the pages made from it, and this one has none.
    { entity: 'widget-templates', key: 'custom Store finder of default storefront', kind: 'missing' },
  ])
})
