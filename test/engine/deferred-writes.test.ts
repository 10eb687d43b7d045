import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { mappingsWhere } from '../harness/map-items.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { runThatLeavesItDisabled, theOnlyPromotion } from './promotion-story.ts'
import { pass, sideEffects } from './side-effect-story.ts'
import { addStorefront, firstPair, outletPair } from './two-storefronts.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

const deferredWrites = async (world: World) =>
  (await sideEffects(world, 'deferred-write')).map(({ due, reported }) => ({ due, reported }))

/** A world whose source has one promotion, which is enabled and names nothing. */
async function aWorldWithAPromotion(options: WorldOptions = {}): Promise<World> {
  const world = await aWorld({ entities: ['promotions'], ...options })
  await theOnlyPromotion(world)
  return world
}

const copyOf = async (world: World) => (await world.state('destination')).promotions?.[0]

const leftDisabled = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'left_disabled')

/** @returns what a sweep logged as errors and wrote to the destination. */
async function swept(world: World) {
  await world.resetRequests('destination')
  const errors = await world.sweep()
  const requests = await world.requests('destination')
  return { errors, writes: requests.filter(({ method }) => method !== 'GET').length }
}

const nothing = { errors: [], writes: 0 }

test('D5: a switch that the platform refused during the run is set by a sweep two minutes after its end, but not at once', async () => {
  const world = await aWorldWithAPromotion()
  const id = await runThatLeavesItDisabled(world)
  expect(await copyOf(world)).toMatchObject({ status: 'DISABLED' })
  const [{ id: subject, name }] = (await world.state('source')).promotions as [{ id: number; name: string }]
  expect(await leftDisabled(world, id)).toMatchObject([
    {
      ...{ state: 'open', item: { sourceId: String(subject), name } },
      message: expect.stringContaining(`"${name}" (source ${subject}) was left switched off`),
    },
  ])
  expect(await deferredWrites(world)).toEqual([{ due: true, reported: false }])
  expect(await swept(world)).toEqual(nothing)
  await pass(world, 2)
  expect(await swept(world)).toEqual({ errors: [], writes: 1 })
  expect(await copyOf(world)).toMatchObject({ status: 'ENABLED' })
  expect(await leftDisabled(world, id)).toMatchObject([{ state: 'healed' }])
  expect(await deferredWrites(world)).toEqual([])
})

/** A world whose source has an enabled script on its second storefront, and whose destination has two storefronts. */
async function aWorldWithAScript() {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['scripts'] })
  await addStorefront(world)
  const script = {
    ...{ name: 'Chat', kind: 'src', src: 'https://chat.example/widget.js', location: 'head', load_method: 'default' },
    ...{ visibility: 'storefront', enabled: true },
  }
  const pair = await outletPair(world)
  const channel = { channel_id: Number(pair.sourceStorefront) }
  await callStore(world, 'source', 'POST', '/v3/content/scripts', { ...script, ...channel })
  const refuseOnce = () => {
    const switching = { method: 'PUT', path: '^/v3/content/scripts/[-0-9a-f]+$', body: '"enabled":true' } as const
    return world.fault('destination', { kind: 'error_before_applying', status: 422, ...switching, times: 1 })
  }
  const copyOn = async (storefront: string) =>
    (await world.state('destination')).scripts?.find(
      ({ name, channel_id }) => name === 'Chat' && channel_id === Number(storefront),
    )
  return { world, pair, refuseOnce, copyOn }
}

test('D5: a script that the platform refused to switch on is switched on by a sweep, whatever runs over other storefronts do', async () => {
  const { world, pair, refuseOnce, copyOn } = await aWorldWithAScript()
  await refuseOnce()
  const { requestId: id } = await world.complete(pair)
  const stillOff = async () => [
    (await copyOn(pair.destStorefront))?.enabled,
    (await leftDisabled(world, id)).map(({ state }) => state),
  ]
  expect(await stillOff()).toEqual([false, ['open']])
  await world.complete(firstPair)
  expect(await stillOff()).toEqual([false, ['open']])
  await pass(world, 2)
  expect(await swept(world)).toEqual({ errors: [], writes: 1 })
  expect(await stillOff()).toEqual([true, ['healed']])
  expect(await deferredWrites(world)).toEqual([])
})

test('D5: each copy of a script that is copied to two storefronts is switched on, whichever the platform refused at first', async () => {
  const { world, pair, refuseOnce, copyOn } = await aWorldWithAScript()
  const pairs = [pair, { ...pair, destStorefront: '1' }]
  const ids: string[] = []
  const copies = () =>
    Promise.all(
      pairs.map(async ({ destStorefront }, at) => [
        (await copyOn(destStorefront))?.enabled,
        (await leftDisabled(world, ids[at] ?? '')).map(({ state }) => state),
      ]),
    )
  for (const one of pairs) {
    await refuseOnce()
    ids.push((await world.complete(one)).requestId)
  }
  const off = [false, ['open']]
  expect(await copies()).toEqual([off, off])
  // A later run over one of them ends what is open there alone.
  await world.complete(pairs[1])
  expect(await copies()).toEqual([off, [true, ['healed']]])
  await pass(world, 2)
  expect(await swept(world)).toEqual({ errors: [], writes: 1 })
  expect((await copies())[0]).toEqual([true, ['healed']])
  expect(await deferredWrites(world)).toEqual([])
})

