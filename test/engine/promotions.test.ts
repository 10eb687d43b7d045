import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { planFor } from './planned.ts'
import { sideEffects } from './side-effect-story.ts'

const phases = ['promotions']
const catalogue = ['categories', 'brands', 'products']
const withCatalogue = { entities: [...catalogue, ...phases] }
/** The body of a promotion that names nothing. */
const plainRules = [
  { action: { cart_value: { discount: { fixed_amount: '1' } } }, condition: { cart: { minimum_spend: '50' } } },
]

/** Its source has no promotions except those that a test adds. */
async function aWorldWithoutPromotions(options: WorldOptions = {}): Promise<World> {
  const world = await aWorld({ entities: phases, ...options })
  for (const table of ['promotion_codes', 'promotions'])
    for (const { id } of await rows(world, 'source', table)) await world.change('source', { op: 'remove', table, id })
  return world
}

async function rows(world: World, side: Side, table = 'promotions'): Promise<NonNullable<StoreState[string]>> {
  return (await world.state(side))[table] ?? []
}

async function named(world: World, side: Side, name: string) {
  const found = (await rows(world, side)).find((row) => row.name === name)
  if (!found) throw new Error(`There is no promotion ${name}.`)
  return found
}

function add(world: World, side: Side, name: string, fields: object = {}): Promise<{ id: number }> {
  const body = { name, redemption_type: 'AUTOMATIC', status: 'ENABLED', rules: plainRules, ...fields }
  return callStore(world, side, 'POST', '/v3/promotions', body)
}

function componentOf(detail: MigrationDetail, key: string) {
  const found = detail.phases.flatMap(({ components }) => components).find((one) => one.key === key)
  const { discovered, success, matched, failed, skipped, pruned } = found ?? {}
  return { discovered, success, matched, failed, skipped, pruned }
}

/** Deferred writes that remain. */
const deferred = (world: World) => sideEffects(world, 'deferred-write')

async function differences(world: World) {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return all.filter(({ entity }) => ['promotions', 'promotion-codes'].includes(entity))
}

test.each([
  'skip',
  'replace',
])('E2: the codes of promotions that a run has just created are not listed, unless it may delete some (%s)', async (conflictStrategy) => {
  const world = await aWorldWithoutPromotions()
  for (const code of ['SPRING', 'SUMMER']) {
    const { id } = await add(world, 'source', `Sale of ${code}`, { redemption_type: 'COUPON', status: 'DISABLED' })
    await callStore(world, 'source', 'POST', `/v3/promotions/${id}/codes`, { code })
  }
  const first = await world.complete({ conflictStrategy })
  expect(componentOf(first, 'promotion-codes')).toMatchObject({ discovered: 2, success: 2 })
  const listed = async () =>
    (await world.requests('destination')).filter(
      ({ method, path }) => method === 'GET' && /promotions\/\d+\/codes/.test(path),
    ).length
  expect(await listed()).toBe(conflictStrategy === 'replace' ? 2 : 0)
  expect(await differences(world)).toEqual([])

  await world.resetRequests('destination')
  const second = await world.complete({ conflictStrategy })
  expect(componentOf(second, 'promotion-codes')).toMatchObject({ matched: 2, success: 0 })
  expect(await listed()).toBeGreaterThanOrEqual(2)

  // The forecast of a pair that was copied before counts codes where it decides what is deleted.
  await world.resetRequests('destination')
  const [source, destination] = [world.address('source').hash, world.address('destination').hash]
  const body = { source, destination, entities: phases, conflictStrategy }
  const forecast = await world.api<{ counts: Record<string, number> }>('POST', '/v2/forecast', body)
  expect(forecast.body.counts).toMatchObject({ 'promotion-codes': 2 })
  expect(await listed()).toBe(conflictStrategy === 'replace' ? 2 : 0)
})

