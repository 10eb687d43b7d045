import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { FaultWish } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

const entities = ['brands', 'categories', 'products', 'banners', 'customer-groups', 'customers']

const refusing = (path: string, status: number): FaultWish => ({
  kind: 'error_before_applying',
  method: 'GET',
  path,
  status,
  times: null,
})

/** The issues that need a person. */
const failures = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ severity, state }) => severity === 'failure' && state === 'open')

test.each([
  403, 404, 422,
])('G7: a source list refused with %i ends its pass, names the endpoint and leaves the other phases as in an undisturbed run', async (status) => {
  const [undisturbed, world] = await Promise.all([aWorld({ entities }), aWorld({ entities })])
  const plain = await undisturbed.complete()
  await world.fault('source', refusing('^/v2/banners$', status))
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await failures(world, run.requestId)).toMatchObject([
    {
      code: 'list_refused',
      phase: 'banners',
      component: 'banners',
      platform: { method: 'GET', path: '/v2/banners', status, title: 'Simulated failure' },
      message: expect.stringContaining('the source store answered GET /v2/banners with HTTP'),
      remedy: expect.stringContaining('leave the entity out'),
    },
  ])
  const without = ({ banners: _banners, ...others }: Awaited<ReturnType<typeof counted>>) => others
  expect(without(await counted(world, run.requestId))).toEqual(without(await counted(undisturbed, plain.requestId)))
})

/** Every answer for this path, as the sandbox makes it go wrong. */
const always = (path: string, kind: FaultWish['kind']): FaultWish => ({ kind, method: 'GET', path, times: null })

longTest(
  'G7: a destination list that is cut short every time ends its pass, and nothing of it is written blindly',
  async () => {
    const world = await aWorld({ entities, skipRetryPauses: true })
    await world.fault('destination', always('^/v3/catalog/brands$', 'truncated_body'))
    const run = await world.complete()
    expect(run.status).toBe('partial_completed')
    const issues = (await failures(world, run.requestId)).filter(({ code }) => code === 'list_refused')
    expect(issues).toMatchObject([
      {
        component: 'brands',
        message: expect.stringContaining('the destination store answered GET /v3/catalog/brands'),
      },
    ])
    const there = await world.state('destination')
    expect(there.brands ?? []).toEqual([])
    expect(there.products).toHaveLength((await world.state('source')).products?.length ?? 0)
  },
)

longTest('G7: healing within the run reads a list that works again, and completes what named its items', async () => {
  const world = await aWorld({ entities })
  // Refused to the pass of the brands, answered to the healing at the end.
  await world.fault('source', { ...refusing('^/v3/catalog/brands$', 410), query: '^page=1&limit=', times: 1 })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const [healed] = (await world.issues(run.requestId)).filter(({ code }) => code === 'list_refused')
  expect(healed).toMatchObject({
    state: 'healed',
    rule: 'read-again',
    message: 'The list of brands was read on a later attempt.',
  })
  const named = (products: unknown[] = []) =>
    products.filter((one) => Number((one as { brand_id: number }).brand_id) > 0)
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  expect(named(destination.products)).toHaveLength(named(source.products).length)
})

