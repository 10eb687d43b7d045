import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type Member, type World } from '../harness/world.ts'
import { firstPair } from './two-storefronts.ts'

/** What the differences of a comparison say, whatever the order. */
async function compared(member: Member, body: object = {}): Promise<{ line: string; differences: string[] }> {
  const run = await member.complete({ mode: 'verify', ...body })
  const lines = (await member.differences(run.requestId)).map(({ component, kind, item, destinationId, fields }) =>
    [component, kind, item.sourceId, destinationId, ...fields.map(({ path }) => path)].join(' '),
  )
  return { line: run.summaryLine, differences: lines.sort() }
}

async function mappingsOf({ database }: World, { organisationId }: Member): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select organisation_id from mappings_of_pairs
      union all select run.organisation_id from planned_mappings planned join runs run on run.id = planned.run_id) known
    where organisation_id = ${organisationId}`.execute(database)
  return rows[0]?.count ?? 0
}

/** Entities whose items contain each other, refer to each other, or share their names with others. */
const entities = ['categories', 'brands', 'products', 'shipping-zones', 'promotions', 'banners', 'scripts']

test('F1: a copy of which nothing is known is compared as exactly as one of our own, and nothing is kept of it', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' }, entities })
  await world.finished(await world.migrate())
  const ours = await compared(world)
  expect(ours.differences.length).toBeGreaterThan(20)
  const stranger = await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination'])
  expect(await compared(stranger, { entities })).toEqual(ours)
  expect(await mappingsOf(world, stranger)).toBe(0)
})

test('F1: the same for picked products, whose categories and related products are not compared', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' }, entities: ['categories', 'brands', 'products'] })
  await world.finished(await world.migrate())
  const { products = [] } = await world.state('source')
  const related = products.filter(({ related_products: of }) => Array.isArray(of) && of.some((id) => Number(id) > 0))
  expect(related.length).toBeGreaterThan(0)
  const ids = [...products.slice(0, 3), ...related].map(({ id }) => String(id))
  const picked = { selection: { products: { ids } } }
  const stranger = await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination'])
  expect(await compared(stranger, picked)).toEqual(await compared(world, picked))
})

test('F1: the same for one storefront', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  await world.finished(await world.migrate(firstPair))
  const stranger = await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination'])
  expect(await compared(stranger, firstPair)).toEqual(await compared(world, firstPair))
})

longTest('F1: the same for everything that is copied', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  await world.finished(await world.migrate())
  const ours = await compared(world)
  const stranger = await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination'])
  expect(await compared(stranger)).toEqual(ours)
})

test('F1: the same for a copy of which only the products are known, because an earlier migration adopted them', async () => {
  const named = ['price-lists', 'customer-groups', 'customers', 'wishlists', 'promotions']
  const products = ['categories', 'brands', 'products']
  const world = await aWorld({ entities: [...products, ...named] })
  await world.complete()
  const stranger = await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination'])
  await stranger.complete({ entities: products })
  expect(await compared(stranger)).toEqual(await compared(world))
})
