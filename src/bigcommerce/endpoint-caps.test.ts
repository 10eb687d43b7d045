import { expect, test } from 'vitest'
import { endpointCaps } from './endpoint-caps.ts'

/** The smallest cap that applies to a call; Infinity without one. */
function capOf(method: string, path: string): number {
  const caps = endpointCaps.filter((cap) => (cap.method ?? method) === method && cap.pattern.test(path))
  return Math.min(...caps.map(({ limit }) => limit))
}

test.each([
  ['GET', '/v3/catalog/trees/7/categories', 1],
  ['DELETE', '/v3/pricelists/7', 1],
  ['PUT', '/v3/pricelists/records', 1],
  ['PUT', '/v3/pricelists/7/records', 1],
  ['GET', '/v3/pricelists/7/records', 10],
  ['DELETE', '/v3/pricelists/7/records/9/usd', 25],
  ['PUT', '/v3/pricelists/7/assignments', 25],
  ['GET', '/v3/pricelists/7/records/9', 40],
  ['GET', '/v3/pricelists/7/records/9/usd', 50],
  ['PUT', '/v3/customers', 3],
  ['POST', '/v3/customers', Infinity],
  ['POST', '/v3/customers/addresses', 10],
  ['PUT', '/v3/customers/attribute-values', 3],
  ['POST', '/v3/customers/attributes', 3],
  ['PUT', '/v3/customers/attributes', 3],
  ['PUT', '/v3/customers/form-field-values', 10],
  ['GET', '/v3/customers', Infinity],
  ['GET', '/v3/promotions/codes', 40],
  ['DELETE', '/v3/promotions/codes', 40],
  ['GET', '/v3/promotions/7/codes', 10],
  ['POST', '/v3/promotions/7/codes', 40],
  ['DELETE', '/v3/promotions/7/codes', 40],
  ['DELETE', '/v3/promotions/7/codes/9', 40],
  ['POST', '/v3/promotions/7/codegen', 10],
  ['POST', '/v3/promotions', 40],
  ['PUT', '/v3/promotions/7', 40],
  ['GET', '/v2/customer_groups', 40],
  ['PUT', '/v2/customer_groups/7', 40],
  ['POST', '/v3/segments', 10],
  ['POST', '/v3/segments/7/shopper-profiles', 10],
  ['GET', '/v3/segments', Infinity],
  ['POST', '/v3/shopper-profiles', 10],
  ['PUT', '/v3/pricelists/7/records/9/usd', 40],
  ['GET', '/v3/inventory/locations', 50],
  ['GET', '/v3/catalog/products', Infinity],
  ['POST', '/v3/catalog/trees/categories', Infinity],
])('%s %s is answered %d at a time', (method, path, limit) => {
  expect(capOf(method, path)).toBe(limit)
})