test('G7: what belongs to items of a list that was refused at first is copied with them', async () => {
  const world = await aWorld({ entities: ['categories', 'brands', 'products'] })
  // The second page, to the pass of the products.
  const refused = refusing('^/v3/catalog/products$', 404)
  await world.fault('source', { ...refused, query: 'include=.*id%3Agreater=', times: 1 })
  const run = await world.complete()
  expect((await world.issues(run.requestId)).map(({ state }) => state)).not.toContain('open')
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

longTest('G7: a requested healing reads a refused list, and so does the next run', async () => {
  const world = await aWorld({ entities: ['banners', 'brands'] })
  await world.fault('source', refusing('^/v2/banners$', 422))
  const first = await world.complete()
  expect(first.status).toBe('partial_completed')
  const again = await world.complete()
  expect(again.status).toBe('partial_completed')
  await world.clearFaults('source')
  expect(await world.api('POST', `/v2/migrations/${again.requestId}/heal`)).toMatchObject({ status: 202 })
  const healed = await world.finished(again.requestId, { status: 'completed' })
  expect(healed.failuresOpen).toBe(0)
  expect((await world.state('destination')).banners).toHaveLength((await world.state('source')).banners?.length ?? -1)
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
})

longTest('G7: under `replace` nothing of a refused list is deleted, and the reason is a warning', async () => {
  const world = await aWorld({ entities: ['banners', 'brands'] })
  await world.complete()
  const own = {
    name: 'Ours',
    content: '<p>Ours</p>',
    page: 'home_page',
    location: 'top',
    date_type: 'always',
    item_id: '0',
  }
  await callStore(world, 'destination', 'POST', '/v2/banners', own)
  const before = (await world.state('destination')).banners?.length
  await world.fault('source', refusing('^/v2/banners$', 404))
  const run = await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100 })
  expect(run.status).toBe('partial_completed')
  expect((await world.state('destination')).banners).toHaveLength(before ?? -1)
  const [withheld] = (await world.issues(run.requestId)).filter(({ code }) => code === 'prune_withheld')
  expect(withheld?.message).toContain('because a store refused the list of them')
})

test('G7: a destination that shows none of its channels counts as refusing the list, and nothing is created twice there', async () => {
  const world = await aWorld({ entities: ['widget-templates'] })
  await world.complete()
  const { widget_templates: before } = await world.state('destination')
  await world.fault('destination', { kind: 'list_ends_early', path: '^/v3/channels$', times: null })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await failures(world, run.requestId)).map(({ code }) => code)).toEqual(['list_refused'])
  expect((await world.state('destination')).widget_templates).toEqual(before)
})

test('G7: the warning that nothing was deleted is settled when the migration goes on and deletes it', async () => {
  const world = await aWorld({ entities: ['banners', 'brands'] })
  await world.complete()
  const { brands = [], banners = [] } = await world.state('source')
  await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${brands[0]?.id}`)
  await callStore(world, 'source', 'DELETE', `/v2/banners/${banners[0]?.id}`)
  await world.fault('source', { ...refusing('^/v3/catalog/brands$', 404), query: 'id(:|%3A)in=' })
  const id = await world.migrate({ conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 0 })
  const confirm = async () => {
    await world.finished(id, { status: 'paused' })
    const { prune } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: prune?.confirmPrune })
    return prune?.items
  }
  const withheld = async () =>
    (await world.issues(id)).flatMap(({ code, component, state }) =>
      code === 'prune_withheld' ? [[component, state]] : [],
    )
  await world.finished(id, { status: 'paused' })
  expect(await withheld()).toEqual([['brands', 'open']])
  await world.clearFaults('source')
  expect([await confirm(), await confirm()]).toEqual([1, 2])
  expect(await world.finished(id)).toMatchObject({ status: 'completed', counters: { warnings: 1 } })
  expect(await withheld()).toEqual([['brands', 'healed']])
})

longTest(
  'G7: a copy stays if the source refuses to say whether its item is gone, and the other deletions go on',
  async () => {
    const world = await aWorld({ entities: ['banners', 'brands'] })
    await world.complete()
    const { brands = [], banners = [] } = await world.state('source')
    await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${brands[0]?.id}`)
    await callStore(world, 'source', 'DELETE', `/v2/banners/${banners[0]?.id}`)
    const before = await world.state('destination')
    await world.fault('source', { ...refusing('^/v3/catalog/brands$', 404), query: 'id(:|%3A)in=' })
    const run = await world.complete({ conflictStrategy: 'replace', pruneLimitPercent: 100 })
    expect(run.status).toBe('completed')
    const withheld = (await world.issues(run.requestId)).filter(({ code }) => code === 'prune_withheld')
    expect(withheld.map(({ component, message }) => [component, message])).toEqual([
      ['brands', expect.stringContaining('because a store refused the list of them')],
    ])
    const after = await world.state('destination')
    expect(after.brands).toHaveLength(before.brands?.length ?? -1)
    expect(after.banners).toHaveLength((before.banners?.length ?? 0) - 1)
  },
)

