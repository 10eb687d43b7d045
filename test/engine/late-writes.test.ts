import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isLong, longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { requestControl } from '../kills/request-control.ts'
import { callStore } from './call-store.ts'

const late = [
  { entity: 'orders', table: 'orders', path: '/v2/orders$', same: 'external_order_id' },
  { entity: 'blog-posts', table: 'blog_posts', path: '/v2/blog/posts$', same: 'title' },
] as const

type Late = (typeof late)[number]

/** Values that two rows of the destination share. */
async function doubled(world: World, { table, same }: Late): Promise<unknown[]> {
  const rows = (await world.state('destination'))[table] ?? []
  const values = rows.map((row) => row[same]).filter(Boolean)
  return values.filter((value, at) => values.indexOf(value) !== at)
}

async function duplicatesIn(world: World, id: string) {
  return (await world.issues(id)).filter(({ code }) => code === 'possible_duplicate')
}

/** One write is applied after it was looked for and sent again, and after the run ended. */
async function withLateWrite(one: Late): Promise<World> {
  const world = await aWorld({ entities: [one.entity], requestTimeoutSeconds: 1 })
  await world.fault('destination', { kind: 'apply_late', method: 'POST', path: one.path, seconds: 4 })
  await world.complete()
  await until('the late write is applied', async () => (await doubled(world, one)).length > 0)
  return world
}

test.each(
  isLong ? late : late.slice(0, 1),
)('G10: $entity: the next run reports an item that a late write made twice, and deletes none', async (one) => {
  const world = await withLateWrite(one)
  const next = await world.migrate()
  expect(await world.finished(next)).toMatchObject({ status: 'partial_completed' })
  const [issue, ...others] = await duplicatesIn(world, next)
  expect(others).toEqual([])
  expect(issue).toMatchObject({ severity: 'failure', phase: one.entity, component: one.entity, state: 'open' })
  const [value] = await doubled(world, one)
  const ids = ((await world.state('destination'))[one.table] ?? []).filter((row) => row[one.same] === value)
  expect(ids).toHaveLength(2)
  for (const { id } of ids) expect(issue?.message).toContain(String(id))
})

longTest(
  'G10: it is reported at the end of its phase where the late write is applied before, and no more once the second item is deleted',
  async () => {
    const one = late[1]
    const world = await aWorld({ entities: [one.entity], requestTimeoutSeconds: 1 })
    const call = { method: 'POST', path: one.path }
    await world.fault('destination', { kind: 'apply_late', ...call, body: 'Opening day', seconds: 1.5 })
    // Sent again, and answered after the late write was applied.
    await world.fault('destination', { kind: 'slow', ...call, body: 'Opening day', seconds: 0.9 })
    const id = await world.migrate()
    expect(await world.finished(id)).toMatchObject({ status: 'partial_completed' })
    const [issue] = await duplicatesIn(world, id)
    expect(issue).toMatchObject({ component: one.entity, item: { name: 'Opening day' } })
    const { blog_posts: posts = [] } = await world.state('destination')
    const second = posts.find((post) => post.title === 'Opening day' && String(post.id) !== issue?.destinationId)
    await world.change('destination', { op: 'remove', table: 'blog_posts', id: Number(second?.id) })
    await world.clearFaults('destination')
    expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  },
)

longTest('G10: after thirty days a settled write is forgotten', async () => {
  const world = await withLateWrite(late[1])
  const kept = () =>
    sql`select id from settled_writes where organisation_id = ${world.organisationId}`.execute(world.database)
  await world.sweep()
  expect((await kept()).rows).toHaveLength(1)
  await sql`update settled_writes set settled_at = now() - interval '30 days'
    where organisation_id = ${world.organisationId}`.execute(world.database)
  await world.sweep()
  expect((await kept()).rows).toEqual([])
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
})

test('G7, G10: a store that does not show whether a late write made a second item has refused a list, which does not end the run', async () => {
  const world = await aWorld({ entities: ['blog-posts'] })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '/v2/blog/posts$' })
  await world.complete()
  const refusal = { kind: 'error_before_applying', status: 422, times: null } as const
  await world.fault('destination', { ...refusal, method: 'GET', path: '/v2/blog/posts$' })
  const { requestId, status } = await world.complete()
  expect(status).toBe('partial_completed')
  expect((await world.issues(requestId)).map(({ code }) => code)).toEqual(['list_refused'])
})

describe('an unanswered write below an item that is deleted at the destination since does not keep the next run from ending', () => {
  const methods = '/v2/shipping/zones/\\d+/methods$'

  test.each([
    ['G10: if it was found', 'completed'],
    ['B4: if its run was cancelled before it was looked for', 'cancelled'],
  ])('%s', async (_what, status) => {
    const world = await aWorld({ entities: ['shipping-zones'] })
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: methods })
    const id = await world.migrate()
    await until('its answer is held', async () => (await world.faults('destination'))[0]?.hits === 1)
    if (status === 'cancelled') await requestControl(world, id, 'cancel')
    expect(await world.finished(id)).toMatchObject({ status })
    const { shipping_zones: zones = [] } = await world.state('destination')
    for (const zone of zones) await callStore(world, 'destination', 'DELETE', `/v2/shipping/zones/${zone.id}`)
    const next = await world.migrate()
    expect(await world.finished(next, { seconds: 30 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const names = async (side: Side) => (await world.state(side)).shipping_methods?.map(({ name }) => name).sort()
    expect(await names('destination')).toEqual(await names('source'))
  })
})
