import { expect, test } from 'vitest'
import { PRODUCTS } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const PRAISE = {
  title: 'Fits well',
  text: 'Wore it twice.',
  status: 'approved',
  rating: 4,
  email: 'reader@shop.example',
  name: 'A reader',
  date_reviewed: '2024-05-14T09:34:00+00:00',
}

async function aProduct() {
  const world = await aProductWorld()
  const { id } = await world.create()
  return { ...world, id, path: `${PRODUCTS}/${id}/reviews` }
}

test('a product without reviews is answered with 204 and no body', async () => {
  const { get, path } = await aProduct()
  expect(await get(path)).toEqual({ status: 204, body: undefined })
})

test('a review is created, read, changed and deleted below its product', async () => {
  const { call, get, id, path } = await aProduct()
  const { data } = (await call('POST', path, PRAISE)).body
  expect(data).toMatchObject({ ...PRAISE, product_id: id, date_created: expect.any(String) })
  expect((await get(path)).body.data).toEqual([data])
  expect((await get(`${path}/${data.id}`)).body.data).toEqual(data)
  expect((await call('PUT', `${path}/${data.id}`, { ...PRAISE, rating: 2 })).body.data.rating).toBe(2)
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get(path)).status).toBe(204)
})

test('a review needs a title, a date and a rating from 0 to 5', async () => {
  const { call, path } = await aProduct()
  for (const [fields, status] of [
    [{ title: undefined }, 422],
    [{ date_reviewed: undefined }, 422],
    [{ rating: 6 }, 422],
    [{ rating: -1 }, 422],
    [{ status: 'loved' }, 422],
    [{ email: 'nobody' }, 422],
    [{ rating: 0, email: '' }, 200],
    [{ rating: 5 }, 200],
  ] as const) {
    expect([fields, (await call('POST', path, { ...PRAISE, ...fields })).status]).toEqual([fields, status])
  }
})

test('the product counts its approved reviews and includes all of them on request', async () => {
  const { call, get, id, path } = await aProduct()
  await call('POST', path, PRAISE)
  const waiting = (await call('POST', path, { ...PRAISE, status: undefined })).body.data
  expect(waiting.status).toBe('pending')
  const shown = (await get(`${PRODUCTS}/${id}?include=reviews`)).body.data
  expect(shown).toMatchObject({ reviews_count: 1, reviews_rating_sum: 4 })
  expect(shown.reviews.map((review: { status: string }) => review.status)).toEqual(['approved', 'pending'])
  await call('PUT', `${path}/${waiting.id}`, { status: 'approved', rating: 1 })
  expect((await get(`${PRODUCTS}/${id}`)).body.data).toMatchObject({ reviews_count: 2, reviews_rating_sum: 5 })
})

test('status 1 lists the approved reviews and 0 the pending ones', async () => {
  const { call, get, path } = await aProduct()
  for (const status of ['approved', 'pending', 'disapproved']) await call('POST', path, { ...PRAISE, status })
  const statuses = async (query: string) =>
    (await get(`${path}${query}`)).body.data.map((review: { status: string }) => review.status)
  expect(await statuses('?status=1')).toEqual(['approved'])
  expect(await statuses('?status=0')).toEqual(['pending'])
  expect(await statuses('')).toHaveLength(3)
})
