import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { adjusting, levelsOf, setStock, stockedCatalogue, stockOf } from './stock-story.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

/**
 * A run that waits for the list of stock of one store: its products are created, and their levels are not set. That of
 * the destination is read only if it has products that the run did not create.
 */
async function aRunBeforeItsLevels(world: World, side: 'source' | 'destination' = 'source'): Promise<string> {
  // The forecast counts them with smaller pages.
  const reading = { method: 'GET', path: '^/v3/inventory/items$', query: 'limit=1000' } as const
  const fault = await world.fault(side, { kind: 'hold_after_applying', ...reading, times: 1 })
  const id = await world.migrate()
  await until('the list of stock is read', async () =>
    (await world.faults(side)).some((one) => one.id === fault && one.hits > 0),
  )
  return id
}

interface Stocked {
  /** As `stockOf` names it. */
  key: string
  sku: string
  quantity: number
}

/** Two variants of which the new shop has some. */
async function variantsInStock(world: World): Promise<[Stocked, Stocked]> {
  const levels = await levelsOf(world)
  const counted = levels.filter(
    ({ identity }) => levels.filter((one) => one.identity.product_id === identity.product_id).length > 1,
  )
  const [first, second] = counted
    .map(({ identity: { product_id, variant_id, sku }, locations: [level] }) => ({
      key: `${product_id}/${variant_id}/1`,
      sku,
      quantity: level?.total_inventory_onhand ?? 0,
    }))
    .filter(({ quantity }) => quantity >= 5)
  if (!first || !second) throw new Error('Two variants of the seed have five in stock.')
  return [first, second]
}

function aStockedWorld(): Promise<World> {
  return aWorld({ entities: stockedCatalogue, requestTimeoutSeconds: 30 })
}

test('G11: what the shop sells of a new product before its stock is set stays sold', async () => {
  const world = await aStockedWorld()
  const id = await aRunBeforeItsLevels(world)
  const [{ key, quantity }] = await variantsInStock(world)
  await setStock(world, key, -3, 'relative')
  await world.release('source')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await stockOf(world))[key]).toBe(quantity - 3)
})

test('G11: what the shop sells of a new product with stock at several locations is taken off once', async () => {
  const world = await aStockedWorld()
  const source = await stockBySku(world, 'source')
  const id = await aRunBeforeItsLevels(world)
  const levels = await levelsOf(world)
  const skus = levels.map(({ identity }) => identity.sku)
  const sku = skus.find((one) => (source[`${one} default`] ?? 0) >= 5 && (source[`${one} other`] ?? 0) >= 5) ?? ''
  const { product_id, variant_id } = levels.find(({ identity }) => identity.sku === sku)?.identity ?? {}
  await setStock(world, `${product_id}/${variant_id}/1`, -3, 'relative')
  await world.release('source')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const copy = await stockBySku(world, 'destination')
  const total = (stock: Record<string, number>) => (stock[`${sku} default`] ?? 0) + (stock[`${sku} other`] ?? 0)
  expect(total(copy)).toBe(total(source) - 3)
})

test('G11: the levels of a new product are read once before they are set at all its locations, in several calls', async () => {
  const world = await aStockedWorld()
  const { id: _id, ...location } = (await world.state('source')).locations?.at(-1) ?? {}
  for (const floor of [1, 2]) {
    const more = Array.from({ length: 49 }, (_, at) => ({
      ...location,
      code: `L${floor}${at}`,
      label: `Aisle ${floor}${at}`,
    }))
    await callStore(world, 'source', 'POST', '/v3/inventory/locations', more)
  }
  await world.complete()
  const calls = (await world.requests('destination')).filter(({ path }) => path.startsWith('/v3/inventory/'))
  expect(calls.filter(({ method, path }) => method === 'PUT' && path.endsWith('/absolute')).length).toBeGreaterThan(1)
  const reading = calls.filter(({ path, query }) => path.endsWith('/items') && query.includes('limit=1000'))
  const asked = reading.flatMap(({ query }) => new URLSearchParams(query).get('product_id:in')?.split(',') ?? ['all'])
  expect(asked).not.toContain('all')
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.length).toBe(new Set(asked).size)
})

