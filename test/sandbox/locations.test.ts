import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const LOCATIONS = '/v3/inventory/locations'

const location = (code: string, fields: Record<string, unknown> = {}) => ({
  code,
  label: `Warehouse ${code}`,
  address: {
    address1: '2 Sample Street',
    city: 'Reno',
    state: 'Nevada',
    zip: '89501',
    email: 'warehouse@shop.example',
    country_code: 'US',
    geo_coordinates: { latitude: 39.5, longitude: -119.8 },
  },
  ...fields,
})

test('a new store has location 1, which cannot be deleted or disabled', async () => {
  const { call, get } = await aProductWorld()
  expect((await get(LOCATIONS)).body.data).toMatchObject([{ id: 1, enabled: true }])
  expect((await call('DELETE', `${LOCATIONS}?location_id:in=1`)).status).toBe(422)
  expect((await call('PUT', LOCATIONS, [{ id: 1, enabled: false }])).status).toBe(422)
  expect((await call('PUT', LOCATIONS, [{ id: 1, label: 'Main' }])).status).toBe(200)
  expect((await get(LOCATIONS)).body.data).toMatchObject([{ id: 1, label: 'Main', enabled: true }])
})

test('locations are created, changed and deleted, and every write answers with a transaction id only', async () => {
  const { call, get } = await aProductWorld()
  const made = await call('POST', LOCATIONS, [location('EAST'), location('WEST')])
  expect(made).toEqual({ status: 200, body: { transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } })
  const [east] = (await get(`${LOCATIONS}?location_code:in=EAST`)).body.data
  expect(east).toMatchObject({ ...location('EAST'), type_id: 'PHYSICAL', storefront_visibility: true })
  const changed = await call('PUT', LOCATIONS, [{ id: east.id, label: 'East', address: { city: 'Elko' } }])
  expect(Object.keys(changed.body)).toEqual(['transaction_id'])
  expect((await get(`${LOCATIONS}?location_id:in=${east.id}`)).body.data).toMatchObject([
    { label: 'East', address: { ...location('EAST').address, city: 'Elko' } },
  ])
  expect((await call('DELETE', `${LOCATIONS}?location_id:in=${east.id}`)).status).toBe(200)
  expect((await get(LOCATIONS)).body.data.map((row: { code: string }) => row.code)).toEqual(['BC-LOCATION-1', 'WEST'])
})

test('a code is unique and one invalid row refuses all', async () => {
  const { call, get } = await aProductWorld()
  expect((await call('POST', LOCATIONS, [location('EAST'), location('east')])).status).toBe(422)
  expect((await get(LOCATIONS)).body.data).toHaveLength(1)
})

test('a location needs a code, a label and an address with coordinates', async () => {
  const { call } = await aProductWorld()
  const { address } = location('EAST')
  for (const fields of [
    { code: undefined },
    { label: undefined },
    { address: undefined },
    { address: { ...address, email: undefined } },
    { address: { ...address, geo_coordinates: undefined } },
    { address: { ...address, geo_coordinates: { latitude: 91, longitude: 0 } } },
  ]) {
    expect([fields, (await call('POST', LOCATIONS, [location('EAST', fields)])).status]).toEqual([fields, 422])
  }
})

test('a virtual location may have no address until it becomes physical', async () => {
  const { call, get } = await aProductWorld()
  expect((await call('POST', LOCATIONS, [location('CLOUD', { type_id: 'VIRTUAL', address: undefined })])).status).toBe(
    200,
  )
  const [{ id }] = (await get(`${LOCATIONS}?location_code:in=CLOUD`)).body.data
  expect((await call('PUT', LOCATIONS, [{ id, label: 'The cloud' }])).status).toBe(200)
  expect((await call('PUT', LOCATIONS, [{ id, type_id: 'PHYSICAL' }])).status).toBe(422)
  const { address } = location('CLOUD')
  expect((await call('PUT', LOCATIONS, [{ id, type_id: 'PHYSICAL', address }])).status).toBe(200)
})

test('a page of locations has at most 1,000 rows', async () => {
  const { call, get } = await aProductWorld()
  const shut = (at: number) => location(`L${at}`, { enabled: false })
  await call(
    'POST',
    LOCATIONS,
    Array.from({ length: 1_000 }, (_, at) => shut(at)),
  )
  const { data, meta } = (await get(`${LOCATIONS}?limit=2000`)).body
  expect([data.length, meta.pagination]).toMatchObject([1_000, { per_page: 1_000, total: 1_001, total_pages: 2 }])
})

test('a store can have 100 active locations and any number of others', async () => {
  const { call, store } = await aProductWorld()
  store.transaction(() => {
    for (let at = 2; at < 100; at++) store.table('locations').insert({ ...location(`L${at}`), enabled: true })
  })
  expect((await call('POST', LOCATIONS, [location('HUNDREDTH')])).status).toBe(200)
  expect((await call('POST', LOCATIONS, [location('ONE-MORE')])).status).toBe(422)
  expect((await call('POST', LOCATIONS, [location('ONE-MORE', { enabled: false })])).status).toBe(200)
  expect((await call('PUT', LOCATIONS, [{ id: 1, label: 'Main' }])).status).toBe(200)
})

test('deleting needs a filter and existing locations', async () => {
  const { call } = await aProductWorld()
  expect((await call('DELETE', LOCATIONS)).status).toBe(422)
  expect((await call('DELETE', `${LOCATIONS}?location_id:in=77`)).status).toBe(404)
})
