/** Segments with the shopper profiles in them, and wishlists. */
import { describe, expect, it } from 'vitest'
import { aShop, type Shop, times } from './fact-shop.ts'

const SEGMENTS = '/v3/segments'
const PROFILES = '/v3/shopper-profiles'
const WISHLISTS = '/v3/wishlists'
const CUSTOMERS = '/v3/customers'

const nameOf = ({ name }: { name: string }) => name

async function customersOf({ made }: Shop, count: number): Promise<number[]> {
  const people = times(count, (n) => ({
    email: `person-${n}@example.com`,
    first_name: 'Ada',
    last_name: `Example ${n}`,
  }))
  const rows = await made('POST', CUSTOMERS, people)
  return rows.map(({ id }: { id: number }) => id)
}

async function aSegment({ made }: Shop, name = 'Regulars'): Promise<string> {
  const [{ id }] = await made('POST', SEGMENTS, [{ name }])
  return id
}

async function profilesOf({ made }: Shop, customers: number[]): Promise<string[]> {
  const rows = await made(
    'POST',
    PROFILES,
    customers.map((customer_id) => ({ customer_id })),
  )
  return rows.map(({ id }: { id: string }) => id)
}

const membersOf = (segment: string) => `${SEGMENTS}/${segment}/shopper-profiles`

describe('segments', () => {
  it('have ids that are no numbers, and come page by page', async () => {
    const shop = await aShop()
    const id = await aSegment(shop)
    await aSegment(shop, 'Guests')
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect((await shop.rows(`${SEGMENTS}?page=2&limit=1`)).map(nameOf)).toEqual(['Guests'])
    expect((await shop.rows(`${SEGMENTS}?id:in=${id}`)).map(nameOf)).toEqual(['Regulars'])
  })

  it('are refused together, with 409 and counts, when one has a name that is taken', async () => {
    const shop = await aShop()
    await aSegment(shop)
    const { status, body } = await shop.call('POST', SEGMENTS, [{ name: 'Guests' }, { name: 'Regulars' }])
    expect([status, body.data, body.meta]).toEqual([409, [], { total: 2, success: 0, failed: 2 }])
    expect(body.errors[0]).toMatchObject({ status: 409 })
    expect((await shop.rows(SEGMENTS)).map(nameOf)).toEqual(['Regulars'])
  })

  it('are 1,000 at most', async () => {
    const shop = await aShop()
    for (const batch of times(20, (n) => times(50, (m) => ({ name: `Segment ${n}-${m}` }))))
      await shop.made('POST', SEGMENTS, batch)
    expect((await shop.call('POST', SEGMENTS, [{ name: 'One more' }])).status).toBe(400)
  })

  it('are deleted by their ids', async () => {
    const shop = await aShop()
    const id = await aSegment(shop)
    expect((await shop.call('DELETE', `${SEGMENTS}?id:in=${id}`)).status).toBe(204)
    expect(await shop.rows(SEGMENTS)).toEqual([])
  })
})

