import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** One store copied; each story adds to the destination what `replace` is to take away. */
let world: World
beforeAll(async () => {
  world = await startWorld({ catalogueOnly: true })
  await world.complete()
})
afterAll(() => world?.stop())

const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }
const rows = async (table: string) => (await world.state('destination'))[table] ?? []
const differences = async () => compareStores(await world.state('source'), await world.state('destination'))
const codes = async (id: string) => (await world.issues(id)).map(({ code }) => code)
const deletes = async () => (await world.requests('destination')).filter(({ method }) => method === 'DELETE')
const request = async (id: string) => (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
const theirs = (method: string, path: string, body?: unknown) =>
  callStore<{ id: number }>(world, 'destination', method, path, body)
const theirBrand = (name: string) => theirs('POST', '/v3/catalog/brands', { name })
const theirProduct = (name: string) =>
  theirs('POST', '/v3/catalog/products', { name, type: 'physical', weight: 1, price: 1 })

describe('children', () => {
  test('D2: what only the destination has on a copied product is deleted, what the source has stays as it is', async () => {
    const product = (await rows('products')).find((row) => row.name === 'Amber Linen Sneaker') as { id: number }
    await theirs('POST', `/v3/catalog/products/${product.id}/custom-fields`, { name: 'Only here', value: 'yes' })
    await theirs('POST', `/v3/catalog/products/${product.id}/modifiers`, {
      display_name: 'Only here',
      type: 'text',
      required: false,
    })
    await world.resetRequests('destination')
    const run = await world.complete(generous)
    expect(run.status).toBe('completed')
    expect(await differences()).toEqual([])
    expect((await deletes()).length).toBe(2)
    const counts = await counted(world, run.requestId)
    expect(counts['product-modifiers']).toMatchObject({ matched: expect.any(Number) })
    expect(
      run.phases
        .flatMap((phase) => phase.components)
        .filter((one) => one.pruned > 0)
        .map((one) => [one.key, one.pruned])
        .sort(),
    ).toEqual([
      ['product-custom-fields', 1],
      ['product-modifiers', 1],
    ])
  })

  test('an option that only the destination has goes first, and the variants are the same rows as before', async () => {
    const product = (await rows('products')).find((row) => row.name === 'Amber Linen Sneaker') as { id: number }
    const before = (await rows('variants')).filter((row) => row.product_id === product.id).map((row) => row.id)
    await theirs('POST', `/v3/catalog/products/${product.id}/options`, {
      display_name: 'Engraving',
      type: 'radio_buttons',
      option_values: [{ label: 'None', sort_order: 0 }],
    })
    // Drift inside options alone is verify's to find (C2): the list that is compared by does not show them.
    await theirs('PUT', `/v3/catalog/products/${product.id}`, { price: 4.56 })
    await world.complete(generous)
    expect(await differences()).toEqual([])
    const after = (await rows('variants')).filter((row) => row.product_id === product.id).map((row) => row.id)
    expect(after).toEqual(before)
  })
})

describe('whole items', () => {
  test('D4: what only the destination has is deleted, children of a category with it, and kept whole as a before-image', async () => {
    const brand = await theirBrand('Only There Goods')
    const product = await theirProduct('Only There Lamp')
    const run = await world.complete(generous)
    expect(await differences()).toEqual([])
    expect(run.counters.done).toBeGreaterThan(0)
    const { rows: images } = await sql<{ component: string; id: string; body: Record<string, unknown> }>`
      select component, destination_id as id, body from before_images where run_id = ${run.requestId} order by component`.execute(
      world.database,
    )
    expect(images.map(({ component, id }) => [component, id])).toEqual([
      ['brands', String(brand.id)],
      ['products', String(product.id)],
    ])
    expect(images[1]?.body).toMatchObject({ name: 'Only There Lamp', variants: [expect.anything()] })
    await expectCountersToEqualTheLedger(world, run.requestId)
  })

  test('D4: above the limits the run pauses before the first delete, and confirming deletes exactly that set', async () => {
    await theirProduct('Unasked One')
    await theirProduct('Unasked Two')
    await world.resetRequests('destination')
    const id = await world.migrate({ conflictStrategy: 'replace', pruneLimitItems: 1 })
    await world.finished(id, { status: 'paused' })
    expect(await deletes()).toEqual([])
    const first = (await request(id)).prune
    expect(first).toEqual({ confirmPrune: expect.any(String), items: 2 })

    const wrong = await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: 'another set' })
    expect([wrong.status, wrong.body]).toEqual([
      422,
      expect.objectContaining({ errors: { confirmPrune: [expect.any(String)] } }),
    ])

    // Somebody adds a product meanwhile: that is another set, and it is asked about again.
    await theirProduct('Unasked Three')
    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: first?.confirmPrune })
    await world.finished(id, { status: 'paused' })
    const second = (await request(id)).prune
    expect(second?.items).toBe(3)
    expect(await deletes()).toEqual([])

    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: second?.confirmPrune })
    const run = await world.finished(id)
    expect(run.status).toBe('completed')
    expect((await deletes()).length).toBe(3)
    expect(await differences()).toEqual([])
  })

  test('D4: resuming without confirming goes on without deleting, and says so', async () => {
    await theirProduct('Stays For Now')
    await theirProduct('Stays As Well')
    const id = await world.migrate({ conflictStrategy: 'replace', pruneLimitItems: 1 })
    await world.finished(id, { status: 'paused' })
    await world.resetRequests('destination')
    await world.api('POST', `/v2/migrations/${id}/resume`)
    await world.finished(id)
    expect(await deletes()).toEqual([])
    expect(await codes(id)).toContain('prune_withheld')
    await world.complete(generous)
    expect(await differences()).toEqual([])
  })
})

