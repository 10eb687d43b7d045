import { expect, test } from 'vitest'
import { resources } from '../../sandbox/registry.ts'
import { aProductWorld } from './product-world.ts'

const GROUPS = '/v2/customer_groups'

const SITEWIDE = { type: 'all', method: 'percent', amount: '5.0000' }

test('a group is created, read, changed and deleted; lists are plain arrays that end with 204', async () => {
  const { call, get } = await aProductWorld()
  expect((await get(GROUPS)).status).toBe(204)
  const made = await call('POST', GROUPS, { name: 'Trade' })
  expect(made).toMatchObject({ status: 200, body: { name: 'Trade', is_default: false, discount_rules: [] } })
  const path = `${GROUPS}/${made.body.id}`
  expect((await get(GROUPS)).body).toEqual([made.body])
  expect((await get(`${GROUPS}?page=2`)).status).toBe(204)
  expect((await get(`${GROUPS}/count`)).body).toEqual({ count: 1 })
  expect((await call('PUT', path, { name: 'Resale' })).body).toMatchObject({ id: made.body.id, name: 'Resale' })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await get(path)).body).toEqual([{ status: 404, message: expect.any(String) }])
})

test('a name is required, and unique unless a switch says otherwise', async () => {
  const { call, store } = await aProductWorld()
  expect((await call('POST', GROUPS, {})).status).toBe(400)
  await call('POST', GROUPS, { name: 'Trade' })
  expect((await call('POST', GROUPS, { name: 'TRADE' })).status).toBe(409)
  store.switches.duplicate_group_names = true
  expect((await call('POST', GROUPS, { name: 'Trade' })).status).toBe(200)
})

test('one group is the default and one is for guests, so the flag moves', async () => {
  const { call, get } = await aProductWorld()
  const flags = { is_default: true, is_group_for_guests: true }
  await call('POST', GROUPS, { name: 'Old', ...flags })
  await call('POST', GROUPS, { name: 'New', ...flags })
  const found = async (filter: string) =>
    (await get(`${GROUPS}?${filter}`)).body.map(({ name }: { name: string }) => name)
  expect(await found('is_default=true')).toEqual(['New'])
  expect(await found('is_group_for_guests=true')).toEqual(['New'])
  expect(await found('is_default=false')).toEqual(['Old'])
})

test('an update replaces all discount rules and keeps absent fields', async () => {
  const { call, create, aCategory } = await aProductWorld()
  const { id: product_id } = await create()
  const rules = [
    SITEWIDE,
    { type: 'product', product_id, method: 'price', amount: 9.99 },
    { type: 'category', category_id: aCategory('Sale'), method: 'fixed', amount: '1.5' },
  ]
  const { body: group } = await call('POST', GROUPS, { name: 'Trade', discount_rules: rules })
  expect(group.discount_rules).toEqual([SITEWIDE, { ...rules[1], amount: '9.9900' }, { ...rules[2], amount: '1.5000' }])
  const path = `${GROUPS}/${group.id}`
  expect((await call('PUT', path, { name: 'Trade!' })).body.discount_rules).toEqual(group.discount_rules)
  expect((await call('PUT', path, { discount_rules: [SITEWIDE] })).body.discount_rules).toEqual([SITEWIDE])
})

test('a price list excludes other rules, there is one sitewide rule, and targets have to exist', async () => {
  const { call } = await aProductWorld()
  const { id } = (await call('POST', '/v3/pricelists', { name: 'Trade' })).body.data
  const list = { type: 'price_list', price_list_id: id }
  const send = async (...discount_rules: object[]) =>
    (await call('POST', GROUPS, { name: `Trade ${JSON.stringify(discount_rules)}`, discount_rules })).status
  expect(await send(list)).toBe(200)
  expect(await send(list, SITEWIDE)).toBe(400)
  expect(await send(SITEWIDE, SITEWIDE)).toBe(400)
  expect(await send({ ...list, price_list_id: 99 })).toBe(400)
  expect(await send({ type: 'product', product_id: 99, method: 'price', amount: 1 })).toBe(400)
  expect(await send({ ...SITEWIDE, method: 'gift' })).toBe(400)
  expect(await send({ ...SITEWIDE, amount: 'much' })).toBe(400)
})

test('access is to all categories, none or some', async () => {
  const { call, aCategory } = await aProductWorld()
  const some = { type: 'specific', categories: [aCategory('Sale')] }
  const made = (await call('POST', GROUPS, { name: 'Trade', category_access: some })).body
  expect(made.category_access).toEqual(some)
  const none = await call('PUT', `${GROUPS}/${made.id}`, { category_access: { type: 'none' } })
  expect(none.body.category_access).toEqual({ type: 'none' })
  expect((await call('POST', GROUPS, { name: 'X', category_access: { type: 'some' } })).status).toBe(400)
})

test('207 reports that a group was saved without its sitewide discount', async () => {
  const { call, get } = await aProductWorld()
  const made = await call('POST', GROUPS, { name: 'Trade [[late-discount]]', discount_rules: [SITEWIDE] })
  expect(made).toEqual({ status: 207, body: { status: 207, message: expect.stringContaining('sitewide') } })
  const [group] = (await get(GROUPS)).body
  expect(group.discount_rules).toEqual([])
  const again = await call('PUT', `${GROUPS}/${group.id}`, { discount_rules: [SITEWIDE] })
  expect(again).toMatchObject({ status: 200, body: { discount_rules: [SITEWIDE] } })
})

test('groups are filtered by name and by the date of their last change', async () => {
  const { call, get, store } = await aProductWorld()
  const { id } = (await call('POST', GROUPS, { name: 'Trade' })).body
  await call('POST', GROUPS, { name: 'Resale trade' })
  store
    .table('customer_groups')
    .update(id, { date_modified: '2024-05-01 12:00:00', date_created: '2024-05-01 12:00:00' })
  const found = async (filter: string) => ((await get(`${GROUPS}?${filter}`)).body ?? []).length
  expect(await found('name=trade')).toBe(1)
  expect(await found('name:like=trade')).toBe(2)
  expect(await found('date_modified:min=2024-05-02')).toBe(1)
  expect(await found('date_modified:max=2024-05-02')).toBe(1)
  expect(await found('date_created=2024-05-01T12:00:00')).toBe(1)
  expect((await get(`${GROUPS}?date_modified:min=one day`)).status).toBe(400)
})

test('deleting a group deletes its price list assignments, and its customers have no group', async () => {
  const { call, get, store } = await aProductWorld()
  const { id } = (await call('POST', '/v3/pricelists', { name: 'Trade' })).body.data
  const group = (await call('POST', GROUPS, { name: 'Trade' })).body
  await call('PUT', `/v3/pricelists/${id}/assignments`, { customer_group_id: group.id, channel_id: 1 })
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example', customer_group_id: group.id }
  await call('POST', '/v3/customers', [customer])
  await call('DELETE', `${GROUPS}/${group.id}`)
  expect((await get('/v3/customers')).body.data).toMatchObject([{ email: 'ada@example.com', customer_group_id: 0 }])
  expect(store.table('price_list_assignments').count()).toBe(0)
})

test('40 calls are served at a time', () => {
  const routes = resources.find(({ key }) => key === 'customer-groups')?.routes ?? []
  expect(routes.map(({ cap }) => cap)).toEqual(routes.map(() => 40))
})
