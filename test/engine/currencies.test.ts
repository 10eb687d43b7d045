import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'

const currency = (currency_code: string, more: object = {}) => ({
  currency_code,
  name: currency_code,
  currency_exchange_rate: '2.5',
  token: currency_code,
  token_location: 'left',
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 2,
  ...more,
})

testEntityStory({
  name: 'currencies',
  phases: ['currencies'],
  component: 'currencies',
  judged: ['currencies'],
  table: 'currencies',
  edit: { token: 'E' },
  edited: (row) => row.currency_code === 'EUR',
  creation: { method: 'POST', path: '/v2/currencies$' },
  onlyThere: (world) => callStore(world, 'destination', 'POST', '/v2/currencies', currency('SEK')),
})

test('the default currency is unchanged, and a currency the source accepts payments in is copied for display only, with a warning', async () => {
  const world = await aWorld()
  const [dollar] = (await world.state('source')).currencies ?? []
  const payable = { ...dollar, id: undefined, currency_code: 'CAD', is_default: false, is_transactional: true }
  const { id } = await world.change('source', { op: 'double', table: 'currencies', id: dollar?.id ?? 0 })
  await world.change('source', { op: 'set', table: 'currencies', id: Number(id), fields: payable })
  await callStore(world, 'destination', 'POST', '/v2/currencies', currency('EUR', { is_default: true }))
  const run = await world.complete({ entities: ['currencies'] })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { currencies = [] } = await world.state('destination')
  expect(currencies.find(({ currency_code }) => currency_code === 'EUR')).toMatchObject({ is_default: true })
  expect(currencies.find(({ currency_code }) => currency_code === 'CAD')).toMatchObject({ is_transactional: false })
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'currencies')
  expect(reported.map(({ code }) => code)).toContain('different_setting')
  const ofItems = reported.filter(({ code, item }) => code === 'not_copied' && item.name !== null)
  expect(ofItems).toMatchObject([
    {
      ...{ code: 'not_copied', severity: 'warning', item: { name: expect.stringContaining('CAD') } },
      remedy: 'Set up payments in this currency in the control panel of the destination.',
    },
  ])
})

test('where the default currencies differ, update leaves the rate of the destination’s own alone and verify finds nothing', async () => {
  const world = await aWorld({ entities: ['currencies'] })
  const [euro] = ((await world.state('source')).currencies ?? []).filter((one) => one.currency_code === 'EUR')
  expect(Number(euro?.currency_exchange_rate)).not.toBe(1)
  await world.change('source', { op: 'set', table: 'currencies', id: euro?.id ?? 0, fields: { auto_update: true } })
  const own = currency('EUR', { is_default: true, currency_exchange_rate: '1.0', token: '€' })
  await callStore(world, 'destination', 'POST', '/v2/currencies', own)
  const run = await world.complete({ conflictStrategy: 'update' })
  const { currencies = [] } = await world.state('destination')
  const there = currencies.find(({ currency_code }) => currency_code === 'EUR')
  expect(there).toMatchObject({ is_default: true, currency_exchange_rate: '1.0', name: euro?.name, auto_update: false })
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('a currency that the source updates automatically keeps its rate where the destination takes payments in it, with a warning', async () => {
  const world = await aWorld({ entities: ['currencies'] })
  await world.complete()
  const euroIn = async (store: 'source' | 'destination') =>
    (await world.state(store)).currencies?.find((one) => one.currency_code === 'EUR')
  const set = async (store: 'source' | 'destination', fields: Record<string, unknown>) =>
    world.change(store, { op: 'set', table: 'currencies', id: (await euroIn(store))?.id ?? 0, fields })
  await set('source', { auto_update: true, token: 'E' })
  await set('destination', { is_transactional: true, currency_exchange_rate: '1.5000000000' })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const kept = { token: 'E', auto_update: false, currency_exchange_rate: '1.5000000000' }
  expect(await euroIn('destination')).toMatchObject(kept)
  const reported = await world.findings(run.requestId)
  expect(reported.filter(({ code, item }) => code === 'not_copied' && item.name?.includes('EUR'))).toMatchObject([
    {
      ...{ code: 'not_copied', severity: 'warning', message: expect.stringContaining('keeps its exchange rate') },
      remedy: 'Set the rate of this currency at the destination by hand.',
    },
  ])
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('D4: a currency that the store accepts payments in is never deleted', async () => {
  const world = await aWorld()
  await world.complete({ entities: ['currencies'] })
  const made = (await world.state('destination')).currencies?.find(({ currency_code }) => currency_code === 'EUR')
  const { id } = await world.change('destination', { op: 'double', table: 'currencies', id: made?.id ?? 0 })
  const fields = { currency_code: 'NOK', is_transactional: true }
  await world.change('destination', { op: 'set', table: 'currencies', id: Number(id), fields })
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
  const run = await world.complete({ entities: ['currencies'], conflictStrategy: 'replace', ...limits })
  expect((await counted(world, run.requestId)).currencies?.pruned).toBeUndefined()
  const codes = (await world.state('destination')).currencies?.map(({ currency_code }) => currency_code)
  expect(codes).toContain('NOK')
})
