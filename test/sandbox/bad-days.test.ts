import { expect, test } from 'vitest'
import { Sentinels } from '../../sandbox/faults/sentinels.ts'
import { fetchImage } from '../../sandbox/images/images.ts'
import { aSandbox } from './a-sandbox.ts'
import type { Call } from './a-shop.ts'

const BRANDS = '/v3/catalog/brands'
const brandCount = async (call: Call) => (await call('GET', BRANDS)).body.meta.pagination.total

test('fault maintenance: the whole store is 503 for every caller until it is cleared', async () => {
  const { call, callAs, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'maintenance' })
  const closed = await call('POST', BRANDS, { name: 'Acme' })
  expect(closed).toMatchObject({ status: 503, body: { status: 503, errors: {} } })
  expect(closed.headers.get('x-rate-limit-requests-left')).toBeNull()
  expect((await call('GET', '/v2/store')).body).toEqual([{ status: 503, message: expect.any(String) }])
  expect((await callAs('wrong')('GET', BRANDS)).status).toBe(503)
  expect((await admin('GET', '/faults')).body).toMatchObject([{ kind: 'maintenance', times: null, hits: 3 }])
  await admin('DELETE', '/faults')
  expect(await brandCount(call)).toBe(0)
})

test('fault maintenance: for a few calls, and together with another fault', async () => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'error_before_applying', status: 502 })
  await admin('POST', '/faults', { kind: 'maintenance', times: 1 })
  const statuses = []
  for (let turn = 0; turn < 3; turn++) statuses.push((await call('GET', BRANDS)).status)
  expect(statuses).toEqual([503, 502, 200])
})

test('switch maintenance: closes and opens the store at run time', async () => {
  const { call, admin } = await aSandbox()
  expect((await admin('POST', '/switches', { maintenance: true })).body).toEqual({ maintenance: true })
  expect((await call('GET', BRANDS)).status).toBe(503)
  await admin('POST', '/switches', { maintenance: false })
  expect((await call('GET', BRANDS)).status).toBe(200)
})

test('any switch can be changed at run time and reset to its default', async () => {
  const { call, admin } = await aSandbox({ store: { switches: { weight_units: 'KGS' } } })
  const units = async () => (await call('GET', '/v2/store')).body.weight_units
  expect((await admin('GET', '/switches')).body).toEqual({ weight_units: 'KGS' })
  expect(await units()).toBe('KGS')
  await admin('POST', '/switches', { weight_units: 'LBS', over_limit: 'refuse' })
  expect(await units()).toBe('LBS')
  expect((await call('GET', `${BRANDS}?limit=251`)).status).toBe(413)
  expect((await admin('POST', '/switches', { weight_units: null })).body).toEqual({ over_limit: 'refuse' })
  expect(await units()).toBe('Ounces')
})

test('originals can be switched off at run time, including those fetched before', async () => {
  const { call, admin, url } = await aSandbox()
  const image_url = `${url}/images/logo.png`
  expect((await call('POST', BRANDS, { name: 'Acme', image_url })).status).toBe(200)
  await admin('POST', '/switches', { serve_originals: false })
  expect((await call('POST', BRANDS, { name: 'Other', image_url })).status).toBe(422)
  const resized = `${url}/images/logo.1280.1280.png`
  expect((await call('POST', BRANDS, { name: 'Other', image_url: resized })).status).toBe(200)
})

test('fault image_unfetchable: pictures with a matching file name are 404 while it is set', async () => {
  const { call, admin, url } = await aSandbox()
  const image_url = `${url}/images/a/logo.png`
  expect((await call('POST', BRANDS, { name: 'Acme', image_url })).status).toBe(200)
  await admin('POST', '/faults', { kind: 'image_unfetchable', path: '^a/logo' })
  expect((await call('POST', BRANDS, { name: 'Other', image_url })).status).toBe(422)
  expect(await fetchImage(image_url)).toBeUndefined()
  expect(await fetchImage(`${url}/images/b/logo.png`)).toBeDefined()
  await admin('DELETE', '/faults')
  expect((await call('POST', BRANDS, { name: 'Other', image_url })).status).toBe(200)
})

test('fault image_unfetchable: for a single fetch', async () => {
  const { admin, url } = await aSandbox()
  await admin('POST', '/faults', { kind: 'image_unfetchable', times: 1 })
  expect(await fetchImage(`${url}/images/logo.png`)).toBeUndefined()
  expect(await fetchImage(`${url}/images/logo.png`)).toBeDefined()
})

test('a picture with a malformed percent sequence in its name does not exist', async () => {
  const { url } = await aSandbox()
  expect((await fetch(`${url}/images/50%.png`)).status).toBe(404)
  expect((await fetch(`${url}/images/50%25.png`)).status).toBe(200)
})

test('a name with [[fail]] is never saved, and one with [[fail-once]] at the second attempt', async () => {
  const { call } = await aSandbox()
  const statuses = async (name: string) => [
    (await call('POST', BRANDS, { name })).status,
    (await call('POST', BRANDS, { name })).status,
  ]
  expect(await statuses('Acme [[fail]]')).toEqual([500, 500])
  expect(await statuses('Acme [[fail-once]]')).toEqual([503, 200])
})

test('a name with [[busy-once]] gets a 429 without quota headers, then it is saved', async () => {
  const { call } = await aSandbox()
  const busy = await call('POST', BRANDS, { name: 'Acme [[busy-once]]' })
  expect(busy.status).toBe(429)
  expect(busy.headers.get('x-rate-limit-requests-left')).toBeNull()
  expect((await call('POST', BRANDS, { name: 'Acme [[busy-once]]' })).status).toBe(200)
})

test('a name with [[lost-once]] is saved but the answer is lost, and a second attempt is a duplicate', async () => {
  const { call } = await aSandbox()
  await expect(call('POST', BRANDS, { name: 'Acme [[lost-once]]' })).rejects.toThrow()
  expect(await brandCount(call)).toBe(1)
  expect((await call('POST', BRANDS, { name: 'Acme [[lost-once]]' })).status).toBe(409)
})

test('a name with [[slow]] is answered two seconds late, every time', () => {
  const sentinels = new Sentinels()
  const call = { method: 'POST', path: BRANDS, bytes: Buffer.from('{"name":"Acme [[slow]]"}') }
  expect([sentinels.pick(call), sentinels.pick(call)]).toEqual([
    { kind: 'slow', seconds: 2 },
    { kind: 'slow', seconds: 2 },
  ])
})
