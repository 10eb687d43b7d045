import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { testEntityStory } from './entity-story.ts'
import { tablesContaining } from './tables-containing.ts'

const path = '/v3/customers/subscribers'
const phases = ['subscribers']
const subscribe = (world: World, side: 'source' | 'destination', body: object) =>
  callStore<{ id: number }>(world, side, 'POST', path, body)

testEntityStory({
  name: 'subscribers',
  phases,
  component: 'subscribers',
  judged: phases,
  table: 'subscribers',
  edit: { first_name: 'Edited' },
  creation: { method: 'POST', path: `${path}$` },
  onlyThere: (world) => subscribe(world, 'destination', { email: 'only-there@example.com' }),
  arrange: (world) => subscribe(world, 'source', { email: 'Mixed.Case@example.com', consents: ['abandoned_cart'] }),
})

/** The source's second storefront has no counterpart; one reader has subscribed to both. */
async function twoStorefronts() {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const outlet = (await world.state('source')).channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
  for (const channel_id of [1, outlet]) await subscribe(world, 'source', { email: 'both@example.com', channel_id })
  const emails = async () => ((await world.state('destination')).subscribers ?? []).map(({ email }) => email).sort()
  return { world, outlet, emails }
}

const firstStorefront = { sourceStorefront: '1', destStorefront: '1' }

test.each([
  ['the storefront', {}, firstStorefront],
  ['the whole store', firstStorefront, {}],
])('B6: a subscriber who was deleted in the source and subscribed again keeps the copy in every run, once a run over %s has seen it', async (_next, first, next) => {
  const world = await aWorld({ entities: phases })
  const email = 'again@example.com'
  const before = await subscribe(world, 'source', { email })
  await world.complete(first)
  const there = (await world.state('destination')).subscribers
  await callStore(world, 'source', 'DELETE', `${path}/${before.id}`)
  await subscribe(world, 'source', { email })
  for (const extent of [next, { ...first, conflictStrategy: 'update' }, next]) {
    expect(await world.complete(extent)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.state('destination')).subscribers).toEqual(there)
  }
})

test('S9: while subscribers wait in the database to be written, no email address or name of theirs is stored in clear', async () => {
  const world = await aWorld()
  await subscribe(world, 'source', { email: 'clandestine@example.com', first_name: 'Clandestina' })
  const held = { kind: 'hold_after_applying', method: 'POST', path: `${path}$`, times: 1 } as const
  const fault = await world.fault('destination', held)
  const run = await world.migrate({ entities: phases })
  await until('a subscriber is on the way', async () =>
    (await world.faults('destination')).some(({ id, hits }) => id === fault && hits > 0),
  )
  const { rows } = await sql`select 1 from staged_items where run_id = ${run}`.execute(world.database)
  expect(rows.length).toBeGreaterThan(2)
  expect(await tablesContaining(world, ['clandestine@', 'Clandestina', 'reader-1@'])).toEqual([])
  await world.clearFaults('destination')
  expect(await world.finished(run)).toMatchObject({ status: 'completed', failuresOpen: 0 })
})

test('a subscriber of a storefront without a counterpart is left out with a warning and added to no other', async () => {
  const { world, emails } = await twoStorefronts()
  const run = await world.complete({ entities: phases })
  expect(await emails()).toEqual(['both@example.com', 'reader-1@example.com', 'reader-4@example.com'])
  const reported = (await world.findings(run.requestId)).filter(({ component }) => component === 'subscribers')
  expect(reported.map(({ code }) => code)).toEqual(['not_copied'])
  expect((await counted(world, run.requestId)).subscribers).toMatchObject({ discovered: 4, created: 3, skipped: 1 })
})

test('the copy of a subscriber does not name the order that the subscription came with', async () => {
  const world = await aWorld()
  const [one] = (await world.state('source')).subscribers ?? []
  await callStore(world, 'source', 'PUT', `${path}/${one?.id}`, { order_id: 77, source: 'order' })
  await world.complete({ entities: phases })
  const copy = (await world.state('destination')).subscribers?.find(({ email }) => email === one?.email)
  expect(copy).toMatchObject({ source: 'order', order_id: null })
})

longTest(
  'D1: a person who unsubscribed at the destination stays unsubscribed, unless the request says otherwise',
  async () => {
    const world = await aWorld()
    await subscribe(world, 'source', { email: 'changeable@example.com' })
    await world.complete({ entities: phases })
    const copy = async () =>
      (await world.state('destination')).subscribers?.find(({ email }) => email === 'changeable@example.com')
    await callStore(world, 'destination', 'PUT', `${path}/${(await copy())?.id}`, { consents: [] })
    await world.complete({ entities: phases, conflictStrategy: 'replace' })
    expect((await copy())?.consents).toEqual([])
    await world.complete({ entities: phases, conflictStrategy: 'update', overwriteLiving: phases })
    expect((await copy())?.consents).toEqual(['marketing_newsletter'])
  },
)

test('D3: a storefront run copies the subscribers of that storefront and no others', async () => {
  const { world, outlet, emails } = await twoStorefronts()
  const pair = { sourceStorefront: String(outlet), destStorefront: '1' }
  await subscribe(world, 'source', { email: 'second@example.com', channel_id: outlet })
  await subscribe(world, 'destination', { email: 'own@example.com' })
  await world.complete({ entities: phases, ...pair })
  expect(await emails()).toEqual(['both@example.com', 'own@example.com', 'second@example.com'])
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 10, pruneLive: ['subscribers'] }
  const replaced = await world.complete({ entities: phases, conflictStrategy: 'replace', ...pair, ...limits })
  expect((await counted(world, replaced.requestId)).subscribers).toMatchObject({ matched: 2, pruned: 1 })
  expect(await emails()).toEqual(['both@example.com', 'second@example.com'])
})
