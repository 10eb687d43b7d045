import { expect, test } from 'vitest'
import { leftPartsRemedy } from '../../src/contract/issue-codes.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { actionsOf, planOf } from './planned.ts'
import {
  aProductThatShrank,
  deletes,
  differences,
  generous,
  listed,
  partOf,
  productOf,
  type Row,
  rows,
  writes,
} from './replace-story.ts'

const replacing = { conflictStrategy: 'replace' }
const anyPercent = { ...replacing, pruneLimitPercent: 100 }

const lines = async (world: World, id: string) =>
  (await listed(world, id)).items
    .map(({ component, parentName, reason, state }) => [component, parentName, reason, state])
    .sort()

/** What the copy of the product has too much, in this state. */
const threeParts = (state: string) =>
  ['product-images', 'product-modifiers', 'product-variants'].map((component) => [
    component,
    'Amber Linen Sneaker',
    'destination_only',
    state,
  ])

async function confirm(world: World, id: string): Promise<void> {
  const { prune } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: prune?.confirmPrune })
}

test('G3, G4: children to delete are listed in a dry run, count towards the limits and wait for a confirmation', async () => {
  const world = await aProductThatShrank()
  await world.resetRequests('destination')
  const dry = await world.complete({ ...generous, mode: 'dry-run' })
  expect(await lines(world, dry.requestId)).toEqual(threeParts('planned'))
  expect(dry.summaryLine).toContain('3 items would be deleted')

  const id = await world.migrate({ ...anyPercent, pruneLimitItems: 2 })
  await world.finished(id, { status: 'paused' })
  expect(await deletes(world)).toEqual([])
  expect(await lines(world, id)).toEqual(threeParts('planned'))
  const { prune } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  expect(prune?.items).toBe(3)

  await confirm(world, id)
  const run = await world.finished(id)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(run.summaryLine).toContain('3 items were deleted')
  expect(await deletes(world)).toHaveLength(3)
  expect(await lines(world, id)).toEqual(threeParts('deleted'))
  expect(await differences(world)).toEqual([])
  await expectCountersToEqualTheLedger(world, id)

  await world.resetRequests('destination')
  await world.complete(generous)
  expect(await writes(world)).toEqual([])
})

longTest('G3: resuming without a confirmation keeps the children, and a later `replace` finds them again', async () => {
  const world = await aProductThatShrank()
  await world.resetRequests('destination')
  const id = await world.migrate({ ...anyPercent, pruneLimitItems: 2 })
  await world.finished(id, { status: 'paused' })
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect((await world.finished(id)).status).toBe('completed')
  expect(await deletes(world)).toEqual([])
  expect(await lines(world, id)).toEqual(threeParts('kept'))
  const withheld = (await world.issues(id)).filter(({ code }) => code === 'prune_withheld')
  expect(withheld.map(({ component }) => component).sort()).toEqual([
    'product-images',
    'product-modifiers',
    'product-variants',
  ])
  await world.complete(generous)
  expect(await differences(world)).toEqual([])
})

longTest('G4: a child that was edited, or that the source has by now, is kept with a warning', async () => {
  const world = await aProductThatShrank()
  const id = await world.migrate({ ...anyPercent, pruneLimitItems: 2 })
  await world.finished(id, { status: 'paused' })
  const there = `/v3/catalog/products/${(await productOf(world, 'destination')).id}`
  const image = await partOf(world, 'destination', 'images')
  await callStore(world, 'destination', 'PUT', `${there}/images/${image.id}`, { description: 'Ours now' })
  const here = `/v3/catalog/products/${(await productOf(world, 'source')).id}`
  const modifier = { display_name: 'Gift note', type: 'text', required: false }
  await callStore(world, 'source', 'POST', `${here}/modifiers`, modifier)
  await world.resetRequests('destination')
  await confirm(world, id)
  expect((await world.finished(id)).status).toBe('completed')
  expect((await deletes(world)).map(({ path }) => path.split('/').at(-2))).toEqual(['variants'])
  const states = (await listed(world, id)).items.map(({ component, state }) => [component, state]).sort()
  expect(states).toEqual([
    ['product-images', 'kept'],
    ['product-modifiers', 'kept'],
    ['product-variants', 'deleted'],
  ])
  const kept = (await world.issues(id)).filter(({ code }) => code === 'not_pruned')
  expect(kept.map(({ component, message }) => [component, message.replace(/.*because /, '')]).sort()).toEqual([
    ['product-images', 'it was edited there meanwhile.'],
    ['product-modifiers', 'the source has it now.'],
  ])
})

