import { expect, test } from 'vitest'
import { productAnswers } from '../../sandbox/resources/products/rows/answer.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import type { Row, SandboxStore, Table } from '../../sandbox/store/store.ts'
import { stopAfterTest } from './a-shop.ts'

async function seeded(seed: 'empty' | 'tiny' | 'small', ...names: string[]): Promise<Sandbox> {
  const sandbox = await startSandbox({ stores: names.map((name) => ({ name, seed, token: 'secret' })) })
  stopAfterTest(sandbox)
  return sandbox
}

test('the small seed has 1,000 products with 3,000 variants, unique names and SKUs and something of every kind', async () => {
  const store = (await seeded('small', 'source')).store('source')
  const rows = (name: string) => store.table(name).find({})
  const products = rows('products')
  const share = (claim: (row: Row) => boolean) => Math.round((products.filter(claim).length / products.length) * 100)
  const having = (table: string, field = 'product_id') => new Set(rows(table).map((row) => row[field])).size / 10
  expect([products.length, rows('variants').length]).toEqual([1_000, 3_000])
  expect(share((row) => row.base_variant_id === null)).toBe(33)
  expect(share((row) => row.brand_id !== 0)).toBe(90)
  expect([
    having('images'),
    having('custom_fields'),
    having('modifiers'),
    having('product_metafields', 'resource_id'),
  ]).toEqual([90, 50, 15, 20])
  expect(new Set(rows('options').map((row) => row.type))).toEqual(
    new Set(['swatch', 'radio_buttons', 'dropdown', 'rectangles']),
  )
  expect(new Set(rows('modifiers').map((row) => row.type))).toEqual(new Set(['text', 'checkbox', 'dropdown', 'date']))
  const skus = rows('variants').flatMap(({ sku }) => (sku === '' ? [] : [sku]))
  expect(new Set(products.map((row) => String(row.name).toLowerCase())).size).toBe(1_000)
  expect(new Set(skus).size).toBe(skus.length)
})

test('the platform would accept all seeded products', async () => {
  const source = (await seeded('small', 'source')).store('source')
  const sandbox = await seeded('empty', 'copy')
  const rows = source
    .table('products')
    .find({})
    .filter((_row, at) => at % 12 === 0 || at % 35 === 22)
  const bodies = productAnswers(source, rows, new Set(['variants', 'images', 'custom_fields'])).map((answer) =>
    asCreated(source, answer),
  )
  for (const body of bodies) {
    const answer = await fetch(`${sandbox.stores.copy?.url}/v3/catalog/products`, {
      method: 'POST',
      headers: { 'X-Auth-Token': 'secret', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ data: expect.anything() })])
  }
})

function asCreated(source: SandboxStore, answer: Record<string, unknown>): Record<string, unknown> {
  // Fields of productAnswers with lists of rows.
  const [images, variants, fields] = [answer.images, answer.variants, answer.custom_fields] as [Row[], Row[], Row[]]
  return {
    ...answer,
    categories: [],
    brand_id: 0,
    images: images.map((image) => ({ ...image, image_url: `${source.imageBase}/${image.image_file}` })),
    custom_fields: fields.map(({ name, value }) => ({ name, value })),
    variants: answer.base_variant_id === null ? variants : [],
  }
}

test('a page with all children needs as many queries for ten products as for one', async () => {
  const store = (await seeded('small', 'source')).store('source')
  const rows = store.table('products').page({ offset: 0, limit: 10 }).rows
  const includes = new Set(['channels', 'custom_fields', 'images', 'modifiers', 'options', 'primary_image', 'variants'])
  const queriesFor = (some: Row[]) => {
    const counted = countingQueries(store)
    productAnswers(counted.store, some, includes)
    return counted.queries()
  }
  expect(queriesFor(rows)).toBe(queriesFor(rows.slice(0, 1)))
  expect(queriesFor(rows)).toBeLessThanOrEqual(13)
})

function countingQueries(store: SandboxStore): { store: SandboxStore; queries(): number } {
  let queries = 0
  const counting = (table: Table): Table =>
    new Proxy(table, {
      get: (target, property: keyof Table) => {
        queries++
        return target[property].bind(target)
      },
    })
  const proxy = new Proxy(store, {
    get: (target, property: keyof SandboxStore) =>
      property === 'table'
        ? (name: string, indexes?: string[]) => counting(target.table(name, indexes))
        : target[property],
  })
  return { store: proxy, queries: () => queries }
}
