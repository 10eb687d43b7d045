import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'

const entities = ['customer-groups', 'customer-attributes', 'customers', 'segments']
const judged = ['segments', 'shopper-profiles', 'segment-members']
const generous = {
  pruneLimitPercent: 100,
  pruneLimitItems: 1000,
  pruneLive: ['segment-members', 'shopper-profiles'],
}

testEntityStory({
  name: 'segments',
  phases: ['segments'],
  component: 'segments',
  table: 'segments',
  judged,
  edit: { description: 'Edited there' },
  // The last one is empty and needs no call.
  edited: ({ name }) => name === 'Wholesale buyers',
  creation: { method: 'POST', path: '^/v3/segments$' },
  onlyThere: (there) => callStore(there, 'destination', 'POST', '/v3/segments', [{ name: 'Only there' }]),
  arrange: (world) => world.complete({ entities: ['customer-groups', 'customer-attributes', 'customers'] }),
})

const rows = async (world: World, table: string, side: Side = 'destination') => (await world.state(side))[table] ?? []
const differences = async (world: World) =>
  compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) =>
    judged.includes(entity),
  )

test('E2: all segments take one call, all profiles one and the members of a segment one; the source’s members are not read by segment', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  expect(await differences(world)).toEqual([])
  expect((await rows(world, 'segment_members')).length).toBeGreaterThan(2)
  const writes = (await world.requests('destination'))
    .filter(({ method, path }) => method !== 'GET' && /segments|shopper-profiles/.test(path))
    .map(({ method, path }) => `${method} ${path.replace(/[-0-9a-f]{36}/, '*')}`)
  const members = 'POST /v3/segments/*/shopper-profiles'
  expect(writes).toEqual(['POST /v3/segments', 'POST /v3/shopper-profiles', members, members])
  const reads = (await world.requests('source')).map(({ path }) => path)
  expect(reads.filter((path) => path !== '/v3/shopper-profiles' && path.endsWith('/shopper-profiles'))).toEqual([])
})

longTest('C2: update restores a member removed at the destination, and replace removes one added there', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  const [member] = await rows(world, 'segment_members')
  await world.change('destination', { op: 'remove', table: 'segment_members', id: member?.id ?? 0 })
  expect(await differences(world)).toMatchObject([{ entity: 'segment-members', kind: 'missing' }])
  const empty = (await rows(world, 'segments')).find(({ name }) => name === 'Wholesale buyers')
  const [profile] = await rows(world, 'shopper_profiles')
  await callStore(world, 'destination', 'POST', `/v3/segments/${empty?.uuid}/shopper-profiles`, [profile?.uuid])
  await world.complete({ conflictStrategy: 'update' })
  expect(await differences(world)).toMatchObject([{ entity: 'segment-members', kind: 'extra' }])
  await world.complete({ conflictStrategy: 'replace', ...generous })
  expect(await differences(world)).toEqual([])
})

longTest('D4: replace deletes a profile that only the destination has, and skip leaves it alone', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  const known = new Set((await rows(world, 'shopper_profiles')).map(({ customer_id }) => customer_id))
  const other = (await rows(world, 'customers')).find(({ id }) => !known.has(id))
  await callStore(world, 'destination', 'POST', '/v3/shopper-profiles', [{ customer_id: other?.id }])
  await world.complete()
  expect(await differences(world)).toMatchObject([{ entity: 'shopper-profiles', kind: 'extra' }])
  const run = await world.complete({ conflictStrategy: 'replace', ...generous })
  expect((await counted(world, run.requestId))['shopper-profiles']).toMatchObject({ pruned: 1 })
  expect(await differences(world)).toEqual([])
})

longTest('a copied promotion for a segment refers to the copy of that segment', async () => {
  const world = await aWorld()
  const [first] = await rows(world, 'segments', 'source')
  const promotion = (await rows(world, 'promotions', 'source')).find(({ name }) => name === 'Promotion 4')
  const fields = { customer: { segments: { id: [first?.uuid] } } }
  await world.change('source', { op: 'set', table: 'promotions', id: promotion?.id ?? 0, fields })
  // The items of the other promotions are not copied, so these fail.
  await world.complete({ entities: [...entities, 'promotions'] })
  const copy = (await rows(world, 'promotions')).find(({ name }) => name === 'Promotion 4')
  const there = (await rows(world, 'segments')).find(({ name }) => name === first?.name)
  expect(there?.uuid).not.toBe(first?.uuid)
  expect(copy?.customer).toMatchObject({ segments: { id: [there?.uuid] } })
})

longTest(
  'B6: of two segments whose names differ only in case, one is reported and the others of the call are created',
  async () => {
    const world = await aWorld({ entities })
    const uuid = '11111111-1111-4111-a111-111111111111'
    const [first] = await rows(world, 'segments', 'source')
    const { id } = await world.change('source', { op: 'double', table: 'segments', id: first?.id ?? 0 })
    const fields = { uuid, name: String(first?.name).toUpperCase() }
    await world.change('source', { op: 'set', table: 'segments', id: Number(id), fields })
    await callStore(world, 'source', 'POST', '/v3/segments', [{ name: 'New one' }, { name: 'New two' }])
    const run = await world.complete()
    const reported = (await world.issues(run.requestId)).filter(({ component }) => component === 'segments')
    expect(reported.map(({ code }) => code)).toEqual(['natural_key_collision'])
    const names = (await rows(world, 'segments')).map(({ name }) => String(name).toLowerCase())
    expect(names).toEqual(expect.arrayContaining([String(first?.name).toLowerCase(), 'new one', 'new two']))
    expect(names).toHaveLength((await rows(world, 'segments', 'source')).length - 1)
  },
)

longTest('from a source whose plan has no segments, none are copied', async () => {
  const world = await aWorld({ entities, switches: { source: { segments: false } } })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await counted(world, run.requestId)).segments).toEqual({})
  expect((await world.state('destination')).segments ?? []).toEqual([])
})

test.each([
  { path: '/v3/shopper-profiles', component: 'shopper-profiles' },
  { path: '/v3/segments', component: 'segments' },
])('G7: a source that refuses $path and shows the other list has refused it, whatever plans offer', async ({
  path,
  component,
}) => {
  const world = await aWorld({ entities })
  await world.fault('source', {
    kind: 'error_before_applying',
    status: 403,
    times: null,
    method: 'GET',
    path: `^${path}$`,
  })
  const run = await world.complete()
  expect(run.status).toBe('partial_completed')
  const refused = (await world.issues(run.requestId)).filter(({ code }) => code === 'list_refused')
  expect(refused.map((issue) => [issue.component, issue.platform?.path])).toContainEqual([component, path])
})

longTest(
  'a destination whose plan has no segments refuses each, which is reported, and the customers are copied',
  async () => {
    const world = await aWorld({ entities, switches: { destination: { segments: false } } })
    const run = await world.finished(await world.migrate())
    expect(run.status).toBe('partial_completed')
    const reported = (await world.issues(run.requestId)).filter(({ component }) => component === 'segments')
    expect(reported.length).toBe((await world.state('source')).segments?.length)
    expect([...new Set(reported.map(({ code }) => code))]).toEqual(['platform_refused'])
    expect(reported[0]?.message).toContain('not part of the plan')
    const found = compareStores(await world.state('source'), await world.state('destination'))
    expect(found.filter(({ entity }) => entity === 'customers')).toEqual([])
  },
)