test('D5: a script that a run over one storefront left off is switched on by a run over the whole store', async () => {
  const { world, pair, refuseOnce, copyOn } = await aWorldWithAScript()
  await refuseOnce()
  const { requestId: id } = await world.complete(pair)
  expect((await copyOn(pair.destStorefront))?.enabled).toBe(false)
  await world.complete()
  expect((await copyOn(pair.destStorefront))?.enabled).toBe(true)
  expect(await leftDisabled(world, id)).toMatchObject([{ state: 'healed' }])
  expect(await deferredWrites(world)).toEqual([])
})

longTest(
  'D5: what two runs reported as left switched off is closed in both once a sweep has switched it on',
  async () => {
    const world = await aWorldWithAPromotion()
    const ids = [await runThatLeavesItDisabled(world), await runThatLeavesItDisabled(world)]
    const states = async () => (await Promise.all(ids.map((id) => leftDisabled(world, id)))).map(([one]) => one?.state)
    expect(await states()).toEqual(['open', 'open'])
    await pass(world, 2)
    expect(await swept(world)).toEqual({ errors: [], writes: 1 })
    expect(await states()).toEqual(['healed', 'healed'])
    const said = JSON.stringify([{ code: 'left_disabled', state: 'healed' }])
    const { rows } = await sql`
    select from snapshots where run_id = any(${ids}::uuid[]) and (findings -> 'issues')::jsonb @> ${said}::jsonb`.execute(
      world.database,
    )
    expect(rows).toHaveLength(2)
  },
)

longTest(
  'D5: no sweep sets a switch that a cancelled run did not reach; it becomes one issue and one alert after 15 minutes',
  async () => {
    // Longer than the test holds an answer.
    const world = await aWorldWithAPromotion({ requestTimeoutSeconds: 30 })
    await world.fault('destination', {
      kind: 'hold_after_applying',
      method: 'POST',
      path: '^/v3/promotions$',
      times: 1,
    })
    const id = await world.migrate()
    await until('the promotion is there', async () => (await copyOf(world))?.status === 'DISABLED')
    await world.api('POST', `/v2/migrations/${id}/cancel`)
    await waitUntilChildKnows(world, id)
    await world.release('destination')
    expect((await world.finished(id)).status).toBe('cancelled')
    expect(await deferredWrites(world)).toEqual([{ due: false, reported: false }])
    await pass(world, 14)
    expect(await swept(world)).toEqual(nothing)
    expect(await deferredWrites(world)).toEqual([{ due: false, reported: false }])
    expect(await leftDisabled(world, id)).toEqual([])

    await pass(world, 2)
    const alert = {
      organisationId: world.organisationId,
      storeHash: world.address('destination').hash,
      runId: id,
      sideEffect: 'deferred-write',
      component: 'promotions',
    }
    expect(await swept(world)).toEqual({ errors: [alert], writes: 0 })
    const [issue, ...others] = await leftDisabled(world, id)
    expect(others).toEqual([])
    expect(issue?.message).toContain('the migration ended before all else was copied')
    expect((await world.detail(id)).counters.warnings).toBe(1)
    await pass(world, 2)
    expect(await swept(world)).toEqual(nothing)
    expect(await deferredWrites(world)).toEqual([{ due: false, reported: true }])
  },
)

test('D5: no sweep sets a switch while a run over the pair is paused or waits for hours, or while a reference of its item is pending', async () => {
  const world = await aWorldWithAPromotion()
  const { database, organisationId } = world
  const id = await runThatLeavesItDisabled(world)
  await pass(world, 2)
  const become = (status: string) => sql`update runs set status = ${status} where id = ${id}`.execute(database)
  await become('paused')
  expect(await swept(world)).toEqual(nothing)
  await become('in_progress')
  await sql`update runs set waiting_since = now() - interval '5 hours' where id = ${id}`.execute(database)
  expect(await swept(world)).toEqual(nothing)
  await become('completed')
  const setPending = (owed: string[]) =>
    sql`update mappings set owed = ${owed} where ${mappingsWhere(sql`component = 'promotions' and organisation_id = ${organisationId}`)}`
  await setPending(['reference:products:1']).execute(database)
  expect(await swept(world)).toEqual(nothing)
  await setPending([]).execute(database)
  expect(await swept(world)).toEqual({ errors: [], writes: 1 })
  expect(await deferredWrites(world)).toEqual([])
})
