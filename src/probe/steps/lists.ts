import { ref, type Step } from '../call.ts'
import { accepted, anyOf, last, status, titled } from '../verdict.ts'

/** Lists that the product reads, and whether the quick probe includes them. */
const lists: readonly [path: string, quick: boolean][] = [
  ['/v3/catalog/products', true],
  ['/v3/catalog/brands', false],
  ['/v3/catalog/trees', false],
  ['/v3/catalog/trees/categories', false],
  ['/v3/catalog/variants', false],
  ['/v3/catalog/products/metafields', false],
  ['/v3/customers', true],
  ['/v3/customers/addresses', true],
  ['/v3/customers/attributes', false],
  ['/v3/customers/attribute-values', false],
  ['/v3/customers/subscribers', false],
  ['/v3/segments', false],
  ['/v3/wishlists', false],
  ['/v3/promotions', false],
  ['/v3/pricelists', false],
  ['/v3/pricelists/assignments', false],
  ['/v3/content/pages', true],
  ['/v3/content/scripts', false],
  ['/v3/content/widget-templates', false],
  ['/v3/content/widgets', false],
  ['/v3/content/placements', false],
  ['/v3/storefront/redirects', false],
  ['/v3/inventory/items', true],
  ['/v3/inventory/locations', false],
  ['/v3/tax/zones', true],
  ['/v3/tax/rates', false],
  ['/v3/tax/properties', false],
  ['/v3/channels', false],
  ['/v3/sites', false],
  ['/v2/orders', true],
  ['/v2/coupons', true],
  ['/v2/banners', false],
  ['/v2/gift_certificates', false],
  ['/v2/customer_groups', false],
  ['/v2/blog/posts', false],
  ['/v2/currencies', false],
  ['/v2/shipping/zones', true],
  ['/v2/tax_classes', false],
]

/** Parameters that the product sends although the published files do not mention them. */
const unpublished: readonly [path: string, query: Record<string, string | number>][] = [
  ['/v2/coupons', { sort: 'id' }],
  ['/v2/banners', { sort: 'id' }],
  ['/v2/shipping/zones', { page: 1, limit: 50 }],
  ['/v2/shipping/zones/{shipping zone}/methods', { page: 1, limit: 50 }],
  ['/v3/catalog/trees', { page: 1, limit: 50 }],
  ['/v3/tax/zones', { page: 1, limit: 50 }],
  ['/v3/tax/rates', { page: 1, limit: 50 }],
  ['/v3/tax/properties', { page: 1, limit: 50 }],
  ['/v3/channels/currency-assignments', { page: 1, limit: 50 }],
  ['/v3/settings/search/filters/contexts', { page: 1, limit: 50 }],
  ['/v3/catalog/categories/{category}/products/sort-order', { limit: 50 }],
]

function unknownParameter([path, quick]: (typeof lists)[number]): Step {
  return {
    key: `list ${path}: unknown parameter`,
    question: `What does GET ${path} answer to a parameter that it does not have?`,
    calls: [{ method: 'GET', path, query: { sfprobe: '1' } }],
    documented: last(accepted),
    seen: last(status(400, 422)),
    quick,
  }
}

function largePage([path]: (typeof lists)[number]): Step {
  return {
    key: `list ${path}: limit 1000`,
    question: `Is a limit above the greatest one cut or refused by GET ${path}?`,
    calls: [{ method: 'GET', path, query: { limit: 1000 } }],
    documented: last(accepted),
    seen: last(status(413, 422, 400)),
    quick: false,
  }
}

function pageBeyond([path]: (typeof lists)[number]): Step {
  return {
    key: `list ${path}: page beyond the end`,
    question: `What does GET ${path} answer beyond its last page?`,
    calls: [{ method: 'GET', path, query: { page: 900, limit: 50 } }],
    documented: last(status(200, 204)),
    seen: last(status(404, 422)),
    quick: false,
  }
}

function pairOf([path, query]: (typeof unpublished)[number]): Step {
  const names = Object.keys(query).join(' and ')
  return {
    key: `list ${path}: ${names}`,
    question: `Is ${names}, which no published file names, accepted by GET ${path}?`,
    calls: [{ method: 'GET', path, query }],
    documented: last(status(400, 422)),
    seen: last(accepted),
    quick: true,
  }
}

