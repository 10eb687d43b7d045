import { expect, test } from 'vitest'
import { COUNTRIES, STATES } from '../../sandbox/resources/settings/country-list.ts'
import { aProductWorld } from './product-world.ts'

const ALL = '/v2/countries'

test('countries are found by name and by both codes, and link to their states', async () => {
  const { get } = await aProductWorld()
  const [canada] = (await get(`${ALL}?country_iso2=ca`)).body
  expect(canada).toMatchObject({ country: 'Canada', country_iso2: 'CA', country_iso3: 'CAN' })
  expect((await get(`${ALL}?country=Canada`)).body).toEqual([canada])
  expect((await get(`${ALL}?country_iso3=CAN`)).body).toEqual([canada])
  expect((await get(`${ALL}/${canada.id}`)).body).toEqual(canada)
  const states = (await get(`/v2${canada.states.resource}`)).body
  expect(states).toHaveLength(13)
  const linked = await fetch(canada.states.url, { headers: { 'X-Auth-Token': 'secret' } })
  expect(await linked.json()).toEqual(states)
})

test('a state belongs to its country and is found by name and abbreviation', async () => {
  const { get } = await aProductWorld()
  const [{ id }] = (await get(`${ALL}?country_iso2=US`)).body
  const path = `${ALL}/${id}/states`
  const [texas] = (await get(`${path}?state_abbreviation=TX`)).body
  expect(texas).toEqual({ id: expect.any(Number), state: 'Texas', state_abbreviation: 'TX', country_id: id })
  expect((await get(`${path}?state=texas`)).body).toEqual([texas])
  expect((await get(`${path}/${texas.id}`)).body).toEqual(texas)
  expect((await get(`${ALL}/1/states/${texas.id}`)).body).toEqual([{ status: 404, message: expect.any(String) }])
  expect((await get(`${path}/count`)).body).toEqual({ count: 51 })
})

test('lists are paged and end with 204, and counts count everything', async () => {
  const { get } = await aProductWorld()
  expect((await get(`${ALL}?limit=2&page=2`)).body.map(({ id }: { id: number }) => id)).toEqual([3, 4])
  expect((await get(`${ALL}?page=9`)).status).toBe(204)
  expect((await get(`${ALL}/states?limit=250`)).body).toEqual(STATES)
  expect((await get(`${ALL}/count`)).body).toEqual({ count: COUNTRIES.length })
  expect((await get(`${ALL}/states/count`)).body).toEqual({ count: STATES.length })
  expect((await get(`${ALL}/99`)).status).toBe(404)
})

test.each([ALL, '/v2/currencies'])('a page of %s that is not a number is refused in the shape of v2', async (path) => {
  const { get } = await aProductWorld()
  const message = expect.stringContaining('limit')
  expect(await get(`${path}?limit=many`)).toEqual({ status: 400, body: [{ status: 400, message }] })
  expect((await get(`${path}?page=-1`)).status).toBe(400)
})

test('codes and ids are unique', () => {
  for (const field of ['id', 'country', 'country_iso2', 'country_iso3'] as const)
    expect(new Set(COUNTRIES.map((country) => country[field])).size).toBe(COUNTRIES.length)
  expect(new Set(STATES.map(({ country_id, state_abbreviation }) => `${country_id} ${state_abbreviation}`)).size).toBe(
    STATES.length,
  )
})
