import { expect, test } from 'vitest'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { comparedWithItsPlan, type PlanComparison } from './planned.ts'

const product = (name: string, more: object = {}) => ({ name, type: 'physical', weight: 1, price: 1, ...more })

/** Edits at a destination before each dry run. */
function anotherAppAt(world: World) {
  const rows = async (table: string) => (await world.state('destination'))[table] ?? []
  const named = async (table: string, name: string) => (await rows(table)).find((row) => row.name === name)
  const theirs = (method: string, path: string, body?: unknown) =>
    callStore<{ id: number }>(world, 'destination', method, path, body)
  const edit = async (table: string, every: number, fields: Record<string, unknown>) => {
    for (const [at, { id }] of (await rows(table)).entries())
      if (at % every === 1) await world.change('destination', { op: 'set', table, id, fields })
  }
  /** Another app has created some of the source's products and one of its own, deleted a brand and edited others. */
  async function halfFill(): Promise<void> {
    const source = await world.state('source')
    const every = (table: string, nth: number) => (source[table] ?? []).filter((_row, at) => at % nth === 0)
    for (const { name } of every('products', 9)) await theirs('POST', '/v3/catalog/products', product(String(name)))
    await theirs('POST', '/v3/catalog/products', product('Only the destination has it'))
    const brand = await named('brands', 'Plain')
    await theirs('DELETE', `/v3/catalog/brands/${brand?.id}`)
    await edit('brands', 3, { page_title: 'Edited' })
  }

  async function editMuch(): Promise<void> {
    await edit('products', 7, { price: 4.56, description: 'Edited' })
    await edit('categories', 5, { description: 'Edited' })
    await edit('images', 200, { description: 'Edited' })
    await edit('variants', 150, { price: 9.99 })
    await edit('custom_fields', 50, { value: 'Edited' })
    await edit('product_metafields', 40, { value: 'Edited' })
    const [first, second] = (await rows('products')).slice(20)
    await theirs('DELETE', `/v3/catalog/products/${first?.id}`)
    await theirs('POST', `/v3/catalog/products/${second?.id}/custom-fields`, { name: 'Only here', value: 'yes' })
  }

  async function addTheirs(): Promise<void> {
    await theirs('POST', '/v3/catalog/products', product('Only There Lamp'))
    await theirs('POST', '/v3/catalog/products', product('Only There Shade'))
    const [first] = (await rows('products')).slice(30)
    await theirs('POST', `/v3/catalog/products/${first?.id}/modifiers`, {
      display_name: 'Only here',
      type: 'text',
      required: false,
    })
  }
  return { halfFill, editMuch, addTheirs }
}

/** No dry run knows that the platform takes no two equal labels of one option. */
const isUnforeseen = (planned: string) => /^product-option-values \d+ created$/.test(planned)

function expectTheSame({ onlyPlanned: planned, onlyDone, refusals, predicted }: PlanComparison): void {
  const onlyPlanned = planned.filter((one) => !isUnforeseen(one))
  console.log(
    `${predicted} of ${refusals} refusals were predicted; only planned: ${onlyPlanned}; only done: ${onlyDone}`,
  )
  expect({ onlyPlanned, onlyDone }).toEqual({ onlyPlanned: [], onlyDone: [] })
  expect(predicted).toBeGreaterThanOrEqual(0.95 * refusals)
}

/**
 * The store of everything that copies get wrong, into a destination that already has part of it. Before every dry run items are
 * edited, deleted and added there; the real run that follows has to do what was announced.
 */
test('F2: skip, update and replace do what their dry runs announced for an awkward store and an edited destination', {
  timeout: 1_800_000,
}, async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  const { halfFill, editMuch, addTheirs } = anotherAppAt(world)
  await world.complete({ entities: ['categories', 'brands'] })
  await halfFill()
  expectTheSame(await comparedWithItsPlan(world, {}))
  await editMuch()
  expectTheSame(await comparedWithItsPlan(world, { conflictStrategy: 'update' }))
  await editMuch()
  await addTheirs()
  const settings = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
  expectTheSame(await comparedWithItsPlan(world, settings))
})
