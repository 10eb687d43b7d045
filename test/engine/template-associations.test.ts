import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { namedOnPages, writesTo } from './content.ts'
import { counted } from './counted.ts'

const path = '/v3/storefront/custom-template-associations'
const key = 'custom-template-associations'
const entities = ['theme-templates', key]
let world: World

beforeAll(async () => {
  world = await startWorld({ requestTimeoutSeconds: 1 })
  await world.complete({ entities: namedOnPages })
})
afterAll(() => world?.stop())

const rows = async (side: 'source' | 'destination') => (await world.state(side)).custom_template_associations ?? []
const findings = async () =>
  compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) => entity === key)

test('all of them go in one call, which may get lost without anything being made twice', async () => {
  const fault = await world.fault('destination', {
    kind: 'reset_after_applying',
    method: 'PUT',
    path: `${path}$`,
    times: 1,
  })
  await world.resetRequests('destination')
  const run = await world.complete({ entities })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
  await world.clearFaults('destination')
  expect(await writesTo(world)).toEqual([`PUT ${path}`])
  expect(await findings()).toEqual([])
  expect((await counted(world, run.requestId))[key]).toEqual({ discovered: 4, created: 4 })
})

test('a second run writes nothing; update puts right what was changed there', async () => {
  await world.resetRequests('destination')
  await world.complete({ entities })
  expect(await writesTo(world)).toEqual([])
  const [one] = (await rows('destination')).filter(({ entity_type }) => entity_type === 'category')
  if (!one) throw new Error('The seed has an association of a category.')
  const { channel_id, entity_type, entity_id } = one
  const body = [{ channel_id, entity_type, entity_id, file_name: 'custom-category-1.html' }]
  await callStore(world, 'destination', 'PUT', path, body)
  await world.complete({ entities })
  expect((await findings()).length).toBe(1)
  await world.complete({ entities, conflictStrategy: 'update' })
  expect(await findings()).toEqual([])
})

test('D4: replace deletes what only the destination has', async () => {
  const before = await rows('destination')
  const [product] = (await world.state('destination')).products?.slice(-1) ?? []
  const body = [{ channel_id: 1, entity_type: 'product', entity_id: product?.id, file_name: 'custom-product-1.html' }]
  await callStore(world, 'destination', 'PUT', path, body)
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 10 }
  const run = await world.complete({ entities, conflictStrategy: 'replace', ...limits })
  expect((await counted(world, run.requestId))[key]).toMatchObject({ pruned: 1 })
  expect(await rows('destination')).toEqual(before)
})

test('one whose file the active theme of the destination does not have is told and left', async () => {
  const files = (await world.state('destination')).theme_custom_templates ?? []
  for (const { id, entity_type } of files)
    if (entity_type === 'brand')
      await world.change('destination', { op: 'remove', table: 'theme_custom_templates', id })
  const brand = (await rows('destination')).find(({ entity_type }) => entity_type === 'brand')
  await world.change('destination', { op: 'remove', table: 'custom_template_associations', id: brand?.id ?? 0 })
  await world.resetRequests('destination')
  const run = await world.complete({ entities })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await writesTo(world)).toEqual([])
  const told = (await world.findings(run.requestId)).filter(({ code }) => code === 'not_copied')
  expect(told.map(({ component }) => component).sort()).toEqual([key, 'theme-templates'])
  expect(told.map(({ message }) => message).join(' ')).toContain('custom-brand-1.html')
})

test('as soon as the theme has the file, the association comes', async () => {
  const body = { entity_type: 'brand', file_name: 'custom-brand-1.html' }
  const [other] = (await world.state('destination')).theme_custom_templates ?? []
  await world.change('destination', { op: 'set', table: 'theme_custom_templates', id: other?.id ?? 0, fields: body })
  await world.complete({ entities })
  expect((await rows('destination')).map(({ entity_type }) => entity_type)).toContain('brand')
})
