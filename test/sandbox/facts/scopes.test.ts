/**
 * Which scope each endpoint requires. Left out, because they are tested with their resources: customers, orders,
 * transactions, marketing, themes and translations. The scope for changing a metafield's owner has no call in REST.
 */
import { describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../../sandbox/server/scopes.ts'
import { startSandbox } from '../../../sandbox/start.ts'
import {
  aShop,
  ask,
  BRANDS,
  CATEGORIES,
  LOCATIONS,
  metafield,
  PRICE_LISTS,
  PRODUCTS,
  shopOf,
  TREES,
  VARIANTS,
} from '../a-shop.ts'

interface Door {
  what: string
  scope: string
  read: string
  /** Any answer after the scope check will do, because only the scope is tested. */
  write: [method: string, path: string]
}

const below = (part: string) => `${PRODUCTS}/1/${part}`
const door = (what: string, scope: string, read: string, method = 'POST', path = read): Door => ({
  what,
  scope,
  read,
  write: [method, path],
})
const catalogue = (what: string, read: string, method?: string) => door(what, 'store_v2_products', read, method)
const information = (what: string, read: string) => door(what, 'store_v2_information', read, 'PUT')

const DOORS: Door[] = [
  catalogue('products', PRODUCTS),
  catalogue('variants', VARIANTS, 'PUT'),
  catalogue('options', below('options')),
  catalogue('modifiers', below('modifiers')),
  catalogue('images', below('images')),
  catalogue('custom fields', below('custom-fields')),
  catalogue('brands', BRANDS),
  catalogue('categories', CATEGORIES),
  catalogue('trees', TREES, 'PUT'),
  catalogue('price lists', PRICE_LISTS),
  catalogue('price records', `${PRICE_LISTS}/1/records`, 'PUT'),
  catalogue('assignments of price lists', `${PRICE_LISTS}/assignments`),
  catalogue('metafields of products', `${PRODUCTS}/metafields`),
  door('stock', 'store_inventory', '/v3/inventory/items', 'PUT', '/v3/inventory/adjustments/absolute'),
  door('relative adjustments', 'store_inventory', `${LOCATIONS}/1/items`, 'POST', '/v3/inventory/adjustments/relative'),
  door('settings of stock', 'store_inventory', `${LOCATIONS}/1/items`, 'PUT'),
  door('locations', 'store_locations', LOCATIONS),
  information('the profile of the store', '/v3/settings/store/profile'),
  information('the settings of the catalogue', '/v3/settings/catalog'),
  information('the mails of the store', '/v3/settings/email-statuses'),
  door('currencies', 'store_v2_information', '/v2/currencies'),
  door('tax classes', 'store_v2_information', '/v2/tax_classes', 'POST', '/v3/tax/classes'),
  door('metafields of the store', 'store_v2_information', '/v3/store/metafields'),
  catalogue('customs information', '/v3/shipping/products/customs-information', 'PUT'),
  door('pickup methods', 'store_fulfillment_methods_manage', '/v3/pickup/methods'),
  door('metafields of locations', 'store_locations', `${LOCATIONS}/metafields`),
  door('channels', 'store_channel_settings', '/v3/channels'),
  door('listings', 'store_channel_listings', '/v3/channels/1/listings'),
  door('sites', 'store_sites', '/v3/sites'),
  door('pages', 'store_v2_content', '/v3/content/pages'),
  door('posts', 'store_v2_content', '/v2/blog/posts'),
  door('redirects', 'store_v2_content', '/v3/storefront/redirects', 'PUT'),
  door('routes of a site', 'store_sites', '/v3/sites/1000/routes'),
]

/** One sandbox with a store per token: all scopes except one, that one alone, and its read-only form alone. */
async function threeTokens(scope: string) {
  const options = { seed: 'empty' as const }
  const sandbox = await startSandbox({
    stores: [
      { ...options, name: 'without', scopes: ALL_SCOPES.filter((other) => other !== scope) },
      { ...options, name: 'only', scopes: [scope] },
      { ...options, name: 'reading', scopes: [`${scope.replace(/_manage$/, '')}_read_only`] },
    ],
  })
  return {
    without: shopOf(sandbox, 'without'),
    only: shopOf(sandbox, 'only'),
    reading: shopOf(sandbox, 'reading'),
    close: () => sandbox.close(),
  }
}

describe('scopes', () => {
  it.each(
    DOORS,
  )('allows $what with $scope, for reading with its read-only form, and with no other scope', async (tried) => {
    const { without, only, reading, close } = await threeTokens(tried.scope)
    try {
      const [method, path] = tried.write
      expect((await without.get(tried.read)).status).toBe(403)
      expect((await without.call(method, path, {})).status).toBe(403)
      expect((await only.get(tried.read)).status).not.toBe(403)
      expect((await only.call(method, path, {})).status).not.toBe(403)
      expect((await reading.get(tried.read)).status).not.toBe(403)
      expect((await reading.call(method, path, {})).status).toBe(403)
    } finally {
      await close()
    }
  })

  it('shows the store and its time to tokens that may read its information only', async () => {
    for (const [scopes, status] of [
      [['store_v2_information_read_only'], 200],
      [['store_v2_products'], 403],
    ] as const) {
      const { get } = await aShop({ scopes: [...scopes] })
      expect([(await get('/v2/store')).status, (await get('/v2/time')).status]).toEqual([status, status])
    }
  })

  it.each([
    ['its own metafields alone', 'store_metafield_write', 403, 403],
    ['the metafields of every client', 'store_metafield_write_all', 200, 204],
  ])('writes %s with %s', async (_what, scope, changed, deleted) => {
    const another = { name: 'another', token: 'another-secret' }
    const { aBrand, call, url } = await aShop({ scopes: ['store_v2_products', scope], accounts: [another] })
    const path = `${BRANDS}/${aBrand('Loom')}/metafields`
    const foreign = metafield('a', { permission_set: 'read' })
    const { id } = (await ask(`${url}${path}`, 'POST', foreign, { 'X-Auth-Token': another.token })).body.data
    const own = (await call('POST', path, metafield('b'))).body.data
    expect((await call('PUT', `${path}/${own.id}`, { value: 'B-1' })).status).toBe(200)
    expect((await call('PUT', `${path}/${id}`, { value: 'B-1' })).status).toBe(changed)
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(deleted)
  })
})
