import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'

const path = '/v3/settings/search/filters'
const phases = ['search-filters']
const catalogue = ['categories', 'products']

interface Filter extends Record<string, unknown> {
  id: string
  type: string
  name: string
}
interface Context {
  context: { channel_id?: number; category_id?: number }
  data: Filter[]
}

const available = (world: World, side: Side) => callStore<Filter[]>(world, side, 'GET', `${path}/available`)
const contexts = (world: World, side: Side) => callStore<Context[]>(world, side, 'GET', `${path}/contexts`)
const put = (world: World, side: Side, filters: object[]) => callStore(world, side, 'PUT', path, filters)

/** Filters by their names in the store, which identify them in both stores. */
async function named(world: World, side: Side, filters: Filter[]) {
  const names = new Map((await available(world, side)).map(({ id, type, name }) => [id, `${type} ${name}`]))
  return filters.map(({ id, ...rest }) => ({ ...rest, by: names.get(id) }))
}
const shown = async (world: World, side: Side) =>
  named(world, side, await callStore<Filter[]>(world, side, 'GET', path))

testEntityStory({
  name: 'search filters of channels and categories',
  phases,
  component: 'search-filter-contexts',
  judged: ['search-filter-contexts'],
  table: 'search_filter_contexts',
  edit: { data: [] },
  creation: { method: 'PUT', path: `${path}/contexts$` },
  arrange: (world) => world.complete({ entities: catalogue }),
})

const ofFilters = ['available-filters', 'search-filters', 'search-filter-contexts']

async function reportedOf(world: World, { requestId }: { requestId: string }) {
  const all = [...(await world.findings(requestId)), ...(await world.issues(requestId))]
  return all
    .filter(({ component }) => ofFilters.includes(component))
    .map(({ component, code }) => `${component} ${code}`)
}

async function countsOf(world: World, { requestId }: { requestId: string }) {
  const all = await counted(world, requestId)
  return ofFilters.map((component) => all[component])
}

test.each([
  'skip',
  'update',
])('F2: a dry run under %s expects the filters that the products it would copy bring along, and announces what the copy does', async (conflictStrategy) => {
  const world = await aWorld()
  const whole = { entities: [...catalogue, ...phases], conflictStrategy }
  const dry = await world.complete({ ...whole, mode: 'dry-run' })
  expect(await reportedOf(world, dry)).toEqual([])
  const withoutProducts = await world.complete({ ...whole, entities: phases, mode: 'dry-run' })
  expect(await reportedOf(world, withoutProducts)).toContain('available-filters not_copied')
  const run = await world.complete(whole)
  expect(await reportedOf(world, run)).toEqual([])
  expect(await countsOf(world, run)).toEqual(await countsOf(world, dry))
})

longTest(
  'B3, F1: skip leaves a store’s filters alone; update copies them in order, even if its answer is lost; verify reports another order',
  async () => {
    const world = await aWorld()
    const counts = async (run: { requestId: string }) => (await counted(world, run.requestId))['search-filters']
    const update = () => world.complete({ entities: phases, conflictStrategy: 'update' })
    const all = await available(world, 'source')
    const by = (name: string) => all.find((one) => one.name === name)?.id
    await put(world, 'source', [
      { id: by('Colour'), type: 'product', display_name: 'Shade', is_enabled: true, sort_by: 'item_count' },
      { id: by('Brand'), type: 'brand', display_name: 'Maker', is_enabled: true, items_to_show: 5 },
      { id: by('Price'), type: 'price', display_name: 'Price', is_enabled: false },
    ])
    await world.complete({ entities: catalogue })
    const before = await shown(world, 'destination')
    const run = await world.complete({ entities: phases })
    expect(await counts(run)).toEqual({ discovered: 1, skipped: 1 })
    expect(await shown(world, 'destination')).toEqual(before)

    expect(await counts(await update())).toEqual({ discovered: 1, updated: 1 })
    expect(await shown(world, 'destination')).toEqual(await shown(world, 'source'))
    const names = (await shown(world, 'destination')).map((filter) => filter.by)
    expect(names).toEqual(['product Colour', 'brand Brand', 'price Price'])
    await world.resetRequests('destination')
    expect(await counts(await update())).toEqual({ discovered: 1, matched: 1 })
    expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])

    const filters = await callStore<Filter[]>(world, 'destination', 'GET', path)
    await put(world, 'destination', filters.toReversed())
    const { differences } = await world.verify(run.requestId)
    expect(differences.map(({ component, fields }) => [component, fields.map((field) => field.path)])).toEqual([
      ['search-filters', ['filters']],
    ])
    await world.fault('destination', { kind: 'reset_after_applying', method: 'PUT', path: `${path}$`, times: 1 })
    expect(await update()).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    expect(await shown(world, 'destination')).toEqual(await shown(world, 'source'))
  },
)