longTest('G11: what the source sells meanwhile is taken off too, and a restock counts as none sold', async () => {
  const world = await aStockedWorld()
  const { products = [] } = await world.state('source')
  const untracked = products.find(({ inventory_tracking: tracking }) => tracking === 'none')
  const known = { name: untracked?.name, type: 'physical', price: 1, weight: 1 }
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', known)
  const id = await aRunBeforeItsLevels(world, 'destination')
  const [sold, restocked] = await variantsInStock(world)
  await setStock(world, sold.key, -3, 'relative')
  await setStock(world, restocked.key, 5, 'relative')
  const items = [{ location_id: 1, sku: sold.sku, quantity: -1 }]
  await callStore(world, 'source', 'POST', '/v3/inventory/adjustments/relative', { reason: 'Sold', items })
  await world.release('destination')
  expect((await world.finished(id)).status).toBe('completed')
  const stock = await stockOf(world)
  expect(stock[sold.key]).toBe(sold.quantity - 4)
  expect(stock[restocked.key]).toBe(restocked.quantity)
})

test('G11: a level whose answer was lost is not set a second time over later sales', async () => {
  const world = await aWorld({ entities: stockedCatalogue, requestTimeoutSeconds: 2 })
  const id = await aRunBeforeItsLevels(world)
  const [{ key, quantity }] = await variantsInStock(world)
  await setStock(world, key, -3, 'relative')
  const fault = await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  await world.release('source')
  await until('levels are being set', async () =>
    (await world.faults('destination')).some((one) => one.id === fault && one.hits > 0),
  )
  await world.api('POST', `/v2/migrations/${id}/pause`)
  await world.finished(id, { status: 'paused' })
  await setStock(world, key, -1, 'relative')
  await world.release('destination')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await stockOf(world))[key]).toBe(quantity - 4)
})

/** So long that no list shows what is added. */
const behind = { lists_behind_ms: 1e9 }

/** Stock by SKU at the default location and at the other one, which has another id in each store; without what there is none of. */
async function stockBySku(world: World, store: 'source' | 'destination'): Promise<Record<string, number>> {
  const path = '/v3/inventory/items?limit=1000'
  const rows = await callStore<Awaited<ReturnType<typeof levelsOf>>>(world, store, 'GET', path)
  return Object.fromEntries(
    rows.flatMap(({ identity: { sku }, locations }) =>
      locations
        .map((one): [string, number] => [
          `${sku} ${one.location_id === 1 ? 'default' : 'other'}`,
          one.total_inventory_onhand,
        ])
        .filter(([, quantity]) => quantity > 0),
    ),
  )
}

test('G1: new products that the list of stock does not show yet get all of their stock', async () => {
  const world = await aWorld({ entities: stockedCatalogue })
  const before = stockedCatalogue.filter((key) => key !== 'products' && key !== 'inventory')
  await world.complete({ entities: before })
  await world.switchTo('destination', behind)
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await world.switchTo('destination', { lists_behind_ms: 0 })
  const stock = await stockBySku(world, 'source')
  expect(Object.keys(stock).length).toBeGreaterThan(20)
  expect(await stockBySku(world, 'destination')).toEqual(stock)
})

test('G11: sales of products that the list of stock did not show when their levels were set are not taken off later ones', async () => {
  const world = await aWorld({ entities: stockedCatalogue })
  const without = (...left: string[]) => ({ entities: stockedCatalogue.filter((key) => !left.includes(key)) })
  await world.complete(without('locations', 'products', 'inventory'))
  await world.switchTo('destination', behind)
  await world.complete(without('locations'))
  await world.switchTo('destination', { lists_behind_ms: 0 })
  const stock = await stockBySku(world, 'source')
  const { identity } = (await levelsOf(world)).find(({ identity: { sku } }) => (stock[`${sku} other`] ?? 0) >= 5) ?? {}
  await setStock(world, `${identity?.product_id}/${identity?.variant_id}/1`, -3, 'relative')
  await world.complete({ conflictStrategy: 'update' })
  const other = `${identity?.sku} other`
  expect((await stockBySku(world, 'destination'))[other]).toBe(stock[other])
})

/** Waits for what may still arrive pass at once, and `meanwhile` is called in each. */
async function aWorldWithLongWaits(meanwhile: () => Promise<void>, options: WorldOptions = {}): Promise<World> {
  let skippedMs = 0
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms < 600_000) return systemClock.sleep(ms, signal)
    skippedMs += ms
    await meanwhile()
    signal?.throwIfAborted()
  }
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skippedMs, sleep }
  return aWorld({ entities: stockedCatalogue, settleSeconds: 3_600, clock, ...options })
}

longTest('G1, G11: what the shop sells of a new product that the list of stock shows late stays sold', async () => {
  let sold: Stocked | undefined
  const sell = async () => {
    await world.switchTo('destination', { lists_behind_ms: 0 })
    if (sold) return
    ;[sold] = await variantsInStock(world)
    await setStock(world, sold.key, -3, 'relative')
  }
  const world = await aWorldWithLongWaits(sell, { switches: { destination: behind } })
  await world.complete()
  expect(sold).toBeDefined()
  expect((await stockOf(world))[sold?.key ?? '']).toBe((sold?.quantity ?? 0) - 3)
})

