import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/start.ts'
import { aProductWorld } from './product-world.ts'

const SEGMENTS = '/v3/segments'
const PROFILES = '/v3/shopper-profiles'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/

/** A store with a segment, and a customer with a shopper profile. */
async function aSegmentWorld() {
  const world = await aProductWorld()
  const [segment] = (await world.call('POST', SEGMENTS, [{ name: 'Regulars' }])).body.data
  const person = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example' }
  const [customer] = (await world.call('POST', '/v3/customers', [person])).body.data
  const [profile] = (await world.call('POST', PROFILES, [{ customer_id: customer.id }])).body.data
  return { ...world, segment, customer, profile, members: `${SEGMENTS}/${segment.id}/shopper-profiles` }
}

test('segments have UUIDs; they are created in batches, renamed and deleted', async () => {
  const { call, get, segment } = await aSegmentWorld()
  expect(segment.id).toMatch(UUID)
  const renamed = await call('PUT', SEGMENTS, [{ id: segment.id, name: 'Friends' }])
  expect(renamed).toMatchObject({ status: 201, body: { data: [{ id: segment.id, name: 'Friends' }] } })
  expect((await get(`${SEGMENTS}?id:in=${segment.id}`)).body.data).toHaveLength(1)
  expect((await call('DELETE', SEGMENTS)).status).toBe(400)
  expect((await call('DELETE', `${SEGMENTS}?id:in=${segment.id}`)).status).toBe(204)
  expect((await get(SEGMENTS)).body.data).toEqual([])
})

test('a duplicate name refuses the batch with 409, and 51 rows are too many', async () => {
  const { call, get } = await aSegmentWorld()
  const refused = await call('POST', SEGMENTS, [{ name: 'New' }, { name: 'REGULARS' }])
  expect(refused).toMatchObject({ status: 409, body: { data: [], meta: { total: 2, success: 0, failed: 2 } } })
  expect((await get(SEGMENTS)).body.data).toHaveLength(1)
  const many = Array.from({ length: 51 }, (_none, at) => ({ name: `Segment ${at}` }))
  expect((await call('POST', SEGMENTS, many)).status).toBe(413)
  expect((await call('POST', SEGMENTS, many.slice(1))).status).toBe(201)
  expect((await get(`${SEGMENTS}?page=2&limit=50`)).body.data).toMatchObject([{ name: 'Segment 50' }])
})

test('a store has at most 1,000 segments, and 50 profiles are added per call', async () => {
  const { call, store, members } = await aSegmentWorld()
  const profiles: string[] = []
  for (let batch = 0; batch < 20; batch++) {
    const rows = Array.from({ length: batch === 0 ? 49 : 50 }, (_none, at) => ({ name: `Segment ${batch}-${at}` }))
    expect((await call('POST', SEGMENTS, rows)).status).toBe(201)
  }
  expect((await call('POST', SEGMENTS, [{ name: 'One more' }])).status).toBe(400)
  for (let at = 0; at < 51; at++) {
    const { id } = store.table('customers').insert({ email: `member-${at}@example.com` })
    profiles.push((await call('POST', PROFILES, [{ customer_id: id }])).body.data[0].id)
  }
  expect((await call('POST', members, profiles)).status).toBe(413)
  expect((await call('POST', members, profiles.slice(1))).status).toBe(201)
})

test('shopper profiles are added to segments and removed; the list of customers includes both on request', async () => {
  const { call, get, segment, profile, members } = await aSegmentWorld()
  const asked = '/v3/customers?include=shopper_profile_id,segment_ids'
  const told = async () => (await get(asked)).body.data[0]
  expect(await told()).toMatchObject({ shopper_profile_id: profile.id, segment_ids: [] })
  expect((await call('POST', members, [profile.id])).status).toBe(201)
  expect((await call('POST', members, [profile.id])).status).toBe(409)
  expect((await get(members)).body.data).toEqual([profile])
  expect((await get(`${PROFILES}/${profile.id}/segments`)).body.data).toEqual([segment])
  expect((await told()).segment_ids).toEqual([segment.id])
  expect((await get('/v3/customers')).body.data[0]).not.toHaveProperty('segment_ids')
  expect((await call('DELETE', `${members}?id:in=${profile.id}`)).status).toBe(204)
  expect((await get(members)).body.data).toEqual([])
})

test('a customer has one profile, which is deleted with the customer', async () => {
  const { call, get, customer, profile, members } = await aSegmentWorld()
  expect((await call('POST', PROFILES, [{ customer_id: customer.id }])).status).toBe(409)
  expect((await call('POST', PROFILES, [{ customer_id: 99 }])).status).toBe(400)
  await call('POST', members, [profile.id])
  await call('DELETE', `/v3/customers?id:in=${customer.id}`)
  expect((await get(PROFILES)).body.data).toEqual([])
  expect((await get(members)).body.data).toEqual([])
})

test('the members of a segment are shown to tokens that may change customers, but not to read-only ones', async () => {
  const shop = { name: 'shop', seed: 'tiny', token: 'secret' } as const
  const sandbox = await startSandbox({ stores: [{ ...shop, scopes: ['store_v2_customers_read_only'] }] })
  try {
    const [segment] = sandbox.store('shop').table('segments').find({})
    const status = async (path: string) =>
      (await fetch(`${sandbox.stores.shop?.url}${path}`, { headers: { 'X-Auth-Token': 'secret' } })).status
    expect(await status(SEGMENTS)).toBe(200)
    expect(await status(PROFILES)).toBe(200)
    expect(await status('/v3/customers?include=shopper_profile_id,segment_ids')).toBe(200)
    expect(await status(`${SEGMENTS}/${segment?.uuid}/shopper-profiles`)).toBe(403)
  } finally {
    await sandbox.close()
  }
})
