/** The number of concurrent calls that an endpoint of a store allows; further ones get a 429 without headers. */
export interface EndpointCap {
  /** Matched against the path without its query. */
  pattern: RegExp
  /** All methods if absent. */
  method?: string
  limit: number
}

/**
 * Sources: the descriptions in BigCommerce's OpenAPI files, named per group. A cap counts all ids of its path together.
 */
export const endpointCaps: EndpointCap[] = [
  // category-trees_catalog.v3
  { pattern: /^\/v3\/catalog\/trees\/\d+\/categories$/, method: 'GET', limit: 1 },
  // categories_catalog.v3 (legacy)
  { pattern: /^\/v3\/catalog\/categories(\/|$)/, limit: 40 },
  // price_lists.v3: for the per-list upsert the introduction says 1 and the operation 2; 1 is safe
  { pattern: /^\/v3\/pricelists(\/\d+)?$/, method: 'DELETE', limit: 1 },
  { pattern: /^\/v3\/pricelists\/records$/, method: 'PUT', limit: 1 },
  { pattern: /^\/v3\/pricelists\/\d+\/records$/, method: 'PUT', limit: 1 },
  { pattern: /^\/v3\/pricelists\/\d+\/records$/, method: 'GET', limit: 10 },
  { pattern: /^\/v3\/pricelists(\/\d+)?\/records$/, method: 'POST', limit: 10 },
  { pattern: /^\/v3\/pricelists\/\d+\/records\/\d+\/[a-z]{3}$/i, method: 'DELETE', limit: 25 },
  { pattern: /^\/v3\/pricelists\/\d+\/assignments$/, method: 'PUT', limit: 25 },
  { pattern: /^\/v3\/pricelists\/\d+\/records\/\d+$/, limit: 40 },
  { pattern: /^\/v3\/pricelists\/\d+\/records\/\d+\/[a-z]{3}$/i, method: 'PUT', limit: 40 },
  { pattern: /^\/v3\/pricelists\/\d+\/records\/\d+\/[a-z]{3}$/i, method: 'GET', limit: 50 },
  // customers.v3
  { pattern: /^\/v3\/customers$/, method: 'PUT', limit: 3 },
  { pattern: /^\/v3\/customers\/addresses$/, method: 'PUT', limit: 3 },
  { pattern: /^\/v3\/customers\/attributes$/, method: 'POST', limit: 3 },
  { pattern: /^\/v3\/customers\/attributes$/, method: 'PUT', limit: 3 },
  { pattern: /^\/v3\/customers\/attribute-values$/, method: 'PUT', limit: 3 },
  { pattern: /^\/v3\/customers\/addresses$/, method: 'POST', limit: 10 },
  { pattern: /^\/v3\/customers\/form-field-values$/, method: 'PUT', limit: 10 },
  // customers.v2
  { pattern: /^\/v2\/customer_groups(\/|$)/, limit: 40 },
  // segments.v3
  { pattern: /^\/v3\/segments(\/|$)/, method: 'POST', limit: 10 },
  { pattern: /^\/v3\/segments(\/|$)/, method: 'PUT', limit: 10 },
  { pattern: /^\/v3\/segments(\/|$)/, method: 'DELETE', limit: 10 },
  { pattern: /^\/v3\/shopper-profiles$/, method: 'POST', limit: 10 },
  { pattern: /^\/v3\/shopper-profiles$/, method: 'DELETE', limit: 10 },
  // promotions.v3
  { pattern: /^\/v3\/promotions\/\d+\/codes$/, method: 'GET', limit: 10 },
  { pattern: /^\/v3\/promotions\/\d+\/codes$/, method: 'POST', limit: 40 },
  { pattern: /^\/v3\/promotions\/\d+\/codes(\/\d+)?$/, method: 'DELETE', limit: 40 },
  { pattern: /^\/v3\/promotions\/codes$/, limit: 40 },
  { pattern: /^\/v3\/promotions\/\d+\/codegen$/, limit: 10 },
  { pattern: /^\/v3\/promotions(\/\d+)?$/, limit: 40 },
  // locations.v3
  { pattern: /^\/v3\/inventory\/locations(\/\d+)?$/, limit: 50 },
  // products_catalog.v3: the same product id must not be in two concurrent calls
  { pattern: /^\/v3\/catalog\/products\/channel-assignments$/, method: 'PUT', limit: 1 },
]