longTest(
  'C4: a filter by an option that the destination does not have is reported and left out, and copied once the products are',
  async () => {
    const world = await aWorld()
    await world.complete({ entities: ['categories'] })
    const run = await world.complete({ entities: phases })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const reported = [...(await world.findings(run.requestId)), ...(await world.issues(run.requestId))]
    expect(reported.map(({ component, code }) => `${component} ${code}`).sort()).toEqual([
      'available-filters not_copied',
      'search-filter-contexts reference_left_out',
      'search-filter-contexts reference_left_out',
    ])
    // Which of them is written first is undefined.
    const types = async () =>
      (await contexts(world, 'destination')).map(({ data }) => data.map(({ type }) => type)).sort()
    expect(await types()).toEqual([
      ['brand', 'price'],
      ['rating', 'category'],
    ])
    await world.complete({ entities: catalogue })
    await world.complete({ entities: phases })
    expect(await types()).toEqual([
      ['brand', 'product', 'price'],
      ['product', 'rating', 'category'],
    ])
  },
)

longTest(
  'F4: healing products also copies the filters by their options and closes the warnings about them',
  async () => {
    const world = await aWorld()
    const refused = {
      kind: 'error_before_applying',
      status: 422,
      method: 'POST',
      path: '/v3/catalog/products$',
    } as const
    await world.fault('destination', { ...refused, body: 'display_name":"Colour"', times: null })
    const run = await world.complete({ entities: [...catalogue, ...phases], autoHeal: false })
    expect(run.status).toBe('partial_completed')
    const ofFilters = async () => {
      const all = [...(await world.findings(run.requestId)), ...(await world.issues(run.requestId))]
      const own = all.filter(({ component, state }) => /filter/.test(component) && state === 'open')
      return own.map(({ component, code }) => `${component} ${code}`).sort()
    }
    expect(await ofFilters()).toEqual([
      'available-filters not_copied',
      'search-filter-contexts reference_left_out',
      'search-filter-contexts reference_left_out',
    ])
    await world.clearFaults('destination')
    expect((await world.api('POST', `/v2/migrations/${run.requestId}/heal`)).status).toBe(202)
    expect(await world.finished(run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await ofFilters()).toEqual([])
    const types = async (side: Side) =>
      (await contexts(world, side)).map(({ data }) => data.map(({ type }) => type)).sort()
    expect(await types('destination')).toEqual(await types('source'))
    await world.resetRequests('destination')
    await world.complete({ entities: [...catalogue, ...phases], conflictStrategy: 'update' })
    expect(await world.requests('destination', 'PUT')).not.toContainEqual(
      expect.objectContaining({ path: `${path}/contexts` }),
    )
  },
)

test('D3: a storefront run copies the filters of its storefront and of its categories, and leaves all others alone', async () => {
  const seeds = { source: 'tiny-two-storefronts', destination: 'tiny-two-storefronts' } as const
  const world = await aWorld({ seeds })
  const outlet = async (side: Side) => {
    const state = await world.state(side)
    const channel = state.channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
    const tree = state.category_trees?.find(({ channel_id }) => channel_id === channel)?.id
    const category = state.categories?.find(({ tree_id, name }) => tree_id === tree && name === 'Last Pieces')?.id
    return { channel, category: category ?? 0 }
  }
  const [here, there] = [await outlet('source'), await outlet('destination')]
  const own = (await callStore<Filter[]>(world, 'source', 'GET', path)).slice(0, 1)
  const expected = [{ channel_id: here.channel }, { category_id: here.category }]
  await callStore(
    world,
    'source',
    'PUT',
    `${path}/contexts`,
    expected.map((context) => ({ context, data: own })),
  )
  await put(world, 'source', own)
  const before = { shown: await shown(world, 'destination'), contexts: await contexts(world, 'destination') }
  const pair = { sourceStorefront: String(here.channel), destStorefront: String(there.channel) }
  const entities = [...catalogue, ...phases]
  const run = await world.complete({ entities, conflictStrategy: 'update', ...pair })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await shown(world, 'destination')).toEqual(before.shown)
  const after = await contexts(world, 'destination')
  expect(after.slice(0, before.contexts.length)).toEqual(before.contexts)
  // Which of them is written first is undefined.
  const made = after.slice(before.contexts.length).map(({ context }) => context)
  expect(made).toHaveLength(2)
  expect(made).toEqual(expect.arrayContaining([{ channel_id: there.channel }, { category_id: there.category }]))
})
