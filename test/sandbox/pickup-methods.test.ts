import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const METHODS = '/v3/pickup/methods'
const COUNTER = { location_id: 1, display_name: 'At the counter' }

test('pickup methods are created in a batch, partly changed, sorted and deleted by id', async () => {
  const { call, get } = await aProductWorld()
  const made = (await call('POST', METHODS, [COUNTER, { ...COUNTER, display_name: 'At home' }])).body.data
  expect(made[0]).toMatchObject({ ...COUNTER, collection_instructions: '', collection_time_description: '' })
  const ids = made.map(({ id }: { id: number }) => id)
  const changed = await call('PUT', METHODS, [{ id: ids[0], collection_instructions: 'Ring the bell' }])
  expect(changed.body.data).toMatchObject([{ ...COUNTER, collection_instructions: 'Ring the bell' }])
  const names = async (query: string) =>
    (await get(`${METHODS}?${query}`)).body.data.map((row: { display_name: string }) => row.display_name)
  expect(await names('sort=name:asc')).toEqual(['At home', 'At the counter'])
  expect(await names('sort=name:desc')).toEqual(['At the counter', 'At home'])
  expect(await names(`id:in=${ids[1]}`)).toEqual(['At home'])
  expect(await names('date_created:min=2099-01-01')).toEqual([])
  expect((await call('DELETE', METHODS)).status).toBe(422)
  expect((await call('DELETE', `${METHODS}?id:in=${ids.join(',')}`)).status).toBe(204)
  expect(await names('')).toEqual([])
})

test('a pickup method needs a name of at most 250 characters and a location, and is deleted with it', async () => {
  const { call, get } = await aProductWorld()
  const status = async (fields: object) => (await call('POST', METHODS, [{ ...COUNTER, ...fields }])).status
  expect(await status({ location_id: 99 })).toBe(422)
  expect(await status({ display_name: undefined })).toBe(422)
  expect(await status({ display_name: 'x'.repeat(251) })).toBe(422)
  expect(await status({ display_name: 'x'.repeat(250) })).toBe(200)
  const place = { address1: '2 Sample Street', city: 'Reno', state: 'Nevada', zip: '89501', country_code: 'US' }
  const address = { ...place, email: 'shed@shop.example', geo_coordinates: { latitude: 39, longitude: -119 } }
  await call('POST', '/v3/inventory/locations', [{ code: 'SHED', label: 'Shed', address }])
  const [{ id }] = (await get('/v3/inventory/locations?location_code:in=SHED')).body.data
  expect(await status({ location_id: id })).toBe(200)
  await call('DELETE', `/v3/inventory/locations?location_id:in=${id}`)
  expect((await get(METHODS)).body.data).toMatchObject([{ location_id: 1 }])
})
