import { expect, test } from 'vitest'
import type { Issue } from '../../src/contract/issues.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfFindings } from '../comparison/report-lines.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { comparedWithItsPlan } from './planned.ts'

const phases = ['categories', 'brands', 'products']
const texts = ['link_unresolved', 'links_rewritten']

interface Linked {
  first: number
  last: number
  /** No product has this id. */
  gone: number
}

/**
 * Texts of the source link to products, a category and a brand, including some that are copied later; @returns the linked items.
 */
async function aWorldWithLinks(): Promise<{ world: World; ids: Linked }> {
  const world = await aWorld({ entities: phases })
  const { products = [], categories = [], brands = [] } = await world.state('source')
  const ids = { first: products[0]?.id ?? 0, last: products.at(-1)?.id ?? 0, gone: 987_654 }
  const [shop, path] = [await shopOf(world, 'source'), await pathOf(world, 'source', ids.last)]
  await describeProduct(
    world,
    ids.first,
    `<a href="${shop}/cart.php?action=add&amp;product_id=${ids.last}">the last</a> <a href="${path}">its page</a>`,
  )
  await describeProduct(
    world,
    ids.last,
    `<div data-product-id="${ids.first}" data-brand-id="${brands[0]?.id}"></div><img src="${shop}/content/a.jpg"> <a href="${shop}/cart.php?product_id=${ids.gone}">gone</a>`,
  )
  const description = `<a href="/cart.php?action=add&product_id=${ids.last}">the last</a> <a href="${shop}${path}">its page</a>`
  const category = { category_id: categories[0]?.id, description }
  await callStore(world, 'source', 'PUT', '/v3/catalog/trees/categories', [category])
  return { world, ids }
}

const describeProduct = (world: World, id: number, description: string) =>
  callStore(world, 'source', 'PUT', `/v3/catalog/products/${id}`, { description })

async function shopOf(world: World, side: Side): Promise<string> {
  return String((await world.state(side)).sites?.[0]?.url)
}

async function pathOf(world: World, side: Side, id: number): Promise<string> {
  const product = (await world.state(side)).products?.find((row) => row.id === id)
  return (product?.custom_url as { url: string }).url
}

/** The copy of a product of the source. */
async function copyOf(world: World, id: number): Promise<Record<string, unknown>> {
  const sku = (await world.state('source')).products?.find((row) => row.id === id)?.sku
  const copy = (await world.state('destination')).products?.find((row) => row.sku === sku)
  if (!copy) throw new Error(`The destination has no copy of product ${id}.`)
  return copy
}

async function categoryText(world: World): Promise<string> {
  return String((await world.state('destination')).categories?.[0]?.description)
}

/** The issues of a run that are about links. */
async function reported(world: World, runId: string): Promise<Pick<Issue, 'component' | 'code' | 'message'>[]> {
  const issues = (await world.issues(runId)).filter(({ code }) => texts.includes(code))
  return issues.map(({ component, code, message }) => ({ component, code, message }))
}

async function findings(world: World): Promise<string[]> {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return linesOfFindings(all.filter(({ entity }) => phases.includes(entity)))
}

/** What remains of a link to a product that neither store has. */
const goneDiffers = ['products different SKU SKU-00012 description']

/** Links in the destination's catalogue that lead to the source, or to a product that the destination does not have. */
async function crawl(world: World): Promise<string[]> {
  const state = await world.state('destination')
  const host = (await shopOf(world, 'source')).replace(/^https:..|\..*$/g, '')
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
          if (one.includes(host) || namesSource(one, state)) found.push(`${table}.${field} ${one}`)
      }
  return found
}

function namesSource(one: string, state: StoreState): boolean {
  const id = Number(/(?:product_id=|data-product-id=\D*)(\d+)/.exec(one)?.[1] ?? 0)
  return id > 0 && !state.products?.some((row) => row.id === id)
}

