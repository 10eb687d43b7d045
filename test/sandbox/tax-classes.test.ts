import { expect, test } from 'vitest'
import { PRODUCTS, product } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const READ = '/v2/tax_classes'
const WRITE = '/v3/tax/classes'

test('a store has its tax classes from the start, read as a plain array with ids as strings', async () => {
  const { get } = await aProductWorld()
  const { status, body } = await get(READ)
  expect(status).toBe(200)
  expect(body.map((one: { id: string; name: string }) => [one.id, one.name])).toEqual([
    ['1', 'Non-Taxable Products'],
    ['2', 'Shipping'],
    ['3', 'Gift Wrapping'],
  ])
  expect((await get(`${READ}/2`)).body).toMatchObject({ id: '2', name: 'Shipping' })
})

test('tax classes are created, renamed and deleted in batches, and read in v2 only', async () => {
  const { call, get } = await aProductWorld()
  const { data } = (await call('POST', WRITE, [{ name: 'Books' }, { name: 'Food' }])).body
  expect(data).toMatchObject([{ name: 'Books' }, { name: 'Food' }])
  const [books, food] = data
  expect((await call('PUT', WRITE, [{ id: books.id, name: 'Papers' }])).body.data).toMatchObject([{ name: 'Papers' }])
  expect((await get(`${READ}/${books.id}`)).body.name).toBe('Papers')
  expect((await call('DELETE', `${WRITE}?id:in=${books.id},${food.id}`)).status).toBe(204)
  expect((await get(READ)).body).toHaveLength(3)
  expect((await get(WRITE)).status).toBe(405)
})

test('a name is unique regardless of case: 409 against the store, 422 within the batch', async () => {
  const { call } = await aProductWorld()
  expect((await call('POST', WRITE, [{ name: 'SHIPPING' }])).status).toBe(409)
  expect((await call('POST', WRITE, [{ name: 'Books' }, { name: 'books' }])).status).toBe(422)
  expect((await call('PUT', WRITE, [{ id: 2, name: 'shipping' }])).status).toBe(200)
})

test('an unknown class is 400, a missing filter 404, a bad id and a bad name 422', async () => {
  const { call } = await aProductWorld()
  expect((await call('PUT', WRITE, [{ id: 99, name: 'Unknown' }])).status).toBe(400)
  expect((await call('DELETE', `${WRITE}?id:in=99`)).status).toBe(400)
  expect((await call('DELETE', WRITE)).status).toBe(404)
  expect((await call('DELETE', `${WRITE}?id:in=many`)).status).toBe(422)
  expect((await call('POST', WRITE, [{ name: 'a<b' }])).status).toBe(422)
  expect((await call('POST', WRITE, [{ name: 'n'.repeat(100) }])).status).toBe(200)
  expect((await call('POST', WRITE, [{ name: 'n'.repeat(101) }])).status).toBe(422)
})

test('initial tax classes cannot be deleted', async () => {
  const { call } = await aProductWorld()
  expect((await call('DELETE', `${WRITE}?id:in=1`)).status).toBe(400)
})

test('a product with a tax class that does not exist is 409; class 0 always exists', async () => {
  const { call, create } = await aProductWorld()
  const [books] = (await call('POST', WRITE, [{ name: 'Books' }])).body.data
  expect((await create({ tax_class_id: books.id })).tax_class_id).toBe(books.id)
  const other = await create({ name: 'Other', tax_class_id: 0 })
  expect((await call('POST', PRODUCTS, product({ name: 'Third', tax_class_id: 254 }))).status).toBe(409)
  expect((await call('PUT', `${PRODUCTS}/${other.id}`, { tax_class_id: 254 })).status).toBe(409)
  expect((await call('PUT', PRODUCTS, [{ id: other.id, tax_class_id: 254 }])).status).toBe(409)
})
