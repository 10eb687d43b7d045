/** Newsletter subscribers of a store. */
import { expect, it } from 'vitest'
import { aShop, times } from '../a-shop.ts'

const SUBSCRIBERS = '/v3/customers/subscribers'
const ada = 'ada@example.com'

it('subscribers are listed at most 250 per page', async () => {
  const { store, get } = await aShop()
  const email = (n: number) => `person-${n}@example.com`
  store.transaction(() => {
    for (const n of times(251, (number) => number))
      store.table('subscribers').insert({ email: email(n), channel_id: 1, source: 'custom', consents: [] })
  })
  const { body } = await get(`${SUBSCRIBERS}?limit=1000`)
  expect([body.data.length, body.meta.pagination.total]).toEqual([250, 251])
})

it('subscribers are written one per call: a list is refused', async () => {
  const { call, made } = await aShop()
  expect((await call('POST', SUBSCRIBERS, [{ email: ada }])).status).toBe(400)
  const { id } = await made('POST', SUBSCRIBERS, { email: ada })
  expect(await made('PUT', `${SUBSCRIBERS}/${id}`, { first_name: 'Ada' })).toMatchObject({ id, first_name: 'Ada' })
})

it('an address subscribes once per channel: a second time is 409', async () => {
  const { call, made } = await aShop()
  const other = { name: 'Outlet', type: 'storefront', platform: 'bigcommerce' }
  const { id } = await made('POST', '/v3/channels', other)
  await made('POST', SUBSCRIBERS, { email: ada })
  expect((await call('POST', SUBSCRIBERS, { email: 'ADA@example.com' })).status).toBe(409)
  expect((await call('POST', SUBSCRIBERS, { email: ada, channel_id: id })).status).toBe(200)
})

it.each(['marketing_newsletter', 'abandoned_cart'])('a subscriber may consent to %s', async (consent) => {
  const { made } = await aShop()
  expect(await made('POST', SUBSCRIBERS, { email: ada, consents: [consent] })).toMatchObject({ consents: [consent] })
})

it('a subscriber can consent to nothing else', async () => {
  const { call } = await aShop()
  expect((await call('POST', SUBSCRIBERS, { email: ada, consents: ['telephone'] })).status).toBe(422)
})

it('subscribers are filtered by the dates of their creation and change', async () => {
  const { made, rows } = await aShop()
  await made('POST', SUBSCRIBERS, { email: ada })
  expect(await rows(`${SUBSCRIBERS}?date_created:min=2001-01-01`)).toHaveLength(1)
  expect(await rows(`${SUBSCRIBERS}?date_created:max=2001-01-01`)).toHaveLength(0)
  expect(await rows(`${SUBSCRIBERS}?date_modified:min=2001-01-01`)).toHaveLength(1)
})

it('a call without a filter deletes all subscribers', async () => {
  const { call, made, rows } = await aShop()
  for (const n of times(3, (number) => number)) await made('POST', SUBSCRIBERS, { email: `person-${n}@example.com` })
  await made('POST', SUBSCRIBERS, { email: ada, source: 'import' })
  expect((await call('DELETE', `${SUBSCRIBERS}?source=import`)).status).toBe(204)
  expect(await rows(SUBSCRIBERS)).toHaveLength(3)
  expect((await call('DELETE', SUBSCRIBERS)).status).toBe(204)
  expect(await rows(SUBSCRIBERS)).toHaveLength(0)
})
