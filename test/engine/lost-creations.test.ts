import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import { unreported } from '../kills/unreported.ts'
import { callStore } from './call-store.ts'
import { lastOf } from './healing-story.ts'

const aWorldOf = (...entities: string[]) => aWorld({ entities, requestTimeoutSeconds: 1, settleSeconds: 0 })

/** A run has sent a segment, lost the answer, and no list shows the segment until now */
async function lostSegment(world: World) {
  await world.complete({ entities: ['customers'] })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v3/segments$' })
  await world.switchTo('destination', { lists_behind_ms: 3_600_000 })
  const id = await world.migrate()
  expect((await world.finished(id)).status).toBe('partial_completed')
  await world.switchTo('destination', { lists_behind_ms: 0 })
}

/** The answer to the creation of a brand with a metafield gets lost, or shows nothing. */
async function loseAnswerAboutBrand(
  world: World,
  kind: 'reset_after_applying' | 'empty_body' = 'reset_after_applying',
) {
  const { id, name } = await lastOf(world, 'brands')
  const metafield = { namespace: 'shop', key: 'since', value: '1999', permission_set: 'write' }
  await callStore(world, 'source', 'POST', `/v3/catalog/brands/${id}/metafields`, metafield)
  await world.fault('destination', { kind, method: 'POST', path: '^/v3/catalog/brands$', body: name })
}

const ofSegments = ['segments', 'shopper-profiles', 'segment-members']

test('G10: a segment whose answer was lost, and which lists show only after the run, gets its members from a later run under `skip`', async () => {
  const world = await aWorldOf('segments')
  await lostSegment(world)
  await world.complete()
  expect(await unreported(world, [], ofSegments)).toEqual([])
})

test('G5: changed in the meantime, it may be somebody else’s, and `skip` adds no members to it', async () => {
  const world = await aWorldOf('segments')
  await lostSegment(world)
  const { segments = [] } = await world.state('destination')
  for (const { id } of segments)
    await world.change('destination', { op: 'set', table: 'segments', id, fields: { description: 'Of the shop.' } })
  await world.complete()
  expect((await world.state('destination')).segment_members ?? []).toEqual([])
})

test('G10: a brand that the store shows only after it has refused the same again is the copy, and gets its metafields in the same run', async () => {
  const world = await aWorldOf('brands')
  await loseAnswerAboutBrand(world)
  // Two looks for what the lost answer was about, and one after the refusal, see a name as it was before.
  const looks = { method: 'GET', path: '^/v3/catalog/brands$', query: '^name=', times: 3 }
  await world.fault('destination', { kind: 'rows_rewritten', rewrites: { name: 'Another name' }, ...looks })
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 3])
  expect(await unreported(world, [], ['brands', 'brand-metafields'])).toEqual([])
})

test('B4: a brand that the store accepted without showing it, and which its list shows only later, is the copy and gets its metafields, under `skip`', async () => {
  const world = await aWorldOf('brands')
  await loseAnswerAboutBrand(world, 'empty_body')
  const looks = { method: 'GET', path: '^/v3/catalog/brands$', query: '^name=', times: 2 }
  await world.fault('destination', { kind: 'rows_rewritten', rewrites: { name: 'Another name' }, ...looks })
  await world.complete()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 2])
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await unreported(world, [], ['brands', 'brand-metafields'])).toEqual([])
})

test('B4: a brand whose answer was lost, and which could not be looked up then, is the copy and gets its metafields by healing, under `skip`', async () => {
  const world = await aWorldOf('brands')
  await loseAnswerAboutBrand(world)
  const look = { method: 'GET', path: '^/v3/catalog/brands$', query: '^name=' }
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...look })
  const run = await world.complete()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 1])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await unreported(world, [], ['brands', 'brand-metafields'])).toEqual([])
})

test('B4, C5: a product whose answer was lost, and which could not be looked up then, gets the related product that was created after it', async () => {
  const world = await aWorld({
    ...{ entities: ['products'], requestTimeoutSeconds: 1, settleSeconds: 0 },
    seeds: { source: 'empty' },
  })
  const make = async (name: string) => {
    const product = { name, sku: name.toUpperCase(), type: 'physical', weight: 1, price: 1 }
    return (await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', product)).id
  }
  const [lamp, shade] = [await make('Lamp'), await make('Shade')]
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${lamp}`, { related_products: [shade] })
  const path = '^/v3/catalog/products$'
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path, body: 'LAMP' })
  await world.fault('destination', {
    kind: 'error_before_applying',
    status: 422,
    method: 'GET',
    path,
    query: '^(sku|name)',
  })
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 1])
  const { products = [] } = await world.state('destination')
  const [copy, other] = ['LAMP', 'SHADE'].map((sku) => products.find((row) => row.sku === sku))
  expect(copy?.related_products).toEqual([other?.id])
})