longTest(
  'F2: links and ids in texts lead to the destination, also to items copied later, as the dry run announces',
  async () => {
    const { world, ids } = await aWorldWithLinks()
    const done = await comparedWithItsPlan(world, { entities: phases })
    expect(done).toMatchObject({ onlyPlanned: [], onlyDone: [] })
    const [run] = (await world.api<{ items: { requestId: string }[] }>('GET', '/v2/migrations?limit=1')).body.items
    const shop = await shopOf(world, 'destination')
    const last = await copyOf(world, ids.last)
    const path = await pathOf(world, 'source', ids.last)
    expect((await copyOf(world, ids.first)).description).toBe(
      `<a href="${shop}/cart.php?action=add&amp;product_id=${last.id}">the last</a> <a href="${path}">its page</a>`,
    )
    expect(await categoryText(world)).toBe(
      `<a href="/cart.php?action=add&product_id=${last.id}">the last</a> <a href="${shop}${path}">its page</a>`,
    )
    const issues = await reported(world, run?.requestId ?? '')
    expect(issues.filter(({ code }) => code === 'link_unresolved')).toMatchObject([
      { component: 'products', message: expect.stringContaining(`product_id=${ids.gone}`) },
    ])
    const rewritten = issues.filter(({ code }) => code === 'links_rewritten')
    expect(rewritten.map(({ component }) => component).sort()).toEqual(['categories', 'products'])
    expect(await crawl(world)).toEqual([expect.stringContaining(`product_id=${ids.gone}`)])
  },
)

longTest(
  'C2: a second run over texts with links writes nothing under any strategy, and verify finds them equal',
  async () => {
    const { world } = await aWorldWithLinks()
    const run = await world.complete()
    await world.resetRequests('destination')
    for (const conflictStrategy of ['skip', 'update', 'replace']) {
      await world.complete({ conflictStrategy })
      expect(await writesTo(world), conflictStrategy).toEqual([])
    }
    expect((await world.verify(run.requestId)).differences).toEqual([])
    expect(await findings(world)).toEqual(goneDiffers)
  },
)

longTest(
  'a link to a product that the same update creates leads to its copy and is not reported as unresolved',
  async () => {
    const { world, ids } = await aWorldWithLinks()
    await world.complete()
    const made = await addProduct(world, 'source', 'Late')
    const shop = await shopOf(world, 'source')
    await describeProduct(world, ids.last, `<a href="${shop}/cart.php?product_id=${made.id}">late</a>`)
    const run = await world.complete({ conflictStrategy: 'update' })
    const copy = await copyOf(world, made.id)
    const link = `<a href="${await shopOf(world, 'destination')}/cart.php?product_id=${copy.id}">late</a>`
    expect((await copyOf(world, ids.last)).description).toBe(link)
    expect((await reported(world, run.requestId)).filter(({ code }) => code === 'link_unresolved')).toEqual([])
    expect(await findings(world)).toEqual([])
  },
)

longTest(
  'links follow a page that has another address at the destination, also in texts that were written before',
  async () => {
    const { world, ids } = await aWorldWithLinks()
    await world.complete()
    const copy = await copyOf(world, ids.last)
    const moved = { custom_url: { url: '/elsewhere/' } }
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy.id}`, moved)
    const before = await categoryText(world)
    await world.complete()
    const path = await pathOf(world, 'source', ids.last)
    expect(await categoryText(world)).toBe(before.replace(path, '/elsewhere/'))
    expect((await copyOf(world, ids.first)).description).toContain('<a href="/elsewhere/">')
    await world.resetRequests('destination')
    await world.complete()
    expect(await writesTo(world)).toEqual([])
    // When the page gets its own address back, the links follow.
    await world.complete({ conflictStrategy: 'update' })
    expect(await categoryText(world)).toBe(before)
    expect(await findings(world)).toEqual(goneDiffers)
  },
)

test('texts of adopted items are left alone by skip, and rewritten by update', async () => {
  const world = await aWorld({ entities: phases, seeds: { source: 'empty' } })
  const shop = await shopOf(world, 'source')
  for (const side of ['source', 'destination'] as const)
    await addProduct(world, side, 'Both', `<a href="${shop}/sale/">sale</a>`)
  const both = async () => (await world.state('destination')).products?.[0]?.description
  await world.complete()
  expect(await both()).toContain(shop)
  await world.complete({ conflictStrategy: 'update' })
  expect(await both()).toBe(`<a href="${await shopOf(world, 'destination')}/sale/">sale</a>`)
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect(await writesTo(world)).toEqual([])
})

function addProduct(world: World, side: Side, name: string, description = ''): Promise<{ id: number }> {
  const body = { name, type: 'physical', price: 1, weight: 1, sku: name.toUpperCase(), description }
  return callStore(world, side, 'POST', '/v3/catalog/products', body)
}
