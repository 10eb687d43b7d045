import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Issue } from '../../src/contract/issues.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfFindings } from '../comparison/told-lines.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { comparedWithItsPlan } from './planned.ts'

const phases = ['categories', 'brands', 'products']
const texts = ['link_unresolved', 'links_rewritten']
let world: World
/** Of the source. */
let ids: { first: number; last: number; category: number; brand: number; gone: number }

beforeAll(async () => {
  world = await startWorld()
  const state = await world.state('source')
  const products = state.products ?? []
  ids = {
    first: products[0]?.id ?? 0,
    last: products.at(-1)?.id ?? 0,
    category: state.categories?.[0]?.id ?? 0,
    brand: state.brands?.[0]?.id ?? 0,
    gone: 987_654,
  }
  const { first, last, category, brand, gone } = ids
  const shop = await shopOf('source')
  await describeProduct(
    first,
    `<a href="${shop}/cart.php?action=add&amp;product_id=${last}">the last</a> <a href="${await pathOf('source', last)}">its page</a>`,
  )
  await describeProduct(
    last,
    `<div data-product-id="${first}" data-brand-id="${brand}"></div><img src="${shop}/content/a.jpg"> <a href="${shop}/cart.php?product_id=${gone}">gone</a>`,
  )
  await callStore(world, 'source', 'PUT', '/v3/catalog/trees/categories', [
    {
      category_id: category,
      description: `<a href="/cart.php?action=add&product_id=${last}">the last</a> <a href="${shop}${await pathOf('source', last)}">its page</a>`,
    },
  ])
})
afterAll(() => world?.stop())

const describeProduct = (id: number, description: string) =>
  callStore(world, 'source', 'PUT', `/v3/catalog/products/${id}`, { description })

async function shopOf(side: Side): Promise<string> {
  return String((await world.state(side)).sites?.[0]?.url)
}

async function pathOf(side: Side, id: number): Promise<string> {
  const product = (await world.state(side)).products?.find((row) => row.id === id)
  return (product?.custom_url as { url: string }).url
}

/** The copy of a product of the source. */
async function copyOf(id: number): Promise<Record<string, unknown>> {
  const sku = (await world.state('source')).products?.find((row) => row.id === id)?.sku
  const copy = (await world.state('destination')).products?.find((row) => row.sku === sku)
  if (!copy) throw new Error(`The destination has no copy of product ${id}.`)
  return copy
}

async function categoryText(): Promise<string> {
  return String((await world.state('destination')).categories?.[0]?.description)
}

/** Of a run, what it has to say of links. */
async function told(runId: string): Promise<Pick<Issue, 'component' | 'code' | 'message'>[]> {
  const issues = (await world.issues(runId)).filter(({ code }) => texts.includes(code))
  return issues.map(({ component, code, message }) => ({ component, code, message }))
}

async function findings(): Promise<string[]> {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return linesOfFindings(all.filter(({ entity }) => phases.includes(entity)))
}

async function writes(): Promise<unknown[]> {
  return (await world.requests('destination')).filter(({ method }) => method !== 'GET')
}

/** Nothing of the destination's catalogue leads to the source, but for what is on the report. */
async function crawl(): Promise<string[]> {
  const [hash, state] = [(await shopOf('source')).replace(/^https:..|\..*$/g, ''), await world.state('destination')]
  const found: string[] = []
  for (const table of phases)
    for (const row of state[table] ?? [])
      for (const [field, value] of Object.entries(row)) {
        const naming = [
          ...JSON.stringify(value ?? '').matchAll(
            /[^\s"'<>(]*\b(product_id=\d+|data-[a-z]+-id=\D*\d+)|[^\s"'<>(]*\/\/[^\s"'<>)]*/g,
          ),
        ]
        for (const [one] of naming)
          if (one.includes(hash) || namesSource(one, state)) found.push(`${table}.${field} ${one}`)
      }
  return found
}

function namesSource(one: string, state: Awaited<ReturnType<World['state']>>): boolean {
  const id = Number(/(?:product_id=|data-product-id=\D*)(\d+)/.exec(one)?.[1] ?? 0)
  return id > 0 && !state.products?.some((row) => row.id === id)
}