test('G11: what the shop sells while a run waits for the lost answer to a level stays sold', async () => {
  let sold: Stocked | undefined
  const world = await aWorldWithLongWaits(async () => {
    if (sold) return
    ;[sold] = await variantsInStock(world)
    await setStock(world, sold.key, -3, 'relative')
  })
  await world.fault('destination', { kind: 'reset_after_applying', ...adjusting, times: 1 })
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(sold).toBeDefined()
  expect((await stockOf(world))[sold?.key ?? '']).toBe((sold?.quantity ?? 0) - 3)
})

test('G11: what copied orders took of new products does not count as sold while the list of stock lags, and the time left includes the wait', async () => {
  let waits = 0
  let id = ''
  const secondsLeft: number[] = []
  const lag = (ms: number) => world.switchTo('destination', { inventory_lag_ms: ms })
  const world = await aWorldWithLongWaits(
    // Twice for the list to show the orders; then it lags behind what was given back.
    async () => {
      waits++
      secondsLeft.push((await world.detail(id)).progress.etaSeconds)
      if (waits > 1) await lag(waits === 2 ? 1e9 : 0)
    },
    {
      entities: [...stockedCatalogue, 'currencies', 'orders'],
      settleSeconds: 36_000,
      switches: { destination: { order_stock: 'cut' } },
    },
  )
  id = await world.migrate()
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await lag(0)
  expect(await stockBySku(world, 'destination')).toEqual(await stockBySku(world, 'source'))
  expect(secondsLeft).toHaveLength(3)
  for (const seconds of secondsLeft) expect(seconds).toBeGreaterThan(30_000)
})

test('G11: what copied orders took of new products does not count as sold if the run is paused while the list lags; the time left includes the wait after that', async () => {
  let waits = 0
  let secondsLeft = 0
  const lag = (ms: number) => world.switchTo('destination', { inventory_lag_ms: ms })
  const world = await aWorldWithLongWaits(
    async () => {
      waits++
      if (waits === 2) await lag(1e9)
      if (waits === 3) await pause()
      if (waits === 4) {
        secondsLeft = (await world.detail(id)).progress.etaSeconds
        await lag(0)
      }
    },
    {
      entities: [...stockedCatalogue, 'currencies', 'orders'],
      settleSeconds: 36_000,
      switches: { destination: { order_stock: 'cut' } },
    },
  )
  const id = await world.migrate()
  const pause = async () => {
    await world.api('POST', `/v2/migrations/${id}/pause`)
    await waitUntilChildKnows(world, id)
  }
  await world.finished(id, { status: 'paused' })
  // As after a pause that is longer than the wait before it.
  await sql`update runs set settles_until = null where id = ${id}`.execute(world.database)
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(secondsLeft).toBeGreaterThan(30_000)
  await lag(0)
  expect(await stockBySku(world, 'destination')).toEqual(await stockBySku(world, 'source'))
})

/** The shop has sold three of a new product, and the platform refused the levels of the run that created it. */
async function aRunWithRefusedLevels(world: World) {
  const id = await aRunBeforeItsLevels(world)
  const [{ key, quantity }] = await variantsInStock(world)
  await setStock(world, key, -3, 'relative')
  await world.fault('destination', { kind: 'error_before_applying', ...adjusting, status: 422, times: null })
  await world.release('source')
  expect((await world.finished(id)).failuresOpen).toBeGreaterThan(0)
  await world.clearFaults('destination')
  return { id, key, quantity }
}

test('G11: what the shop sold stays sold if the platform takes the levels in the next run only', async () => {
  const world = await aStockedWorld()
  const { key, quantity } = await aRunWithRefusedLevels(world)
  await world.complete()
  expect((await stockOf(world))[key]).toBe(quantity - 3)
})

test('G11: what the shop sold stays sold if the stores are compared before the next run sets the levels', async () => {
  const world = await aStockedWorld()
  const { id, key, quantity } = await aRunWithRefusedLevels(world)
  await world.verify(id)
  await world.complete({ mode: 'dry-run' })
  await world.complete()
  expect((await stockOf(world))[key]).toBe(quantity - 3)
})

