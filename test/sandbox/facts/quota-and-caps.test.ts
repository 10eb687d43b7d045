/**
 * How fast a store may be called. Left out: caps of customers, segments, promotions and groups, which are tested with
 * their resources, and advice on which calls not to send at the same time, which is not a behaviour.
 */
import { describe, expect, it } from 'vitest'
import { PLAN_QUOTAS, type Plan } from '../../../sandbox/server/quota.ts'
import {
  aShop,
  BRANDS,
  LOCATIONS,
  PRICE_LISTS,
  PRODUCTS,
  type Shop,
  STATUS_PAGE,
  shopOf,
  TREES,
  times,
  until,
} from '../a-shop.ts'

const HEADERS = {
  'X-Rate-Limit-Time-Window-Ms': /^\d+$/,
  'X-Rate-Limit-Time-Reset-Ms': /^\d+$/,
  'X-Rate-Limit-Requests-Quota': /^\d+$/,
  'X-Rate-Limit-Requests-Left': /^\d+$/,
}

/** Longer than a test. */
const HOUR_MS = 3_600_000

describe('the quota', () => {
  it('counts one unit per request, whatever the request is and however it ends', async () => {
    const { call } = await aShop({}, { quota: { requests: 10, windowMs: HOUR_MS } })
    const left = async (method: string, path: string, body?: unknown) =>
      Number((await call(method, path, body)).headers.get('X-Rate-Limit-Requests-Left'))
    expect(await left('GET', BRANDS)).toBe(9)
    expect(await left('POST', BRANDS, { name: 'Loom' })).toBe(8)
    expect(await left('POST', BRANDS, { name: 'Loom' })).toBe(7)
    expect(await left('GET', '/v3/catalog/nothing')).toBe(6)
  })

  it.each<[Plan, number]>([
    ['standard', 150],
    ['plus', 150],
    ['pro', 450],
  ])('gives the plan %s %i requests in 30 seconds', async (plan, requests) => {
    const { get } = await aShop({}, { plan })
    const { headers } = await get(BRANDS)
    expect(headers.get('X-Rate-Limit-Time-Window-Ms')).toBe('30000')
    expect(headers.get('X-Rate-Limit-Requests-Quota')).toBe(String(requests))
    expect(headers.get('X-Rate-Limit-Requests-Left')).toBe(String(requests - 1))
    const statuses = await Promise.all(times(requests, async () => (await get('/v2/time')).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(requests - 1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('is derived from the plan’s hourly limit: 20,000 requests for Standard and Plus, 60,000 for Pro, rounded down', () => {
    const perHour = (plan: Plan) => PLAN_QUOTAS[plan].requests * (HOUR_MS / PLAN_QUOTAS[plan].windowMs)
    expect([perHour('standard'), perHour('plus'), perHour('pro')]).toEqual([18_000, 18_000, 54_000])
  })

  it('is shared by all apps of a store', async () => {
    const quota = { requests: 2, windowMs: HOUR_MS }
    const { get, url } = await aShop({ accounts: [{ name: 'another', token: 'another-secret' }] }, { quota })
    const asAnother = () => fetch(`${url}${BRANDS}`, { headers: { 'X-Auth-Token': 'another-secret' } })
    expect((await get(BRANDS)).headers.get('X-Rate-Limit-Requests-Left')).toBe('1')
    expect((await asAnother()).headers.get('X-Rate-Limit-Requests-Left')).toBe('0')
    expect([(await get(BRANDS)).status, (await asAnother()).status]).toEqual([429, 429])
  })

  it('does not start again with another token', async () => {
    const { admin, get, url } = await aShop({}, { quota: { requests: 2, windowMs: HOUR_MS } })
    await get(BRANDS)
    await admin('POST', '/token', { action: 'replace', token: 'second' })
    const ask = () => fetch(`${url}${BRANDS}`, { headers: { 'X-Auth-Token': 'second' } })
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429])
  })

  it('puts window, time to its end, quota and remaining calls in every answer, errors included', async () => {
    const { call } = await aShop()
    for (const [method, path, body] of [
      ['GET', BRANDS],
      ['GET', '/v2/time'],
      ['POST', PRODUCTS, {}],
      ['GET', `${PRODUCTS}/99999999`],
      ['DELETE', `${BRANDS}/99999999`],
    ] as const) {
      const { headers } = await call(method, path, body)
      for (const [name, pattern] of Object.entries(HEADERS))
        expect(headers.get(name), `${name} of ${path}`).toMatch(pattern)
    }
  })

  it('also reports the remaining calls in the older header', async () => {
    const { get } = await aShop({}, { quota: { requests: 10, windowMs: HOUR_MS } })
    expect((await get(BRANDS)).headers.get('X-BC-ApiLimit-Remaining')).toBe('9')
  })

  it('answers 429 with the same headers and whole seconds to wait if none are left', async () => {
    const { get } = await aShop({}, { quota: { requests: 1, windowMs: 30_000 } })
    expect((await get(BRANDS)).headers.get('X-Retry-After')).toBeNull()
    const { status, headers, body } = await get(BRANDS)
    expect([status, body.status]).toEqual([429, 429])
    for (const [name, pattern] of Object.entries(HEADERS)) expect(headers.get(name)).toMatch(pattern)
    expect(headers.get('X-Rate-Limit-Requests-Left')).toBe('0')
    const seconds = Number(headers.get('X-Retry-After'))
    expect(seconds).toBe(Math.ceil(Number(headers.get('X-Rate-Limit-Time-Reset-Ms')) / 1000))
  })

  it('serves again after the time in a 429', async () => {
    const { get } = await aShop({}, { quota: { requests: 1, windowMs: 50 } })
    await get(BRANDS)
    const refused = await get(BRANDS)
    // If the window ended between the two, there is nothing to wait for.
    const waitMs = refused.status === 429 ? Number(refused.headers.get('X-Rate-Limit-Time-Reset-Ms')) : 0
    const asked = performance.now()
    await until(() => performance.now() - asked >= waitMs)
    expect((await get(BRANDS)).status).toBe(200)
  })

  it('is unlimited on the unlimited plan, where an overloaded store still answers 429', async () => {
    const { get, fault } = await aShop({}, { plan: 'unlimited' })
    const statuses = await Promise.all(times(460, async () => (await get('/v2/time')).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await fault({ kind: 'overloaded' })
    expect((await get('/v2/time')).status).toBe(429)
  })

  it('answers 429 without the quota headers if the store is overloaded', async () => {
    const { get, fault } = await aShop()
    await fault({ kind: 'overloaded' })
    const { status, headers, body } = await get(BRANDS)
    expect(status).toBe(429)
    for (const name of [...Object.keys(HEADERS), 'X-Retry-After']) expect(headers.get(name)).toBeNull()
    expect(body).toEqual({ status: 429, title: 'Too many requests', type: STATUS_PAGE, errors: {} })
  })
})

/** An endpoint with a cap. The names in the path are replaced by values of `scene`. */
type Cap = [most: number, method: string, path: string, body?: (scene: Scene) => unknown]

interface Scene {
  category: number
  tree: number
  list: number
  variant: number
}

const price = ({ variant }: Scene) => ({ variant_id: variant, currency: 'usd', price: 5 })
const priceOfList = (scene: Scene) => ({ ...price(scene), price_list_id: scene.list })

const OLDER_CATEGORIES = '/v3/catalog/categories'

const CAPS: Cap[] = [
  [1, 'GET', `${TREES}/{tree}/categories`],
  [1, 'DELETE', `${PRICE_LISTS}/{list}`],
  [1, 'PUT', `${PRICE_LISTS}/records`, (scene) => [priceOfList(scene)]],
  [2, 'PUT', `${PRICE_LISTS}/{list}/records`, (scene) => [price(scene)]],
  [10, 'GET', `${PRICE_LISTS}/{list}/records`],
  [10, 'POST', `${PRICE_LISTS}/{list}/records`, (scene) => [price(scene)]],
  [10, 'POST', `${PRICE_LISTS}/records`, (scene) => [priceOfList(scene)]],
  [25, 'DELETE', `${PRICE_LISTS}/{list}/records/{variant}/usd`],
  [25, 'PUT', `${PRICE_LISTS}/{list}/assignments`, () => ({ channel_id: 1 })],
  [40, 'GET', `${PRICE_LISTS}/{list}/records/{variant}`],
  [40, 'GET', OLDER_CATEGORIES],
  [40, 'POST', OLDER_CATEGORIES, () => ({})],
  [40, 'DELETE', OLDER_CATEGORIES],
  [40, 'GET', `${OLDER_CATEGORIES}/{category}`],
  [40, 'PUT', `${OLDER_CATEGORIES}/{category}`, () => ({ description: 'All shirts' })],
  [40, 'DELETE', `${OLDER_CATEGORIES}/{category}`],
  [50, 'GET', `${PRICE_LISTS}/{list}/records/{variant}/usd`],
  [50, 'GET', LOCATIONS],
  [50, 'POST', LOCATIONS, () => []],
  [50, 'PUT', LOCATIONS, () => []],
  [50, 'DELETE', `${LOCATIONS}?location_id:in=99`],
]

async function aScene({ made, aProduct, treeId, aCategory }: Shop): Promise<Scene> {
  const list = (await made('POST', PRICE_LISTS, { name: 'Wholesale' })).id
  return { category: aCategory('Shirts'), tree: treeId(), list, variant: (await aProduct()).base_variant_id }
}

describe('requests at the same time', () => {
  it.each(
    CAPS,
  )('serves %i at a time of %s %s and refuses the next without quota headers', async (most, method, path, bodyOf) => {
    const shop = await aShop()
    const scene = await aScene(shop)
    const place = path.replace(/\{(\w+)\}/g, (_whole, name: keyof Scene) => String(scene[name]))
    const ask = () => shop.call(method, place, bodyOf?.(scene))
    const hold = { kind: 'hold_after_applying', method, path: `^${place.replace(/\?.*/, '')}$`, times: most }
    await shop.fault(hold)
    const held = times(most, ask)
    await until(async () => (await shop.admin('GET', '/faults')).body[0].hits === most)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('X-Rate-Limit-Requests-Left')).toBeNull()
    await until(async () => (await shop.admin('POST', '/release')).body.released === most)
    for (const answer of await Promise.all(held)) expect(answer.status).not.toBe(429)
    expect((await ask()).status).not.toBe(429)
  })

  it('serves any number of requests without a cap', async () => {
    const { get } = await aShop()
    const statuses = await Promise.all(times(60, async () => (await get(PRODUCTS)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('counts each store by itself', async () => {
    const stores = ['one', 'two'].map((name) => ({ name, seed: 'empty' as const, token: 'secret' }))
    const { sandbox } = await aShop(
      { name: 'shop' },
      { stores: [{ name: 'shop', seed: 'empty', token: 'secret' }, ...stores] },
    )
    const [one, two] = [shopOf(sandbox, 'one'), shopOf(sandbox, 'two')]
    const path = `${TREES}/${one.treeId()}/categories`
    await one.fault({ kind: 'hold_after_applying', path: `^${path}$` })
    const held = one.get(path)
    await until(async () => (await one.admin('GET', '/faults')).body[0].hits === 1)
    expect((await one.get(path)).status).toBe(429)
    expect((await two.get(`${TREES}/${two.treeId()}/categories`)).status).toBe(200)
    await until(async () => (await one.admin('POST', '/release')).body.released === 1)
    await held
  })
})
