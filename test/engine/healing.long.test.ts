import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'
import { counted } from './counted.ts'
import { aCatalogue, expectHonest, heal, issuesBy, lastOf, named, setSource } from './healing-story.ts'

const productsPath = '/v3/catalog/products$'

test('F4: a run whose process dies while healing is taken over, and nothing is created twice', async () => {
  const world = await aCatalogue({ processes: true })
  const { name } = await lastOf(world, 'products')
  const post = { method: 'POST', path: productsPath, body: named(name) }
  await world.fault('destination', { kind: 'error_before_applying', status: 500, ...post, times: 5 })
  const held = await world.fault('destination', { kind: 'hold_after_applying', ...post })
  const id = await world.migrate()
  await until('the healing write is applied', async () =>
    (await world.faults('destination')).some((fault) => fault.id === held && fault.hits > 0),
  )
  await world.killChild()
  await world.release('destination')
  const run = await world.finished(id)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
  expect((await world.issues(id)).map(({ state }) => state)).not.toContain('open')
  await expectWhole(world, id)
  await expectHonest(world, id)
})

test('F4: items that the platform could not create at first are retried, and then everything that names them', async () => {
  const world = await aWorld({
    requestTimeoutSeconds: 1,
    settleSeconds: 0,
    switches: { destination: { order_stock: 'cut' } },
  })
  const categories = { method: 'POST', path: '^/v3/catalog/trees/categories$' }
  await world.fault('destination', { kind: 'error_before_applying', status: 503, ...categories, times: 5 })
  const run = await world.complete()
  expect(await issuesBy(world, run.requestId)).toEqual([
    'healed map-parents: categories missing_reference',
    'healed map-parents: coupons reference_left_out',
    'healed map-parents: custom-template-associations missing_reference',
    'healed map-parents: customer-groups reference_left_out',
    'healed map-parents: page-widgets missing_reference',
    'healed map-parents: page-widgets reference_left_out',
    'healed map-parents: products reference_left_out',
    'healed map-parents: promotions reference_left_out',
    'healed map-parents: redirects missing_reference',
    'healed map-parents: search-filter-contexts missing_reference',
    'healed retry-transient: categories platform_refused',
  ])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0 } })
  expect(await counted(world, run.requestId)).toMatchObject({ categories: { discovered: 6, created: 6 } })
  await expectWhole(world, run.requestId)
  await expectHonest(world, run.requestId)
})

test('F4: a brand that failed with its picture is copied by healing, and then everything that names it', async () => {
  const world = await aWorld({
    requestTimeoutSeconds: 1,
    settleSeconds: 0,
    switches: { destination: { order_stock: 'cut' } },
  })
  const { brands = [], products: copies = [] } = await world.state('source')
  const brand = brands.find(({ id }) => copies.some(({ brand_id }) => brand_id === id))
  if (!brand) throw new Error('No product has a brand.')
  await setSource(world, 'brands', brand.id, { image_url: 'b/missing-brand.png' })
  const run = await world.complete({ autoHeal: false })
  expect(await issuesBy(world, run.requestId)).toEqual([
    'open -: brands picture_not_fetched',
    'open -: custom-template-associations missing_reference',
    'open -: global-widgets reference_left_out',
    'open -: page-widgets missing_reference',
    'open -: products reference_left_out',
    'open -: promotions left_disabled',
    'open -: promotions reference_left_out',
    'open -: redirects missing_reference',
  ])
  expect(await counted(world, run.requestId)).toMatchObject({ brands: { created: 3, failed: 1 } })
  const healed = await heal(world, run.requestId)
  expect(healed).toMatchObject({ status: 'partial_completed', failuresOpen: 1, counters: { failed: 0 } })
  expect(await issuesBy(world, run.requestId)).toEqual([
    'healed -: promotions left_disabled',
    'healed map-parents: custom-template-associations missing_reference',
    'healed map-parents: global-widgets reference_left_out',
    'healed map-parents: page-widgets missing_reference',
    'healed map-parents: products reference_left_out',
    'healed map-parents: promotions reference_left_out',
    'healed map-parents: redirects missing_reference',
    'open without-picture: brands picture_not_fetched',
  ])
  const there = await world.state('destination')
  const again = there.brands?.find(({ name }) => name === brand.name)
  const naming = (rows: typeof copies, id: unknown) => rows.filter(({ brand_id }) => brand_id === id).length
  expect(naming(there.products ?? [], again?.id)).toBe(naming(copies, brand.id))
  await expectHonest(world, run.requestId)
})