longTest(
  'D5: promotions are created disabled, with the destination’s ids at every depth of their rules, and enabled after the last code',
  async () => {
    const world = await aWorld(withCatalogue)
    const run = await world.complete()
    expect(run.status).toBe('completed')
    expect(await differences(world)).toEqual([])
    expect(componentOf(run, 'promotions')).toMatchObject({ discovered: 4, success: 4 })
    expect(componentOf(run, 'promotion-codes')).toMatchObject({ discovered: 4, success: 4 })
    await expectCountersToEqualTheLedger(world, run.requestId)

    const calls = (await world.requests('destination')).filter(
      ({ method, path }) => method !== 'GET' && path.startsWith('/v3/promotions'),
    )
    const kinds = calls.map(
      ({ method, path }) => `${method} ${path.slice('/v3/promotions'.length).replace(/\d+/, '*')}`,
    )
    expect(kinds.lastIndexOf('POST /*/codes')).toBeGreaterThan(0)
    expect(kinds.lastIndexOf('POST /*/codes')).toBeLessThan(kinds.indexOf('PUT /*'))
    const switchedOn = (await rows(world, 'source')).filter(({ status }) => status === 'ENABLED')
    expect(kinds.filter((kind) => kind === 'PUT /*')).toHaveLength(switchedOn.length)
    expect(await deferred(world)).toEqual([])
  },
)

longTest(
  'D1: update leaves a promotion alone that was disabled at the destination, unless the request overwrites promotions',
  async () => {
    const world = await aWorld(withCatalogue)
    const run = await world.complete()
    const { id } = await named(world, 'destination', 'Promotion 1')
    await world.change('destination', { op: 'set', table: 'promotions', id, fields: { status: 'DISABLED' } })
    await world.resetRequests('destination')
    const update = { entities: phases, conflictStrategy: 'update' }
    const second = await world.complete(update)
    expect(componentOf(second, 'promotions')).toMatchObject({ matched: 4, success: 0 })
    expect(componentOf(second, 'promotion-codes')).toMatchObject({ matched: 4, success: 0 })
    expect(await writesTo(world)).toEqual([])
    const { differences: reported } = await world.verify(run.requestId)
    expect(reported.map(({ component, fields }) => [component, fields.map(({ path }) => path)])).toEqual([
      ['promotions', ['status']],
    ])
    const requested = await world.complete({ ...update, overwriteLiving: phases })
    expect(componentOf(requested, 'promotions')).toMatchObject({ matched: 3, success: 1 })
    expect(await differences(world)).toEqual([])
  },
)

