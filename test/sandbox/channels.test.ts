import { expect, test } from 'vitest'
import { product } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const CHANNELS = '/v3/channels'
const EURO = {
  currency_code: 'EUR',
  currency_exchange_rate: '0.92',
  token_location: 'left',
  token: '€',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
  name: 'Euro',
}
const market = (name: string) => ({ name, type: 'marketplace', platform: 'custom' })

type World = Awaited<ReturnType<typeof aProductWorld>>

async function aMarket({ call }: World): Promise<number> {
  return (await call('POST', CHANNELS, market('Market'))).body.data.id
}

test('a channel needs a matching type and platform, and a name of Latin letters, digits, dashes and underscores', async () => {
  const { call } = await aProductWorld()
  const status = async (fields: object) => (await call('POST', CHANNELS, { ...market('Market'), ...fields })).status
  expect(await status({ platform: 'square' })).toBe(422)
  expect(await status({ type: 'pos', platform: 'square', name: 'Till_1' })).toBe(200)
  expect(await status({ name: 'Marché' })).toBe(422)
  expect(await status({ name: 'a shop' })).toBe(422)
  expect(await status({ name: '' })).toBe(422)
  expect(await status({ external_id: 7 })).toBe(422)
  expect(await status({ status: 'prelaunch' })).toBe(422)
})

test('name, type and platform together are unique', async () => {
  const { call } = await aProductWorld()
  await call('POST', CHANNELS, market('Market'))
  const { id } = (await call('POST', CHANNELS, market('Bazaar'))).body.data
  expect((await call('PUT', `${CHANNELS}/${id}`, { name: 'market' })).status).toBe(409)
  expect((await call('POST', CHANNELS, { ...market('Market'), type: 'pos' })).status).toBe(200)
})

test('type and platform cannot change, and a deleted channel cannot change at all', async () => {
  const world = await aProductWorld()
  const path = `${CHANNELS}/${await aMarket(world)}`
  const changed = await world.call('PUT', path, { type: 'storefront', platform: 'bigcommerce', name: 'Bazaar' })
  expect([changed.status, changed.body.data]).toMatchObject([200, market('Bazaar')])
  expect((await world.call('PUT', path, { status: 'terminated' })).status).toBe(422)
  expect((await world.call('PUT', path, { status: 'deleted' })).body.data.status).toBe('deleted')
  expect((await world.call('PUT', path, { status: 'connected' })).status).toBe(422)
})

test('a channel inherits the currencies of the store unless it has its own', async () => {
  const world = await aProductWorld()
  const path = `${CHANNELS}/${await aMarket(world)}/currency-assignments`
  await world.call('POST', '/v2/currencies', EURO)
  const inherited = (await world.get(path)).body.data
  expect(inherited).toMatchObject({ enabled_currencies: ['USD', 'EUR'], default_currency: 'USD' })
  const euros = { enabled_currencies: ['EUR'], default_currency: 'EUR' }
  expect((await world.call('POST', path, euros)).body.data).toEqual({ ...inherited, ...euros })
  const shown = (await world.get(`${CHANNELS}?include=currencies`)).body.data
  expect(shown.map((channel: { currencies: object }) => channel.currencies)).toMatchObject([
    { channel_id: 1, enabled_currencies: ['USD', 'EUR'] },
    euros,
  ])
  expect((await world.call('DELETE', path)).body.data).toBe(inherited.channel_id)
  expect((await world.get(path)).body.data).toEqual(inherited)
})

test('a currency that is deleted from the store is removed from its channels', async () => {
  const world = await aProductWorld()
  const path = `${CHANNELS}/1/currency-assignments`
  const euro = (await world.call('POST', '/v2/currencies', EURO)).body
  await world.call('PUT', path, { enabled_currencies: ['USD', 'EUR'], default_currency: 'EUR' })
  await world.call('DELETE', `/v2/currencies/${euro.id}`)
  expect((await world.get(path)).body.data).toMatchObject({ enabled_currencies: ['USD'], default_currency: 'USD' })
})

test('the plan limits storefronts and active storefronts', async () => {
  const { call, get } = await aProductWorld({ switches: { storefront_limit: 3, active_storefront_limit: 2 } })
  const open = (name: string, status = 'inactive') =>
    call('POST', CHANNELS, { name, type: 'storefront', platform: 'custom', status })
  expect((await get('/v2/store')).body.features).toMatchObject({
    multi_storefront_enabled: true,
    storefront_limits: { active: 2, total_including_inactive: 3 },
  })
  expect((await open('two', 'active')).status).toBe(200)
  expect((await open('three', 'active')).status).toBe(403)
  const { id } = (await open('three')).body.data
  expect((await call('PUT', `${CHANNELS}/${id}`, { status: 'active' })).status).toBe(403)
  expect((await open('four')).status).toBe(403)
  expect((await call('PUT', `${CHANNELS}/${id}`, { status: 'archived' })).status).toBe(200)
  expect((await open('four')).status).toBe(200)
  expect((await call('POST', CHANNELS, market('Market'))).status).toBe(200)
})

test('several channels are given currencies at once, or none of them', async () => {
  const world = await aProductWorld()
  const path = `${CHANNELS}/currency-assignments`
  const id = await aMarket(world)
  await world.call('POST', '/v2/currencies', EURO)
  const euros = { enabled_currencies: ['EUR'], default_currency: 'EUR' }
  const refused = await world.call('PUT', path, [
    { channel_id: id, ...euros },
    { channel_id: 1, enabled_currencies: ['AWG'], default_currency: 'AWG' },
  ])
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { enabled_currencies: expect.stringContaining('not been enabled [AWG]') },
  ])
  expect((await world.get(path)).body.data).toMatchObject([{ default_currency: 'USD' }, { default_currency: 'USD' }])
  await world.call('PUT', path, [{ channel_id: id, ...euros }])
  expect((await world.get(path)).body.data).toMatchObject([{ channel_id: 1 }, { channel_id: id, ...euros }])
  expect((await world.call('PUT', path, [{ channel_id: 99, ...euros }])).status).toBe(422)
})

