import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { tablesContaining } from './tables-containing.ts'

/** A metafield that an app keeps with a product; only the two stores may know what it says. */
const planted = { namespace: 'planted-namespace', key: 'planted-key', value: 'planted-value' }
const path = '/v3/catalog/products/metafields'

/** A source whose first product has the secret, in addition to the six metafields of the seed. */
async function worldWithSecret(): Promise<World> {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'] })
  const { products = [] } = await world.state('source')
  const metafield = { ...planted, permission_set: 'write', resource_id: products[0]?.id }
  await callStore(world, 'source', 'POST', path, [metafield])
  return world
}

longTest(
  'S9: the namespace, key and value of a metafield are nowhere in the database, neither while it is in flight nor after the run',
  async () => {
    const world = await worldWithSecret()
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: `${path}$` })
    const id = await world.migrate()
    await until('metafields are held', async () =>
      (await world.requests('destination', 'POST')).some((request) => request.path === path && request.status === null),
    )
    const { rows } = await sql<{ items: unknown[] }>`
    select items from intents where run_id = ${id} and component = 'product-metafields'`.execute(world.database)
    expect(rows.flatMap(({ items }) => items)).toHaveLength(7)
    expect(await tablesContaining(world, Object.values(planted))).toEqual([])
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await tablesContaining(world, Object.values(planted))).toEqual([])
  },
)

longTest(
  'S9: neither a difference nor a refusal of a metafield contains its namespace, key or value, and neither does the database',
  async () => {
    const world = await worldWithSecret()
    const copied = await world.complete()
    const copy = (await world.state('destination')).product_metafields?.find(({ key }) => key === planted.key)
    expect(copy).toMatchObject({ value: planted.value })
    await world.change('destination', {
      op: 'set',
      table: 'product_metafields',
      id: Number(copy?.id),
      fields: { value: `other ${planted.value}` },
    })
    const { differences } = await world.verify(copied.requestId)
    const reported = differences.filter(({ component }) => component === 'product-metafields')
    expect(reported).toMatchObject([{ kind: 'different', fields: [{ path: 'value' }] }])
    expect(JSON.stringify(differences)).not.toContain('planted')
    await world.change('destination', { op: 'remove', table: 'product_metafields', id: Number(copy?.id) })
    await world.fault('destination', {
      kind: 'error_before_applying',
      status: 409,
      method: 'POST',
      path: `${path}$`,
      body: planted.value,
    })
    const refused = await world.complete({ autoHeal: false })
    expect(refused.status).toBe('partial_completed')
    expect(JSON.stringify(await world.issues(refused.requestId))).not.toContain('planted')
    expect(await tablesContaining(world, Object.values(planted))).toEqual([])
  },
)

test('S9: the body of a script is nowhere in the database, and neither a difference nor a before-image contains it', async () => {
  const world = await aWorld({ entities: ['scripts'] })
  const secret = `key-${randomBytes(9).toString('hex')}`
  const [script] = (await world.state('source')).scripts?.filter(({ kind }) => kind === 'script_tag') ?? []
  const put = (store: 'source' | 'destination', uuid: unknown, html: string) =>
    callStore(world, store, 'PUT', `/v3/content/scripts/${uuid}`, { html })
  await put('source', script?.uuid, `<script>connect('${secret}')</script>`)
  const copied = await world.complete()
  const copy = (await world.state('destination')).scripts?.find(({ html }) => String(html).includes(secret))
  expect(copy).toBeDefined()
  await put('destination', copy?.uuid, `<script>connect('other-${secret}')</script>`)
  const { differences } = await world.verify(copied.requestId)
  expect(differences).toMatchObject([
    { component: 'scripts', fields: [{ path: 'html', source: null, destination: null }] },
  ])
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.state('destination')).scripts?.find(({ uuid }) => uuid === copy?.uuid)).toMatchObject({
    html: `<script>connect('${secret}')</script>`,
  })
  expect(await tablesContaining(world, [secret])).toEqual([])
})