longTest(
  'D5: an incomplete promotion stays disabled with an issue, and the run that completes it enables it',
  async () => {
    const world = await aWorldWithoutPromotions()
    const product = async (name: string) => {
      const body = { name, type: 'physical', weight: 1, price: 1 }
      return (await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', body)).id
    }
    for (const { id } of await rows(world, 'source', 'products'))
      await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${id}`)
    const early = await product('Was there')
    await world.complete({ entities: ['products'] })
    const items = { and: [{ not: { products: [early, await product('Came later')] } }] }
    await add(world, 'source', 'Waits', {
      rules: [
        {
          action: { cart_value: { discount: { fixed_amount: '1' } } },
          condition: { cart: { items, minimum_quantity: 1 } },
        },
      ],
    })
    const status = async () => (await named(world, 'destination', 'Waits')).status

    const waiting = await world.complete()
    expect(await status()).toBe('DISABLED')
    const codes = (await world.issues(waiting.requestId)).map(({ code }) => code)
    expect(codes.sort()).toEqual(['left_disabled', 'reference_left_out'])
    expect(await deferred(world)).toHaveLength(1)
    // The product alone: promotions are not in its scope.
    await world.complete({ entities: ['products'] })
    expect(await status()).toBe('DISABLED')
    const complete = await world.complete()
    expect(await world.issues(complete.requestId)).toEqual([])
    expect(await status()).toBe('ENABLED')
    const left = (await world.issues(waiting.requestId)).filter(({ code }) => code === 'left_disabled')
    expect(left.map(({ state }) => state)).toEqual(['healed'])
    expect(await deferred(world)).toEqual([])
    expect(await differences(world)).toEqual([])
  },
)

longTest('D5: a promotion that is switched off in the source before a run completes it stays off', async () => {
  const world = await aWorldWithoutPromotions()
  const product = async (name: string) => {
    const body = { name, type: 'physical', weight: 1, price: 1 }
    return (await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', body)).id
  }
  const early = await product('There from the start')
  await world.complete({ entities: ['products'] })
  const items = { and: [{ not: { products: [early, await product('Came afterwards')] } }] }
  const rule = {
    action: { cart_value: { discount: { fixed_amount: '1' } } },
    condition: { cart: { items, minimum_quantity: 1 } },
  }
  const { id } = await add(world, 'source', 'Ends Early', { rules: [rule] })
  const waiting = await world.complete()
  expect(await deferred(world)).toHaveLength(1)
  await world.change('source', { op: 'set', table: 'promotions', id, fields: { status: 'DISABLED' } })
  await world.complete({ entities: ['products'] })
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  expect((await named(world, 'destination', 'Ends Early')).status).toBe('DISABLED')
  expect(await deferred(world)).toEqual([])
  const left = (await world.issues(waiting.requestId)).filter(({ code }) => code === 'left_disabled')
  expect(left.map(({ state }) => state)).toEqual(['healed'])
  expect(await differences(world)).toEqual([])
})

longTest(
  'D5: the deferred write that enables a promotion is completed after the process of the run was killed',
  async () => {
    const world = await aWorldWithoutPromotions({ processes: true })
    await add(world, 'source', 'Outlives')
    // The answer to the switch is held, so the process dies with its deferred write unfinished.
    await world.fault('destination', {
      kind: 'hold_after_applying',
      method: 'PUT',
      path: '^/v3/promotions/\\d+$',
      times: 1,
    })
    const id = await world.migrate()
    await expect
      .poll(async () => (await rows(world, 'destination')).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(['ENABLED'])
    expect(await deferred(world)).toHaveLength(1)
    await world.killChild()
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await rows(world, 'destination')).map(({ name, status }) => [name, status])).toEqual([
      ['Outlives', 'ENABLED'],
    ])
    expect(await deferred(world)).toEqual([])
  },
)

longTest(
  'B6: of two promotions with the same name, one is paired with the destination’s promotion of that name and the other is created',
  async () => {
    const world = await aWorldWithoutPromotions()
    for (const max_uses of [1, 2]) await add(world, 'source', 'Alike', { max_uses })
    await add(world, 'destination', 'Alike', { max_uses: 3 })
    const run = await world.complete()
    expect(run.status).toBe('completed')
    expect(componentOf(run, 'promotions')).toMatchObject({ success: 1, skipped: 1, failed: 0 })
    expect((await rows(world, 'destination')).map(({ name }) => name)).toEqual(['Alike', 'Alike'])
    await world.complete({ conflictStrategy: 'update' })
    expect(await differences(world)).toEqual([])
  },
)

test('B2: of two promotions with the same name, the one whose answer is lost is created once', async () => {
  const world = await aWorldWithoutPromotions()
  for (const max_uses of [1, 2]) await add(world, 'source', 'Alike', { max_uses })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v3/promotions$', times: 1 })
  const run = await world.complete()
  expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
  expect(componentOf(run, 'promotions')).toMatchObject({ success: 2, failed: 0 })
  expect(await rows(world, 'destination')).toHaveLength(2)
  expect(await differences(world)).toEqual([])
})

test('C4: a promotion whose free product is gone is not copied', async () => {
  const world = await aWorldWithoutPromotions()
  const like = plainRules[0]
  const { id } = await add(world, 'source', 'Gift gone')
  const rules = [{ ...like, action: { gift_item: { quantity: 1, product_id: 99_999_999 } } }]
  await world.change('source', { op: 'set', table: 'promotions', id, fields: { rules } })
  const run = await world.complete()
  const issues = await world.issues(run.requestId)
  expect(issues.map(({ code, component }) => [component, code])).toEqual([['promotions', 'missing_reference']])
  expect(await rows(world, 'destination')).toEqual([])
})

longTest(
  'D4, F2: replace deletes as many promotions and codes as its dry run announced, and leaves the stores equal',
  async () => {
    const world = await aWorldWithoutPromotions()
    const bulk = { redemption_type: 'COUPON', coupon_type: 'BULK' }
    const addCode = (side: Side, promotion: number, code: string) =>
      callStore(world, side, 'POST', `/v3/promotions/${promotion}/codes`, { code })
    await addCode('source', (await add(world, 'source', 'On both', bulk)).id, 'ON-BOTH')
    await world.complete()
    await addCode('destination', (await named(world, 'destination', 'On both')).id, 'EXTRA-CODE')
    await addCode('destination', (await add(world, 'destination', 'Only there', bulk)).id, 'ONLY-THERE')
    const requested = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
    const before = await world.state('destination')
    const plan = await world.complete({ ...requested, mode: 'dry-run' })
    expect(await world.state('destination')).toEqual(before)
    await world.resetRequests('destination')
    const real = await world.complete(requested)
    // What it would delete is in its plan (G14).
    for (const key of ['promotions', 'promotion-codes'])
      expect(componentOf(plan, key)).toEqual({ ...componentOf(real, key), pruned: 0 })
    const { pruned } = (await planFor(world, plan.requestId)) ?? {}
    expect(pruned).toEqual({ promotions: 1, 'promotion-codes': 2 })
    expect(componentOf(real, 'promotions').pruned).toBe(1)
    expect(componentOf(real, 'promotion-codes').pruned).toBe(2)
    expect((await writesTo(world)).at(-1)).toMatch(/\/v3\/promotions/)
    expect(await world.issues(real.requestId)).toEqual([])
    expect(await differences(world)).toEqual([])
  },
)

test('B6: a code that another promotion of the destination has is no copy: every run and verify report it', async () => {
  const world = await aWorldWithoutPromotions()
  for (const [side, name] of [['source', 'Winter'] as const, ['destination', 'Summer'] as const]) {
    const { id } = await add(world, side, name, { redemption_type: 'COUPON', coupon_type: 'SINGLE' })
    await callStore(world, side, 'POST', `/v3/promotions/${id}/codes`, { code: 'SAVE10' })
  }
  for (let runs = 0; runs < 2; runs++) {
    const { requestId } = await world.complete({ conflictStrategy: 'update' })
    const issues = await world.issues(requestId)
    expect(issues.map(({ component, code }) => `${component} ${code}`)).toEqual(['promotion-codes platform_refused'])
    const missing = (await world.verify(requestId)).differences.filter(({ kind }) => kind === 'missing')
    expect(missing.map(({ component }) => component)).toEqual(['promotion-codes'])
  }
})

/** A copied promotion for one brand, which is on in both stores. */
async function aPromotionForABrand() {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands', ...phases] })
  const brand = { name: 'Acme' }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', brand)
  const action = { cart_items: { discount: { percentage_amount: '10' }, items: { brands: [id] } } }
  await add(world, 'source', 'Ten off', { rules: [{ action, apply_once: true }], channels: [{ id: 1 }] })
  await world.complete()
  const copied = await named(world, 'destination', 'Ten off')
  expect(copied.status).toBe('ENABLED')
  const left = async (id: string) =>
    (await world.findings(id)).map(({ component, code, message }) => [component, code, message.replace(/^.*?: /, '')])
  return { world, brandId: id, copied, left }
}

test('D4, D5: a promotion whose brand the source has deleted is left as it is and reported, before and after `replace` deletes the brand, and never loses its only brand while it is on', async () => {
  const { world, brandId, copied, left } = await aPromotionForABrand()
  await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: 'Other' })
  await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${brandId}`)
  const replacing = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
  for (const brands of [['Other'], ['Other']]) {
    await world.resetRequests('destination')
    const run = await world.complete(replacing)
    expect(await left(run.requestId)).toEqual([
      [
        'promotions',
        'not_copied',
        `it needs brand ${brandId}, which the source store does not have any more. Its copy is left as it is and not compared.`,
      ],
    ])
    expect((await rows(world, 'destination', 'brands')).map(({ name }) => name)).toEqual(brands)
    expect((await writesTo(world)).filter((write) => write.includes('promotions'))).toEqual([])
  }
  expect(await writesTo(world)).toEqual([])
  expect(await named(world, 'destination', 'Ten off')).toEqual(copied)
})

