import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'

type Row = { id: number } & Record<string, unknown>

const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const rows = async (world: World, side: 'source' | 'destination', table: string) =>
  ((await world.state(side))[table] ?? []) as Row[]
const deletes = async (world: World) =>
  (await world.requests('destination')).filter(({ method }) => method === 'DELETE')
const writes = async (world: World) => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
const differences = async (world: World) => compareStores(await world.state('source'), await world.state('destination'))

/** A copied product that has lost a variant, a picture and a modifier in the source since. */
async function aProductThatShrank(): Promise<World> {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  const product = (await rows(world, 'source', 'products')).find(({ name }) => name === 'Amber Linen Sneaker')
  const path = `/v3/catalog/products/${product?.id}`
  const modifier = { display_name: 'Gift note', type: 'text', required: false }
  const { id } = await callStore<Row>(world, 'source', 'POST', `${path}/modifiers`, modifier)
  await world.complete()
  const part = async (table: string) =>
    (await rows(world, 'source', table)).findLast(({ product_id }) => product_id === product?.id)?.id
  await callStore(world, 'source', 'DELETE', `${path}/variants/${await part('variants')}`)
  await callStore(world, 'source', 'DELETE', `${path}/images/${await part('images')}`)
  await callStore(world, 'source', 'DELETE', `${path}/modifiers/${id}`)
  return world
}

test('G17: `replace` deletes children that an earlier `update` left on an item that has not changed since', async () => {
  const world = await aProductThatShrank()
  const updated = await world.complete({ conflictStrategy: 'update' })
  expect(updated.status).toBe('completed')
  const left = (await differences(world)).length
  expect(left).toBeGreaterThan(0)
  await world.complete({ conflictStrategy: 'update' })
  expect((await differences(world)).length).toBe(left)

  await world.resetRequests('destination')
  const run = await world.complete(generous)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
  expect(await deletes(world)).toHaveLength(3)
  expect((await world.issues(run.requestId)).map(({ code }) => code)).not.toContain('destination_changed')

  await world.resetRequests('destination')
  await world.complete(generous)
  expect(await writes(world)).toEqual([])
})