test('G4: a picture that somebody put before the others as the thumbnail is deleted, although writing those has moved it', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const path = `/v3/catalog/products/${(await productOf(world, 'destination', 'Dapper Enamel Mug')).id}/images`
  const [first] = await callStore<{ url_zoom: string }[]>(world, 'destination', 'GET', path)
  const theirs = { image_url: first?.url_zoom, sort_order: 0, is_thumbnail: true, description: 'Theirs' }
  await callStore(world, 'destination', 'POST', path, theirs)
  const run = await world.complete(generous)
  expect((await world.issues(run.requestId)).map(({ code }) => code)).toEqual(['destination_changed'])
  expect(await differences(world)).toEqual([])
})

/** A copied product whose last variant was exchanged in the source for one with another value and the same SKU. */
async function anExchangedVariant(): Promise<World> {
  const world = await aProductThatShrank()
  await world.complete(generous)
  const path = `/v3/catalog/products/${(await productOf(world, 'source')).id}`
  const old = await partOf(world, 'source', 'variants')
  const [option] = await callStore<(Row & { option_values: Row[] })[]>(world, 'source', 'GET', `${path}/options`)
  const value = { label: 'Exchanged', sort_order: 9 }
  const { id } = await callStore<Row>(world, 'source', 'POST', `${path}/options/${option?.id}/values`, value)
  await callStore(world, 'source', 'DELETE', `${path}/variants/${old.id}`)
  const values = (old.option_values as Row[]).map((one) => ({
    option_id: one.option_id,
    id: one.option_id === option?.id ? id : one.id,
  }))
  await callStore(world, 'source', 'POST', `${path}/variants`, { sku: old.sku, option_values: values })
  await world.resetRequests('destination')
  return world
}

longTest('G3: a variant in the way of one with its SKU goes before the next pass, within the limits', async () => {
  const world = await anExchangedVariant()
  const run = await world.complete(generous)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
  expect((await deletes(world)).map(({ path }) => path.split('/').at(-2))).toContain('variants')
  const codes = (await world.issues(run.requestId)).map(({ code }) => code)
  expect(codes).not.toContain('platform_refused')
  await expectCountersToEqualTheLedger(world, run.requestId)
})

longTest(
  'G3: above the limits a run asks before it deletes a variant that is in the way, and copies the new one afterwards',
  async () => {
    const world = await anExchangedVariant()
    const before = await rows(world, 'destination', 'variants')
    const id = await world.migrate({ ...anyPercent, pruneLimitItems: 0 })
    await world.finished(id, { status: 'paused' })
    expect(await deletes(world)).toEqual([])
    expect((await rows(world, 'destination', 'variants')).map((row) => row.id)).toEqual(before.map((row) => row.id))
    expect((await listed(world, id)).items.map(({ component }) => component)).toContain('product-variants')
    await confirm(world, id)
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await differences(world)).toEqual([])
  },
)

longTest(
  'G3: a run pauses before it deletes more than its share of a kind of children, and not before it deletes fewer',
  async () => {
    const world = await aProductThatShrank()
    const id = await world.migrate({ ...replacing, pruneLimitItems: 100, pruneLimitPercent: 1 })
    await world.finished(id, { status: 'paused' })
    expect(await lines(world, id)).toEqual(threeParts('planned'))
    await world.api('POST', `/v2/migrations/${id}/cancel`)
    const run = await world.complete(replacing)
    expect(await lines(world, run.requestId)).toEqual(threeParts('deleted'))
  },
)

test('B3: the base variant that a product gets when `replace` deletes the last of its variants is not created, and `update` says what is in its way', async () => {
  const world = await aWorld({ catalogueOnly: true })
  await world.complete()
  const { options = [], variants = [] } = await world.state('source')
  const product = options.find(({ display_name }) => display_name === 'Size')?.product_id
  for (const { id, product_id } of variants)
    if (product_id === product)
      await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${product}/variants/${id}`)
  const { requestId: updated } = await world.complete({ conflictStrategy: 'update', autoHeal: false })
  expect(await world.issues(updated)).toMatchObject([{ component: 'product-variants', remedy: leftPartsRemedy }])
  const dry = await world.complete({ ...generous, mode: 'dry-run' })
  const { requestId } = await world.complete(generous)
  expect(await world.issues(requestId)).toEqual([])
  expect(await planOf(world, dry.requestId)).toEqual(await actionsOf(world, requestId))
  expect((await world.verify(requestId)).differences).toEqual([])
})