describe('shopper profiles', () => {
  it('are made for customers, one each', async () => {
    const shop = await aShop()
    const [customer = 0] = await customersOf(shop, 1)
    await profilesOf(shop, [customer])
    expect((await shop.call('POST', PROFILES, [{ customer_id: customer }])).status).toBe(409)
  })

  it('go into a segment 50 a call: 51 are 413', async () => {
    const shop = await aShop()
    const segment = await aSegment(shop)
    const customers: number[] = []
    for (const n of times(51, (number) => number)) {
      const person = { email: `member-${n}@example.com`, first_name: 'Ada', last_name: 'Example' }
      customers.push(shop.store.table('customers').insert(person).id)
    }
    const ids = [...(await profilesOf(shop, customers.slice(0, 50))), ...(await profilesOf(shop, customers.slice(50)))]
    expect((await shop.call('POST', membersOf(segment), ids)).status).toBe(413)
    expect((await shop.call('POST', membersOf(segment), ids.slice(0, 50))).status).toBe(201)
    expect((await shop.get(`${membersOf(segment)}?limit=1`)).body.meta.pagination.total).toBe(50)
  })

  it('leave a segment by their ids', async () => {
    const shop = await aShop()
    const segment = await aSegment(shop)
    const [first, second] = await profilesOf(shop, await customersOf(shop, 2))
    await shop.made('POST', membersOf(segment), [first, second])
    expect((await shop.call('DELETE', `${membersOf(segment)}?id:in=${first}`)).status).toBe(204)
    expect(await shop.rows(membersOf(segment))).toMatchObject([{ id: second }])
  })

  it('and their segments are told by the list of customers', async () => {
    const shop = await aShop()
    const segment = await aSegment(shop)
    const [customer = 0] = await customersOf(shop, 1)
    const [profile] = await profilesOf(shop, [customer])
    await shop.made('POST', membersOf(segment), [profile])
    const [told] = await shop.rows(`${CUSTOMERS}?include=shopper_profile_id,segment_ids`)
    expect(told).toMatchObject({ shopper_profile_id: profile, segment_ids: [segment] })
  })
})

describe('wishlists', () => {
  async function aWish(shop: Shop) {
    const [customer_id = 0] = await customersOf(shop, 1)
    const product = await shop.aProduct()
    const item = { product_id: product.id, variant_id: product.base_variant_id }
    const path = async (name: string, items = [item]) => {
      const { status, body } = await shop.call('POST', WISHLISTS, { customer_id, name, items })
      expect(status).toBe(201)
      return `${WISHLISTS}/${body.data.id}`
    }
    return { customer_id, product, item, path }
  }

  it('come 250 a page at most, with their items, and by customer', async () => {
    const shop = await aShop()
    const { customer_id, item, path } = await aWish(shop)
    await path('Birthday')
    shop.store.transaction(() => {
      for (const n of times(250, (number) => number))
        shop.store.table('wishlists').insert({ customer_id: 0, name: `List ${n}`, is_public: false, token: `${n}` })
    })
    const { body } = await shop.get(`${WISHLISTS}?limit=1000`)
    expect([body.data.length, body.meta.pagination.total]).toEqual([250, 251])
    const own = await shop.rows(`${WISHLISTS}?customer_id=${customer_id}`)
    expect(own).toMatchObject([{ name: 'Birthday', items: [item] }])
  })

  it('of one customer may share a name', async () => {
    const shop = await aShop()
    const { customer_id, path } = await aWish(shop)
    await path('Birthday')
    await path('Birthday')
    expect(await shop.rows(`${WISHLISTS}?customer_id=${customer_id}`)).toHaveLength(2)
  })

  it('have the items of an update and no others', async () => {
    const shop = await aShop()
    const { customer_id, item, path } = await aWish(shop)
    const other = await shop.aProduct({ name: 'Wool Shirt' })
    const one = await path('Birthday')
    const items = [{ product_id: other.id, variant_id: other.base_variant_id }]
    await shop.made('PUT', one, { customer_id, name: 'Birthday', items })
    expect((await shop.rows(one)).items).toMatchObject(items)
    expect((await shop.rows(one)).items).not.toContainEqual(expect.objectContaining(item))
  })

  it('get and lose single items', async () => {
    const shop = await aShop()
    const { item, path } = await aWish(shop)
    const one = await path('Birthday', [])
    const { items } = await shop.made('POST', `${one}/items`, { items: [item] })
    expect(items).toMatchObject([item])
    expect((await shop.made('DELETE', `${one}/items/${items[0].id}`)).items).toEqual([])
  })

  it('get a token from the platform, whatever is sent', async () => {
    const shop = await aShop()
    const { customer_id } = await aWish(shop)
    const { body } = await shop.call('POST', WISHLISTS, { customer_id, name: 'Birthday', token: 'mine', items: [] })
    expect(body.data.token).toEqual(expect.any(String))
    expect(body.data.token).not.toBe('mine')
  })
})