describe('D4: nothing is deleted', () => {
  test('of a kind that the source has none of', async () => {
    const brand = (await rows('brands'))[0] as { id: number }
    const metafield = { permission_set: 'read', namespace: 'theirs', key: 'only', value: 'here' }
    const { id } = await theirs('POST', `/v3/catalog/brands/${brand.id}/metafields`, metafield)
    await world.resetRequests('destination')
    const run = await world.complete(generous)
    expect(await deletes()).toEqual([])
    const withheld = (await world.issues(run.requestId)).filter(({ code }) => code === 'prune_withheld')
    expect(withheld.map(({ component }) => component)).toEqual(['brand-metafields'])
    await theirs('DELETE', `/v3/catalog/brands/${brand.id}/metafields/${id}`)
  })

  test('of a kind whose source list was cut short', async () => {
    await theirBrand('Cut Short Goods')
    await world.fault('source', { kind: 'list_ends_early', path: '/v3/catalog/brands$', times: null })
    const run = await world.complete(generous)
    await world.clearFaults('source')
    expect(await codes(run.requestId)).toEqual(expect.arrayContaining(['source_changed', 'prune_withheld']))
    expect((await rows('brands')).map((row) => row.name)).toContain('Cut Short Goods')
    await world.complete(generous)
  })

  test('of a kind one of whose items could not be copied', async () => {
    const product = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', {
      name: 'Refused Lamp',
      type: 'physical',
      weight: 1,
      price: 1,
    })
    await world.change('source', { op: 'set', table: 'products', id: product.id, fields: { name: '[[refuse]] Lamp' } })
    await theirProduct('Waits For The Others')
    const run = await world.complete(generous)
    expect(run.status).toBe('partial_completed')
    expect(await codes(run.requestId)).toContain('prune_withheld')
    expect((await rows('products')).map((row) => row.name)).toContain('Waits For The Others')
    await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${product.id}`)
    await world.complete(generous)
    expect(await differences()).toEqual([])
  })
})
