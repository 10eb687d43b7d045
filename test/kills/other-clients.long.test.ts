import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { tally } from '../harness/tally.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { StoreState } from '../harness/world-sandbox.ts'
import { timeout } from './moments.ts'
import { killSubject } from './subjects.ts'

/** What another client writes into an item with the same key, by component. */
const theirs: Record<string, { table: string; fields: Record<string, unknown> }> = {
  locations: { table: 'locations', fields: { description: 'As another client wrote it' } },
  categories: { table: 'categories', fields: { page_title: 'As another client wrote it' } },
  brands: { table: 'brands', fields: { page_title: 'As another client wrote it' } },
  'price-lists': { table: 'price_lists', fields: { active: false } },
  customers: { table: 'customers', fields: { company: 'As another client wrote it' } },
  segments: { table: 'segments', fields: { description: 'As another client wrote it' } },
  subscribers: { table: 'subscribers', fields: { first_name: 'Another' } },
  'gift-certificates': { table: 'gift_certificates', fields: { message: 'As another client wrote it' } },
  coupons: { table: 'coupons', fields: { name: 'As another client wrote it' } },
  pages: { table: 'pages', fields: { body: '<p>As another client wrote it</p>' } },
  'product-metafields': { table: 'product_metafields', fields: { value: 'As another client wrote it' } },
}

/**
 * While a write of each component is unconfirmed, the destination has an item with its key that is not what was sent. Products, with
 * leftovers and what appears before the second sending: test/engine/found-not-made.test.ts.
 */
test('G5: of eleven components, an item with the key of ours that another client makes while our write is unconfirmed is adopted, not counted as created', {
  timeout,
}, async () => {
  const quota = { requests: 1_000_000, windowMs: 1_000 }
  const world = await aWorld({ requestTimeoutSeconds: 4, quotas: { source: quota, destination: quota } })
  await addCatalogueParts(world, 'source')
  const held = await Promise.all(Object.keys(theirs).map((component) => holdFirstWrite(world, component)))
  const before = await world.state('destination')
  const run = await world.migrate()
  const found = await Promise.all(held.map((one) => makeAnother(world, one, before)))
  expect(await world.finished(run, { seconds: 900 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  for (const { component, id } of found) {
    expect([component, await originOf(world, component, id)]).toEqual([component, 'adopted'])
    const { table = '', fields } = theirs[component] ?? {}
    const row = ((await world.state('destination'))[table] ?? []).find((one) => one.id === id)
    expect(row, component).toMatchObject(fields ?? {})
  }
  expect(tally(await world.state('source'), await world.state('destination'))).toEqual([])
})

interface Held {
  component: string
  fault: number
}

async function holdFirstWrite(world: World, component: string): Promise<Held> {
  const { write } = killSubject(component)
  return { component, fault: await world.fault('destination', { kind: 'hold_after_applying', ...write }) }
}

/** Makes the first item of a component that of another client while the answer is held back. */
async function makeAnother(
  world: World,
  { component, fault }: Held,
  before: StoreState,
): Promise<{ component: string; id: number }> {
  const { table = '', fields = {} } = theirs[component] ?? {}
  const isHit = async () => (await world.faults('destination')).some(({ id, hits }) => id === fault && hits > 0)
  await until(`a write of ${component} is held`, isHit, { seconds: 600 })
  const rows = (await world.state('destination'))[table] ?? []
  const born = new Set((before[table] ?? []).map((row) => row.id))
  const id = Math.min(...rows.flatMap((row) => (born.has(row.id) ? [] : row.id)))
  await world.change('destination', { op: 'set', table, id, fields })
  return { component, id }
}

async function originOf(world: World, component: string, destinationId: number): Promise<string | undefined> {
  const { rows } = await sql<{ origin: string }>`
    select origin from mappings where organisation_id = ${world.organisationId} and component = ${component}
      and destination_id = ${String(destinationId)}`.execute(world.database)
  return rows[0]?.origin
}