test('G11: what the shop sold stays sold if another store is copied before the next run sets the levels', async () => {
  const world = await aWorld({ entities: stockedCatalogue, requestTimeoutSeconds: 30, moreStores: ['second'] })
  const mug = { name: 'Mug', type: 'physical', price: 1, weight: 1, inventory_tracking: 'product', inventory_level: 5 }
  await callStore(world, 'second', 'POST', '/v3/catalog/products', mug)
  const { key, quantity } = await aRunWithRefusedLevels(world)
  await world.complete({ source: 'second' })
  await world.complete()
  expect((await stockOf(world))[key]).toBe(quantity - 3)
})

test('G11: what the source has sold out since a product was created is not in stock at the destination', async () => {
  const world = await aStockedWorld()
  const creating = { kind: 'hold_after_applying', method: 'POST', path: '^/v3/catalog/products$', times: 1 } as const
  await world.fault('destination', creating)
  const id = await world.migrate()
  const [{ key, sku }] = await until('variants are created', () => variantsInStock(world).catch(() => undefined))
  const items = [{ location_id: 1, sku, quantity: 0 }]
  await callStore(world, 'source', 'PUT', '/v3/inventory/adjustments/absolute', { reason: 'Sold', items })
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await stockOf(world))[key]).toBe(0)
})

test('G11: a level without an answer is not set over later sales if a run from another store ended meanwhile', async () => {
  const options = { entities: stockedCatalogue, requestTimeoutSeconds: 2, moreStores: ['second'] }
  const world = await aWorld(options)
  const mug = { name: 'Mug', type: 'physical', price: 1, weight: 1, inventory_tracking: 'product', inventory_level: 5 }
  await callStore(world, 'second', 'POST', '/v3/catalog/products', mug)
  const fault = await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  const id = await world.migrate()
  await until('levels are being set', async () =>
    (await world.faults('destination')).some((one) => one.id === fault && one.hits > 0),
  )
  await world.api('POST', `/v2/migrations/${id}/pause`)
  await world.finished(id, { status: 'paused' })
  await world.release('destination')
  const [{ key, quantity }] = await variantsInStock(world)
  await setStock(world, key, -1, 'relative')
  await world.complete({ source: 'second' })
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await stockOf(world))[key]).toBe(quantity - 1)
})

/** A product at the destination with its first variant, once both are there. */
async function copyOf(world: World, name: string) {
  const { products = [], variants = [] } = await world.state('destination')
  const copy = products.find((row) => row.name === name)
  const variant = variants.find(({ product_id }) => product_id === copy?.id)
  return copy && variant && { copy, variant }
}

/** The answer to the creation of a product that is counted as a whole is held back, and the shop has sold three of it. */
async function aSoldProductWithoutAnswer(world: World, start: () => Promise<string>) {
  const { products = [] } = await world.state('source')
  const product = products.find(
    ({ inventory_tracking: tracking, inventory_level: level }) => tracking === 'product' && Number(level) >= 5,
  )
  const name = String(product?.name)
  const creating = { method: 'POST', path: '^/v3/catalog/products$', body: `"${name}"`, times: 1 } as const
  await world.fault('destination', { kind: 'hold_after_applying', ...creating })
  const id = await start()
  const { copy, variant } = await until('the product is created', () => copyOf(world, name))
  const key = `${copy.id}/${variant.id}/1`
  const quantity = Number(copy.inventory_level)
  await setStock(world, key, -3, 'relative')
  return { id, key, quantity, name }
}

longTest(
  'G11: what the shop sells of a product stays sold if the process that created it died before it had an answer',
  async () => {
    const world = await aWorld({ entities: stockedCatalogue, settleSeconds: 0, processes: true })
    const { id, key, quantity } = await aSoldProductWithoutAnswer(world, () => world.migrate())
    await world.killChild()
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await stockOf(world))[key]).toBe(quantity - 3)
  },
)

longTest(
  'G11: what the shop sells of a product whose answer was lost, and which lists show only to a later run, stays sold',
  async () => {
    const world = await aWorld({ entities: stockedCatalogue, requestTimeoutSeconds: 1, settleSeconds: 0 })
    const before = stockedCatalogue.filter((key) => key !== 'products' && key !== 'inventory')
    await world.complete({ entities: before })
    const { id, key, quantity, name } = await aSoldProductWithoutAnswer(world, async () => {
      await world.switchTo('destination', { lists_behind_ms: 1e9 })
      return world.migrate()
    })
    await world.finished(id)
    await world.release('destination')
    await world.switchTo('destination', { lists_behind_ms: 0 })
    await world.complete()
    expect((await world.state('destination')).products?.filter((row) => row.name === name)).toHaveLength(1)
    expect((await stockOf(world))[key]).toBe(quantity - 3)
  },
)
