import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { contentPhases, namedOnPages, writesTo } from './content.ts'
import { counted } from './counted.ts'

const path = '/v3/storefront/custom-template-associations'
const key = 'custom-template-associations'
const entities = ['theme-templates', key]
const withNamed = { entities: [...namedOnPages, ...entities] }

const rows = async (world: World, side: Side) => (await world.state(side)).custom_template_associations ?? []
const findings = async (world: World) =>
  compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) => entity === key)

longTest(
  'B2, C2: all associations are sent in one call, a lost answer creates none twice, and a second run writes nothing',
  async () => {
    const world = await aWorld(withNamed)
    await world.fault('destination', { kind: 'reset_after_applying', method: 'PUT', path: `${path}$`, times: 1 })
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    expect((await writesTo(world)).filter((call) => call.endsWith(path))).toEqual([`PUT ${path}`])
    expect(await findings(world)).toEqual([])
    expect((await counted(world, run.requestId))[key]).toEqual({ discovered: 4, created: 4 })
    await world.resetRequests('destination')
    await world.complete({ entities })
    expect(await writesTo(world)).toEqual([])
  },
)

longTest(
  'D4: update corrects changes at the destination that skip leaves alone, and replace deletes what only it has',
  async () => {
    const world = await aWorld(withNamed)
    await world.complete()
    const copied = await rows(world, 'destination')
    const [one] = copied.filter(({ entity_type }) => entity_type === 'category')
    if (!one) throw new Error('The seed has an association of a category.')
    const { channel_id, entity_type, entity_id } = one
    const other = { channel_id, entity_type, entity_id, file_name: 'custom-category-1.html' }
    await callStore(world, 'destination', 'PUT', path, [other])
    await world.complete({ entities })
    expect((await findings(world)).length).toBe(1)
    await world.complete({ entities, conflictStrategy: 'update' })
    expect(await findings(world)).toEqual([])

    const repaired = await rows(world, 'destination')
    const [product] = (await world.state('destination')).products?.slice(-1) ?? []
    const extra = { channel_id: 1, entity_type: 'product', entity_id: product?.id, file_name: 'custom-product-1.html' }
    await callStore(world, 'destination', 'PUT', path, [extra])
    const limits = { pruneLimitPercent: 100, pruneLimitItems: 10 }
    const run = await world.complete({ entities, conflictStrategy: 'replace', ...limits })
    expect((await counted(world, run.requestId))[key]).toMatchObject({ pruned: 1 })
    expect(await rows(world, 'destination')).toEqual(repaired)
  },
)

test('an association whose file the destination’s theme does not have is reported and left out, and copied once it does', async () => {
  const world = await aWorld({ entities })
  // Only the association of the brand is left, so that the destination needs nothing but brands.
  for (const { id, entity_type } of await rows(world, 'source'))
    if (entity_type !== 'brand') await world.change('source', { op: 'remove', table: key.replaceAll('-', '_'), id })
  await world.complete({ entities: ['brands'] })
  const files = (await world.state('destination')).theme_custom_templates ?? []
  const file = files.find(({ entity_type }) => entity_type === 'brand')
  const rename = (file_name: string) =>
    world.change('destination', {
      op: 'set',
      table: 'theme_custom_templates',
      id: file?.id ?? 0,
      fields: { file_name },
    })
  await rename('another.html')
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await writesTo(world)).toEqual([])
  const reported = (await world.findings(run.requestId)).filter(({ code }) => code === 'not_copied')
  expect(reported.map(({ component }) => component).sort()).toEqual([key, 'theme-templates'])
  expect(reported.map(({ message }) => message).join(' ')).toContain(String(file?.file_name))

  await rename(String(file?.file_name))
  await world.complete()
  expect((await rows(world, 'destination')).map(({ entity_type }) => entity_type)).toEqual(['brand'])

  // Its copy shows the usual template from here on.
  await rename('another.html')
  for (const settings of [{ conflictStrategy: 'update' }, { mode: 'verify' }]) {
    const { requestId } = await world.complete(settings)
    expect((await counted(world, requestId))[key]).toEqual({ discovered: 1, skipped: 1 })
    const again = (await world.findings(requestId)).filter(({ component }) => component === key)
    expect(again.map(({ code }) => code)).toEqual(['not_copied'])
  }
})

longTest(
  'G1: after a category was deleted at the destination, what is about its new copy is what runs compare',
  async () => {
    const about = ['custom-template-associations', 'page-widgets', 'search-filter-contexts']
    const world = await aWorld({ entities: [...namedOnPages, ...contentPhases, 'search-filters'] })
    await world.complete()
    const [association] = (await rows(world, 'destination')).filter(({ entity_type }) => entity_type === 'category')
    await callStore(
      world,
      'destination',
      'DELETE',
      `/v3/catalog/trees/categories?category_id:in=${association?.entity_id}`,
    )
    const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
    const run = await world.complete({ conflictStrategy: 'replace', ...limits })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const left = compareStores(await world.state('source'), await world.state('destination'))
    expect(left.filter(({ entity, kind }) => about.includes(entity) && kind !== 'extra')).toEqual([])
    await world.resetRequests('destination')
    await world.complete({ conflictStrategy: 'update' })
    expect(await writesTo(world)).toEqual([])
  },
)
