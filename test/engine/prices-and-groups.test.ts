import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { counted } from './counted.ts'

/** Prices and groups, and what they name. */
const entities = ['categories', 'brands', 'products', 'price-lists', 'customer-groups']

let world: World
beforeAll(async () => {
  world = await startWorld({ entities })
  await world.complete()
})
afterAll(() => world.stop())

const keys = ['price-lists', 'price-records', 'price-list-assignments', 'customer-groups']
const tables = ['price_lists', 'price_records', 'price_list_assignments', 'customer_groups']
const update = (body: object = {}) => world.complete({ conflictStrategy: 'update', ...body })
const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const differences = async () =>
  compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) =>
    keys.includes(entity),
  )
const rows = async (table: string, side: 'source' | 'destination' = 'destination') =>
  (await world.state(side))[table] ?? []
const named = async (table: string, name: string, side: 'source' | 'destination' = 'destination') => {
  const found = (await rows(table, side)).find((row) => row.name === name)
  if (!found) throw new Error(`${side} has no ${name}`)
  return found
}
const set = (
  table: string,
  id: number,
  fields: Record<string, unknown>,
  side: 'source' | 'destination' = 'destination',
) => world.change(side, { op: 'set', table, id, fields })

const pricesOf = async (listId: number) => (await rows('price_records')).filter((row) => row.price_list_id === listId)

describe('price lists, their prices and assignments, and groups of customers', () => {
  test('are copied with everything, and compare equal', async () => {
    for (const table of tables)
      expect([table, (await rows(table)).length]).toEqual([table, (await rows(table, 'source')).length])
    expect((await rows('price_records')).length).toBeGreaterThan(3)
    expect(await differences()).toEqual([])
  })

  test('E: prices of a list go in one call, and the groups come before the assignments that name them', async () => {
    const fresh = await startWorld({ entities })
    try {
      await fresh.complete()
      const calls = (await fresh.requests('destination'))
        .filter(({ method, path }) => method !== 'GET' && /pricelists|customer_groups/.test(path))
        .map(({ method, path }) => `${method} ${path.replace(/\d+/g, '*').replace('/v*', '')}`)
      expect(calls).toEqual([
        'POST /pricelists',
        'PUT /pricelists/*/records',
        'POST /customer_groups',
        'POST /customer_groups',
        'POST /customer_groups',
        'POST /pricelists/assignments',
      ])
    } finally {
      await fresh.stop()
    }
  })

  test('C2: a second run writes nothing, under skip and under update', async () => {
    await world.resetRequests('destination')
    const again = await counted(world, (await world.complete()).requestId)
    const updated = await counted(world, (await update()).requestId)
    expect(await writes()).toEqual([])
    for (const counts of [again, updated])
      for (const key of keys)
        expect(counts[key]).toEqual({ discovered: counts[key]?.discovered, matched: counts[key]?.discovered })
  })

  test('F1: verify finds them equal, and tells what differs, is missing and is extra', async () => {
    const run = await world.complete()
    expect((await world.verify(run.requestId)).differences).toEqual([])
    const group = await named('customer_groups', 'Trade')
    await set('customer_groups', group.id, { discount_rules: [] })
    const [first, second] = await rows('price_records')
    await set('price_records', first?.id ?? 0, { price: 0.5 })
    await world.change('destination', { op: 'remove', table: 'price_records', id: second?.id ?? 0 })
    const extra = await world.change('destination', {
      op: 'double',
      table: 'price_lists',
      id: first?.price_list_id as number,
    })
    await set('price_lists', extra.id as number, { name: 'Only there' })
    const { differences: told } = await world.verify(run.requestId)
    expect(told.map(({ component, kind }) => `${component} ${kind}`).sort()).toEqual([
      'customer-groups different',
      'price-list-assignments extra',
      'price-lists extra',
      'price-records different',
      ...(await pricesOf(Number(extra.id))).map(() => 'price-records extra'),
      'price-records missing',
    ])
    for (const table of ['price_records', 'price_list_assignments'])
      for (const row of await rows(table))
        if (row.price_list_id === extra.id) await world.change('destination', { op: 'remove', table, id: row.id })
    await world.change('destination', { op: 'remove', table: 'price_lists', id: extra.id as number })
  })

  test('C2: update repairs what was edited and makes again what was deleted', async () => {
    await update()
    expect(await differences()).toEqual([])
    const [assignment] = await rows('price_list_assignments')
    await world.change('destination', { op: 'remove', table: 'price_list_assignments', id: assignment?.id ?? 0 })
    await update()
    expect(await differences()).toEqual([])
  })

  test('F2: a dry run writes nothing and counts what the real run does', async () => {
    const group = await named('customer_groups', 'Trade')
    await set('customer_groups', group.id, { category_access: { type: 'none' } })
    await set('price_lists', (await rows('price_lists'))[0]?.id ?? 0, { active: false })
    await world.resetRequests('destination')
    const dry = await counted(world, (await update({ mode: 'dry-run' })).requestId)
    expect(await writes()).toEqual([])
    const real = await counted(world, (await update()).requestId)
    for (const key of keys) expect(dry[key]).toEqual(real[key])
    expect(await differences()).toEqual([])
  })
})