test('D5: a promotion whose brand is gone at the destination and refused there is not rewritten without it, and gets the new brand once that is copied', async () => {
  const { world, brandId, copied } = await aPromotionForABrand()
  const [brand] = await rows(world, 'destination', 'brands')
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${brand?.id}`)
  const update = { conflictStrategy: 'update' }
  const creating = { method: 'POST', path: '^/v3/catalog/brands$', times: null } as const
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...creating })
  const without = await world.complete(update)
  const failed = (await world.issues(without.requestId)).filter(({ component }) => component === 'promotions')
  expect(failed).toMatchObject([
    {
      code: 'missing_reference',
      message: expect.stringMatching(`needs brand ${brandId}, which the destination does not`),
    },
  ])
  expect(await named(world, 'destination', 'Ten off')).toEqual(copied)

  await world.clearFaults('destination')
  expect(await world.complete(update)).toMatchObject({ status: 'completed' })
  const [again] = await rows(world, 'destination', 'brands')
  expect(again?.id).not.toBe(brand?.id)
  const { status, rules } = await named(world, 'destination', 'Ten off')
  expect([status, JSON.stringify(rules)]).toEqual(['ENABLED', expect.stringContaining(`"brands":[${again?.id}]`)])
})

test('D5: a promotion of the destination’s own is not rewritten without a brand that was not copied', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: phases })
  const brand = { name: 'Acme' }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', brand)
  const rule = (items: object) => [{ action: { cart_items: { discount: { percentage_amount: '10' }, items } } }]
  await add(world, 'source', 'Ten off', { rules: rule({ brands: [id] }), channels: [{ id: 1 }] })
  const own = await callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Theirs' })
  await add(world, 'destination', 'Ten off', { rules: rule({ brands: [own.id] }), channels: [{ id: 1 }] })
  const before = await named(world, 'destination', 'Ten off')
  const run = await world.finished(await world.migrate({ conflictStrategy: 'update' }))
  expect(await named(world, 'destination', 'Ten off')).toEqual(before)
  expect(await world.issues(run.requestId)).toMatchObject([{ component: 'promotions', code: 'missing_reference' }])
})

test('D5: a promotion that was copied without its brand, and corrected and switched on there, is not rewritten without it', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: phases })
  const brand = { name: 'Acme' }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', brand)
  const rules = (brands: number[]) => [
    { action: { cart_items: { discount: { percentage_amount: '10' }, items: { brands } } }, apply_once: true },
  ]
  const made = await add(world, 'source', 'Ten off', { rules: rules([id]), channels: [{ id: 1 }] })
  await world.complete()
  const own = await callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Theirs' })
  const copy = await named(world, 'destination', 'Ten off')
  const corrected = { rules: rules([own.id]), status: 'ENABLED' }
  await callStore(world, 'destination', 'PUT', `/v3/promotions/${copy.id}`, corrected)
  const before = await named(world, 'destination', 'Ten off')
  await callStore(world, 'source', 'PUT', `/v3/promotions/${made.id}`, { stop: true })
  await world.migrate({ conflictStrategy: 'update' }).then((run) => world.finished(run))
  expect(await named(world, 'destination', 'Ten off')).toEqual(before)
})

test.each([
  'a later migration',
  'healing',
])('C1, D5: a promotion that was copied without one of its brands, and completed and switched on there, keeps that under `skip` in %s', async (how) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands', ...phases] })
  const brand = (side: Side, name: string) =>
    callStore<{ id: number }>(world, side, 'POST', '/v3/catalog/brands', { name })
  const rules = (brands: unknown[]) => [
    { action: { cart_items: { discount: { percentage_amount: '10' }, items: { brands } } }, apply_once: true },
  ]
  const [acme, later] = [await brand('source', 'Acme'), await brand('source', 'Later')]
  await add(world, 'source', 'Ten off', { rules: rules([acme.id, later.id]), channels: [{ id: 1 }] })
  const creating = { method: 'POST', path: '^/v3/catalog/brands$', body: 'Later', times: 1 } as const
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...creating })
  const { requestId } = await world.complete({ autoHeal: false })
  const [there] = await rows(world, 'destination', 'brands')
  const copy = await named(world, 'destination', 'Ten off')
  expect(JSON.stringify(copy.rules)).toContain(`"brands":[${there?.id}]`)
  const own = await brand('destination', 'Theirs')
  const completed = { rules: rules([there?.id, own.id]), status: 'ENABLED' }
  await callStore(world, 'destination', 'PUT', `/v3/promotions/${copy.id}`, completed)
  const before = await named(world, 'destination', 'Ten off')
  if (how === 'healing') await world.api('POST', `/v2/migrations/${requestId}/heal`)
  const run = how === 'healing' ? await world.finished(requestId) : await world.complete()
  expect(await rows(world, 'destination', 'brands')).toHaveLength(3)
  expect(await named(world, 'destination', 'Ten off')).toEqual(before)
  const issues = await world.issues(run.requestId)
  const left = issues.find(({ code }) => code === 'destination_changed')
  expect(left?.message).toContain(`was left as it is, without brand ${later.id}`)
  // It was switched on by hand, so nothing is left to be done.
  expect(issues.filter(({ code, state }) => code === 'left_disabled' && state === 'open')).toEqual([])
  expect(await deferred(world)).toEqual([])
})