test('G7: a verify does not count a refused list as compared, and says so', async () => {
  const world = await aWorld({ entities: ['banners', 'brands'] })
  const { requestId } = await world.complete()
  await world.fault('destination', refusing('^/v2/banners$', 404))
  const { detail, differences } = await world.verify(requestId)
  expect(detail).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await failures(world, detail.requestId)).toMatchObject([
    { code: 'list_refused', message: expect.stringContaining('What was not read before is not compared.') },
  ])
  expect(differences.filter(({ component }) => component === 'banners')).toEqual([])
  expect(await counted(world, detail.requestId)).not.toHaveProperty('banners.matched')
})

test.each([
  'verify',
  'dry-run',
])('G7: a %s that is resumed reads the refused list, and ends as if it had not been refused', async (mode) => {
  const entities = ['categories', 'brands', 'products']
  const world = await aWorld({ entities })
  // Of the copy that is compared, nothing is known.
  await world.complete({ entities: mode === 'verify' ? entities : ['brands'] })
  const member = mode === 'verify' ? await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination']) : world
  const whole = await member.complete({ mode })
  // The second page.
  await world.fault('source', { ...refusing('^/v3/catalog/products$', 404), query: 'include=.*id%3Agreater=' })
  const { requestId } = await member.finished(await member.migrate({ mode }), { status: 'partial_completed' })
  await world.clearFaults('source')
  await member.api('POST', `/v2/migrations/${requestId}/resume`)
  const run = await member.finished(requestId, { status: 'completed' })
  // Metafields of products that were not read are not looked at again.
  const ended = ({ phases, counters: { warnings } }: MigrationDetail) => [
    phases.flatMap(({ components }) => components).filter(({ key }) => key !== 'product-metafields'),
    warnings,
  ]
  expect(ended(run)).toEqual(ended(whole))
})

longTest('G7: channels, sites and the answers of preflight may be refused without ending the run', async () => {
  const world = await aWorld()
  for (const path of ['^/v3/channels$', '^/v3/sites$', '^/v3/hooks$', '^/v2/payments/methods$'])
    await world.fault('source', refusing(path, 404))
  const run = await world.complete()
  expect(run.status).toBe('partial_completed')
  const endpoints = new Set((await failures(world, run.requestId)).map(({ platform }) => platform?.path))
  expect(endpoints).toContain('/v3/channels')
  expect(endpoints).toContain('/v3/sites')
  expect((await counted(world, run.requestId)).products?.created).toBeGreaterThan(0)
})

test.each([
  [
    403,
    'answered GET /v3/channels with HTTP 403 (Simulated failure). The call needs the scope store_channel_settings_read_only.',
  ],
  [503, 'answered GET /v3/channels with HTTP 503'],
])('G7: orders that need a list which the destination answers with %i fail with the call, its answer and what can be done', async (status, answer) => {
  const world = await aWorld({ entities: ['orders'], skipRetryPauses: true })
  await world.fault('destination', refusing('^/v3/channels$', status))
  const run = await world.complete()
  expect(run.counters.exceptions).toBe(0)
  const issues = (await failures(world, run.requestId)).filter(({ component }) => component === 'orders')
  expect(issues).toHaveLength((await world.state('source')).orders?.length ?? 0)
  for (const issue of issues)
    expect(issue).toMatchObject({
      code: 'call_refused',
      message: expect.stringContaining(`could not be copied: the destination store ${answer}`),
      remedy: expect.stringContaining('the token of the store that the message names'),
      platform: { method: 'GET', path: '/v3/channels', status },
    })
})