describe('D4: replace', () => {
  test('deletes lists, prices, assignments and groups that only the destination has, and keeps the default group', async () => {
    const [record] = await rows('price_records')
    const list = await world.change('destination', {
      op: 'double',
      table: 'price_lists',
      id: record?.price_list_id as number,
    })
    await set('price_lists', list.id as number, { name: 'Only there' })
    const price = await world.change('destination', { op: 'double', table: 'price_records', id: record?.id ?? 0 })
    await set('price_records', price.id as number, { currency: 'eur' })
    const trade = await named('customer_groups', 'Trade')
    const extra: number[] = []
    for (const fields of [{ name: 'Old' }, { name: 'Old default', is_default: true }]) {
      const { id } = await world.change('destination', { op: 'double', table: 'customer_groups', id: trade.id })
      await set('customer_groups', id as number, fields)
      extra.push(id as number)
    }
    const run = await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100 })
    expect((await rows('customer_groups')).map(({ name }) => name)).toContain('Old default')
    await world.change('destination', { op: 'remove', table: 'customer_groups', id: extra[1] ?? 0 })
    const retail = await named('customer_groups', 'Retail')
    await set('customer_groups', retail.id, { is_default: true })
    expect(await differences()).toEqual([])
    const counts = await counted(world, run.requestId)
    expect([counts['price-lists']?.pruned, counts['price-records']?.pruned, counts['customer-groups']?.pruned]).toEqual(
      [1, 1, 1],
    )
  })
})

describe('C4: what a group or a price names and the destination lacks', () => {
  test('a rule about a product that is gone is left out with a warning, a price of it fails', async () => {
    const trade = await named('customer_groups', 'Trade', 'source')
    const rule = { type: 'product', product_id: 1, method: 'percent', amount: '1.0000' }
    const rules = trade.discount_rules as object[]
    await set('customer_groups', trade.id, { discount_rules: [...rules, rule] }, 'source')
    const [record] = await rows('price_records', 'source')
    const orphan = await world.change('source', { op: 'double', table: 'price_records', id: record?.id ?? 0 })
    await set('price_records', orphan.id as number, { variant_id: 1 }, 'source')
    const run = await update()
    const told = (await world.issues(run.requestId)).map(({ component, code }) => `${component} ${code}`)
    expect(told.sort()).toEqual(['customer-groups reference_left_out', 'price-records missing_reference'])
    expect((await named('customer_groups', 'Trade')).discount_rules).toHaveLength(rules.length)
    await set('customer_groups', trade.id, { discount_rules: rules }, 'source')
    await world.change('source', { op: 'remove', table: 'price_records', id: orphan.id as number })
  })
})

test('a group whose sitewide discount was not saved at first gets it at once', async () => {
  const trade = await named('customer_groups', 'Trade', 'source')
  const group = await world.change('source', { op: 'double', table: 'customer_groups', id: trade.id })
  const discount_rules = [{ type: 'all', method: 'percent', amount: '7.0000' }]
  await set('customer_groups', group.id as number, { name: 'Late [[late-discount]]', discount_rules }, 'source')
  const run = await world.complete()
  expect((await named('customer_groups', 'Late [[late-discount]]')).discount_rules).toEqual(discount_rules)
  expect(await world.issues(run.requestId)).toEqual([])
  const again = await counted(world, (await update()).requestId)
  expect(again['customer-groups']).toEqual({ discovered: 4, matched: 4 })
})

test('B2: prices whose answers were lost twice are sent in parts, and not each by itself', async () => {
  const [list] = await rows('price_lists')
  const lost = await pricesOf(Number(list?.id))
  expect(lost.length).toBeGreaterThan(4)
  for (const { id } of lost) await world.change('destination', { op: 'remove', table: 'price_records', id })
  const path = `^/v3/pricelists/${list?.id}/records$`
  await world.fault('destination', { kind: 'reset_before_applying', method: 'PUT', path, times: 2 })
  await world.resetRequests('destination')
  const run = await update()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences()).toEqual([])
  const sent = (await writes()).filter((call) => new RegExp(path).test(call.path))
  const parts = Math.ceil(lost.length / Math.ceil(lost.length ** (2 / 3)))
  expect(sent).toHaveLength(2 + parts)
})

test('prices of products that were there already are told by their SKU', async () => {
  const other = await startWorld({ entities, seeds: { destination: 'tiny' } })
  try {
    for (const table of ['price_records', 'price_list_assignments', 'price_lists', 'customer_groups'])
      for (const { id } of (await other.state('destination'))[table] ?? [])
        await other.change('destination', { op: 'remove', table, id })
    const run = await other.complete()
    const [source, destination] = [await other.state('source'), await other.state('destination')]
    const skus = new Map(source.variants?.map(({ id, sku }) => [id, sku]))
    const expected = source.price_records?.filter(({ variant_id }) => skus.get(Number(variant_id)) !== '')
    expect(expected?.length).toBeGreaterThan(0)
    expect(destination.price_records?.length).toBe(expected?.length)
    expect((await counted(other, run.requestId))['price-records']?.created).toBe(expected?.length)
  } finally {
    await other.stop()
  }
})