test('menus of a channel are replaced as a whole and deleted', async () => {
  const { call, get } = await aProductWorld()
  const path = `${CHANNELS}/1/channel-menus`
  const none = { bigcommerce_protected_app_sections: [], custom_app_sections: [] }
  const own = { ...none, custom_app_sections: [{ title: 'Overview', query_path: 'overview' }] }
  expect((await get(path)).body.data).toEqual(none)
  await call('POST', path, { bigcommerce_protected_app_sections: ['domains'] })
  expect((await call('POST', path, own)).body.data).toEqual(own)
  expect((await get(path)).body.data).toEqual(own)
  expect((await call('POST', path, { custom_app_sections: [{ title: 'No path' }] })).status).toBe(422)
  expect((await call('DELETE', path)).body.data).toBe(1)
  expect((await get(path)).body.data).toEqual(none)
})

test('the theme of a channel has other UUIDs in every store, and a marketplace has none', async () => {
  const [one, two] = [await aProductWorld(), await aProductWorld({ hash: 'other' })]
  const theme = async ({ get }: World, id: number) => get(`${CHANNELS}/${id}/active-theme`)
  const { data } = (await theme(one, 1)).body
  expect(Object.keys(data).sort()).toEqual([
    'active_theme_configuration_uuid',
    'active_theme_uuid',
    'active_theme_version_uuid',
    'saved_theme_configuration_uuid',
  ])
  expect((await theme(one, 1)).body.data).toEqual(data)
  expect(Object.values((await theme(two, 1)).body.data)).not.toContain(data.active_theme_uuid)
  expect((await theme(one, await aMarket(one))).status).toBe(404)
})

/** A channel, and two products with one variant each. */
async function aWorldWithListings() {
  const world = await aProductWorld()
  const path = `${CHANNELS}/${await aMarket(world)}/listings`
  const one = await world.create()
  const two = (await world.call('POST', '/v3/catalog/products', product({ name: 'Wool Hat' }))).body.data
  const listing = ({ id, base_variant_id }: { id: number; base_variant_id: number }) => ({
    product_id: id,
    state: 'active',
    variants: [{ product_id: id, variant_id: base_variant_id, state: 'active' }],
  })
  return { ...world, path, listings: [listing(one), listing(two)] }
}

test('listings are created in a batch, paged by id and filtered by product', async () => {
  const { call, get, path, listings } = await aWorldWithListings()
  const made = (await call('POST', path, listings)).body.data
  expect(made).toMatchObject(listings)
  const page = (await get(`${path}?limit=1`)).body
  expect([page.data, page.meta.pagination]).toMatchObject([[made[0]], { count: 1, total: 2, total_pages: 2 }])
  expect(page.meta.pagination).not.toHaveProperty('per_page')
  expect((await get(path + page.meta.pagination.links.next)).body.data).toEqual([made[1]])
  expect((await get(`${path}?product_id:in=${made[1].product_id}`)).body.data).toEqual([made[1]])
  expect((await get(`${path}/${made[0].listing_id}`)).body.data).toEqual(made[0])
  expect((await get(`${CHANNELS}/99/listings`)).body.data).toEqual([])
})

test('a listing keeps its product and the variants that an update does not name, and an unknown listing is ignored', async () => {
  const { call, path, listings } = await aWorldWithListings()
  const [made] = (await call('POST', path, listings)).body.data
  const { listing_id, product_id } = made
  const change = { listing_id, product_id, state: 'disabled', variants: [] }
  const changed = (await call('PUT', path, [change])).body.data
  expect(changed).toMatchObject([{ listing_id, product_id, state: 'disabled', variants: made.variants }])
  const unknown = await call('PUT', path, [{ ...change, listing_id: 99_999_999 }])
  expect([unknown.status, unknown.body.data]).toEqual([200, []])
  expect((await call('PUT', path, [{ ...change, listing_id: 0 }])).body.errors).toHaveProperty('group_id')
  expect((await call('PUT', path, [{ ...change, state: 'moon' }])).status).toBe(422)
})

test('a listing can still be closed after its product is deleted', async () => {
  const { call, path, listings } = await aWorldWithListings()
  const [{ listing_id, product_id }] = (await call('POST', path, listings)).body.data
  await call('DELETE', `/v3/catalog/products/${product_id}`)
  const closed = await call('PUT', path, [{ listing_id, product_id, state: 'deleted', variants: [] }])
  expect([closed.status, closed.body.data]).toMatchObject([200, [{ listing_id, state: 'deleted' }]])
  expect((await call('POST', path, [{ product_id, state: 'active', variants: [] }])).status).toBe(200)
  expect((await call('POST', path, [{ product_id: 99, state: 'active', variants: [] }])).status).toBe(422)
})

test('a listing’s variants belong to its product', async () => {
  const { call, path, listings } = await aWorldWithListings()
  const [one, two] = listings
  expect((await call('POST', path, [{ ...one, variants: two?.variants }])).status).toBe(422)
  const borrowed = [{ ...one?.variants[0], variant_id: two?.variants[0]?.variant_id }]
  expect((await call('POST', path, [{ ...one, variants: borrowed }])).status).toBe(422)
  expect((await call('POST', path, [{ ...one, variants: undefined }])).body.errors).toEqual({
    '0.variants': 'error.path.missing',
  })
})