/** Filters that were refused to live clients. */
const filters: Step[] = [
  {
    key: 'filter: addresses by customer_id',
    question: 'May addresses be filtered by customer_id?',
    calls: [{ method: 'GET', path: '/v3/customers/addresses', query: { customer_id: ref('customer') } }],
    documented: last(accepted),
    seen: last(status(422), titled(/filter/i)),
    quick: true,
  },
  {
    key: 'filter: attributes by id',
    question: 'May customer attributes be filtered by id:in?',
    calls: [{ method: 'GET', path: '/v3/customers/attributes', query: { 'id:in': ref('customer attribute') } }],
    documented: last(accepted),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'filter: categories by parent_id',
    question: 'May categories be filtered by parent_id without :in?',
    calls: [{ method: 'GET', path: '/v3/catalog/trees/categories', query: { parent_id: 0 } }],
    documented: last(accepted),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'filter: products by an empty list of ids',
    question: 'What does a filter without ids answer?',
    calls: [{ method: 'GET', path: '/v3/catalog/products', query: { 'id:in': '' } }],
    documented: anyOf(last(status(422)), last(accepted)),
    quick: false,
  },
  {
    key: 'pages: unknown parameter in detail',
    question: 'Are unknown parameters of pages named in a list of errors?',
    calls: [{ method: 'GET', path: '/v3/content/pages', query: { bar: 1 } }],
    documented: last(status(400)),
    seen: last(status(422)),
    quick: false,
  },
]

const missing: readonly [path: string, documented: number, seen: number, quick: boolean][] = [
  ['/v3/catalog/products/2000000123', 404, 404, true],
  ['/v2/orders/2000000123', 404, 404, true],
  ['/v3/content/pages/2000000123', 404, 404, false],
  ['/v3/inventory/locations/2000000123', 404, 403, true],
  ['/v3/inventory/items/2000000123', 404, 403, false],
  ['/v3/sfprobe', 404, 403, false],
]

function notThere([path, documented, seen, quick]: (typeof missing)[number]): Step {
  return {
    key: `missing: ${path.replace('2000000123', '{id}')}`,
    question: `What does ${path.replace('2000000123', '{id}')} answer when nothing is there?`,
    calls: [{ method: 'GET', path }],
    documented: last(status(documented)),
    seen: last(status(seen)),
    quick,
  }
}

const shown: Step[] = [
  '/v2/store',
  '/v2/time',
  '/v3/catalog/summary',
  '/v3/channels/currency-assignments',
  '/v3/promotions/settings',
  '/v3/settings/storefront/seo',
  '/v3/settings/store/profile',
  '/v3/settings/email-statuses',
  '/v3/settings/search/filters',
  '/v3/settings/inventory',
  '/v3/customers/settings',
  '/v3/tax/settings',
  '/v3/shipping/settings',
  '/v3/orders/settings',
  '/v3/marketing/email-templates',
  '/v3/themes',
  '/v3/hooks',
  '/v2/payments/methods',
  '/v2/order_statuses',
].map((path) => ({
  key: `shown: ${path}`,
  question: `What does GET ${path} show?`,
  calls: [{ method: 'GET' as const, path }],
  documented: last(status(200, 204)),
  quick: false,
}))

const wrongToken: Step = {
  key: 'token: unknown',
  question: 'What does a token that the store does not know answer?',
  calls: [{ method: 'GET', path: '/v2/store' }],
  documented: last(status(401)),
  quick: true,
  sent: 'unauthorised',
}

const usedUpQuota: Step = {
  key: 'quota: used up',
  question: 'How is a call refused when the quota is used up?',
  calls: [{ method: 'GET', path: '/v2/time' }],
  documented: last(status(429)),
  quick: false,
  sent: 'rushed',
}

export const listSteps: Step[] = [
  usedUpQuota,
  wrongToken,
  ...unpublished.map(pairOf),
  ...filters,
  ...missing.map(notThere),
  ...lists.map(unknownParameter),
  ...lists.map(largePage),
  ...lists.map(pageBeyond),
  ...shown,
]
