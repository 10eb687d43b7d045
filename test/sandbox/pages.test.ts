import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'

const PAGES = '/v3/content/pages'

async function aPageWorld() {
  const { call } = await aSandbox()
  const page = (more: object) => call('POST', PAGES, { type: 'page', name: 'About', body: '<p>Text</p>', ...more })
  const all = async (query = '') => (await call('GET', `${PAGES}${query}`)).body.data
  return { call, page, all }
}

test('the body of a page is included on request, and an unknown parameter is refused', async () => {
  const { call, page, all } = await aPageWorld()
  const made = (await page({})).body.data
  expect(made).not.toHaveProperty('body')
  expect((await all('?include=body'))[0]).toMatchObject({ id: made.id, body: '<p>Text</p>', url: '/about/' })
  expect((await call('GET', `${PAGES}?sort=name`)).status).toBe(422)
  expect((await call('GET', `${PAGES}/${made.id}?name=Other`)).status).toBe(404)
})

test('the answer has the shape of the request, and the valid pages of a batch are saved although it is 422', async () => {
  const { call, all } = await aPageWorld()
  const link = { type: 'link', name: 'Elsewhere', link: 'https://elsewhere.example/' }
  expect((await call('POST', PAGES, [link])).body.data).toMatchObject([link])
  const raw = { type: 'raw', name: 'Code', body: '1' }
  const both = await call('POST', PAGES, [raw, { type: 'raw', name: 'Nothing' }])
  expect(both).toMatchObject({ status: 422, body: { detail: 'missing the required field: body' } })
  expect((await all()).map(({ name }: { name: string }) => name)).toEqual(['Elsewhere', 'Code'])
})

test('a page of the type blog cannot be created, and names and addresses of forms are unique', async () => {
  const { page } = await aPageWorld()
  expect((await page({ type: 'blog' })).status).toBe(422)
  expect((await page({ type: 'contact_form', email: 'a@example.com' })).status).toBe(201)
  expect((await page({ url: '/other' })).status).toBe(422)
  expect((await page({ type: 'contact_form', name: 'Other', email: 'A@example.com' })).status).toBe(422)
})

test('a page whose address is in use is saved under another', async () => {
  const { call, page } = await aPageWorld()
  await page({ url: '/here' })
  const second = await page({ name: 'Second', url: '/Here/' })
  expect(second).toMatchObject({ status: 207, body: { data: { url: '/second/' } } })
  const { id } = second.body.data
  expect((await call('PUT', `${PAGES}/${id}`, { url: '/there' })).body.data.url).toBe('/there')
  expect((await call('PUT', `${PAGES}/${id}`, { url: '/here' })).status).toBe(207)
  expect((await call('PUT', `${PAGES}/${id}`, { channel_id: 7 })).status).toBe(422)
})

test('a new home page replaces the old, and a page cannot be below itself', async () => {
  const { call, page, all } = await aPageWorld()
  const first = (await page({ is_homepage: true })).body.data
  const second = (await page({ name: 'Second', is_homepage: true, parent_id: first.id })).body.data
  const homes = (await all()).filter((one: { is_homepage: boolean }) => one.is_homepage)
  expect(homes.map(({ id }: { id: number }) => id)).toEqual([second.id])
  expect((await call('PUT', `${PAGES}/${first.id}`, { parent_id: second.id })).status).toBe(422)
})

test('children of a deleted page move to the top and are hidden, unless they are to be deleted too', async () => {
  const { call, page, all } = await aPageWorld()
  const top = (await page({})).body.data
  const middle = (await page({ name: 'Middle', parent_id: top.id })).body.data
  const low = (await page({ name: 'Low', parent_id: middle.id })).body.data
  expect((await call('DELETE', `${PAGES}?id:in=${top.id},99`)).status).toBe(404)
  expect((await all())[0]).toMatchObject({ id: middle.id, parent_id: 0, is_visible: false })
  expect((await call('DELETE', `${PAGES}?id:in=${middle.id}&delete_children=true`)).status).toBe(204)
  expect((await call('GET', `${PAGES}/${low.id}`)).status).toBe(404)
})
