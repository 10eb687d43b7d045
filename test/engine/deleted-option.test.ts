import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { differences } from './replace-story.ts'

/** The product whose rules name variants by the option `Colour`, at the destination. */
async function deleteColour(world: World): Promise<void> {
  const { products = [], options = [] } = await world.state('destination')
  const product = products.find(({ sku }) => sku === 'SKU-00007')
  const colour = options.find((row) => row.product_id === product?.id && row.display_name === 'Colour')
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${product?.id}/options/${colour?.id}`)
}

test.each([
  'update',
  'replace',
])('C3: `%s` makes an option that was deleted at the destination again, with its variants, and the rules that name these name the new ones', async (conflictStrategy) => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await addCatalogueParts(world, 'source')
  await world.complete()
  expect(await differences(world)).toEqual([])
  await deleteColour(world)
  expect(await differences(world)).not.toEqual([])
  await world.complete({ conflictStrategy })
  expect(await differences(world)).toEqual([])
})