test('links and ids in texts lead to the destination, also to what is copied later, and F2: the plan says so before', async () => {
  const done = await comparedWithItsPlan(world, { entities: phases })
  expect(done).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  const [run] = (await world.api<{ items: { requestId: string }[] }>('GET', '/v2/migrations?limit=1')).body.items
  const shop = await shopOf('destination')
  const last = await copyOf(ids.last)
  const path = await pathOf('source', ids.last)
  expect((await copyOf(ids.first)).description).toBe(
    `<a href="${shop}/cart.php?action=add&amp;product_id=${last.id}">the last</a> <a href="${path}">its page</a>`,
  )
  expect(await categoryText()).toBe(
    `<a href="/cart.php?action=add&product_id=${last.id}">the last</a> <a href="${shop}${path}">its page</a>`,
  )
  const issues = await told(run?.requestId ?? '')
  expect(issues.filter(({ code }) => code === 'link_unresolved')).toMatchObject([
    { component: 'products', message: expect.stringContaining(`product_id=${ids.gone}`) },
  ])
  expect(
    issues
      .filter(({ code }) => code === 'links_rewritten')
      .map(({ component }) => component)
      .sort(),
  ).toEqual(['categories', 'products'])
  expect(await crawl()).toEqual([expect.stringContaining(`product_id=${ids.gone}`)])
})

test('C2: a second run writes nothing, whatever the strategy, and verify finds the texts equal', async () => {
  for (const conflictStrategy of ['skip', 'update', 'replace']) {
    await world.resetRequests('destination')
    await world.complete({ entities: phases, conflictStrategy })
    expect(await writes(), conflictStrategy).toEqual([])
  }
  const verified = await world.complete({ entities: phases, mode: 'verify' })
  expect(verified.counters).toMatchObject({ failed: 0, skipped: 0 })
  expect(await findings()).toEqual(['products different SKU SKU-00012 description'])
})

test('what is copied later completes the links to it, and settles what was told', async () => {
  const made = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', {
    name: 'Late', type: 'physical', price: 1, weight: 1, sku: 'LATE',
  }) // biome-ignore format: one product
  const shop = await shopOf('source')
  await describeProduct(ids.last, `<a href="${shop}/cart.php?product_id=${made.id}">late</a>`)
  const run = await world.complete({ entities: phases, conflictStrategy: 'update' })
  const there = `<a href="${await shopOf('destination')}/cart.php?product_id=${(await copyOf(made.id)).id}">late</a>`
  expect((await copyOf(ids.last)).description).toBe(there)
  expect((await told(run.requestId)).filter(({ code }) => code === 'link_unresolved')).toEqual([])
  expect(await findings()).toEqual([])
})

test('links follow a page that has another address at the destination, also in texts that were written before', async () => {
  const copy = await copyOf(ids.last)
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy.id}`, {
    custom_url: { url: '/elsewhere/' },
  })
  const before = await categoryText()
  await world.complete({ entities: phases })
  const path = await pathOf('source', ids.last)
  expect(await categoryText()).toBe(before.replace(path, '/elsewhere/'))
  expect((await copyOf(ids.first)).description).toContain('<a href="/elsewhere/">')
  await world.resetRequests('destination')
  await world.complete({ entities: phases })
  expect(await writes()).toEqual([])
  // As soon as it has its own address again, so have the links.
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(await categoryText()).toBe(before)
  expect(await findings()).toEqual([])
})

test('texts of items that were there before are taken as they are by skip, and rewritten by update', async () => {
  const shop = await shopOf('source')
  await callStore(world, 'source', 'POST', '/v3/catalog/products', { name: 'Both', type: 'physical', price: 1, weight: 1, sku: 'BOTH', description: `<a href="${shop}/sale/">sale</a>` }) // biome-ignore format: one product
  await callStore(world, 'destination', 'POST', '/v3/catalog/products', { name: 'Both', type: 'physical', price: 1, weight: 1, sku: 'BOTH', description: `<a href="${shop}/sale/">sale</a>` }) // biome-ignore format: one product
  const both = async () => (await world.state('destination')).products?.find(({ sku }) => sku === 'BOTH')?.description
  await world.complete({ entities: phases })
  expect(await both()).toContain(shop)
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(await both()).toBe(`<a href="${await shopOf('destination')}/sale/">sale</a>`)
  await world.resetRequests('destination')
  await world.complete({ entities: phases, conflictStrategy: 'update' })
  expect(await writes()).toEqual([])
})
