import { expect, test } from 'vitest'
import { compareStores, pairAndCompare } from '../comparison/compare-stores.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { addModifiers } from '../comparison/more-modifiers.ts'
import { type Expectation, type Mutation, Mutations } from '../comparison/mutations.ts'
import { owningItem } from '../comparison/owning-item.ts'
import { removals } from '../comparison/removals.ts'
import { linesOfDifferences, linesOfFindings } from '../comparison/report-lines.ts'
import type { Row, State } from '../comparison/store-side.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Change } from '../harness/world-sandbox.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'

interface Copy {
  world: World
  first: string
  source: State
}

/** A store with everything that a catalogue can hold, copied once; the tests then edit and delete at the destination. */
async function aCopy(): Promise<Copy> {
  const world = await aWorld()
  await addModifiers(world)
  await addCatalogueParts(world, 'source')
  await showTheme(world, await likeTheBornOne(world))
  const { requestId } = await world.complete()
  return { world, first: requestId, source: await world.state('source') }
}

/** Edits of a copy, by the titles of `Mutations`: renamed, moved, changed, reordered. */
const edits = [
  'categories.name',
  'categories.parent_id',
  'categories.url.path',
  'categories.image_url',
  'categories.is_visible',
  'brands.name',
  'brands.page_title',
  'brands.custom_url.url',
  'brands.image_url',
  'products.name',
  'products.sku',
  'products.price',
  'products.description',
  'products.is_visible',
  'products.custom_url.url',
  'products.brand_id to another',
  'products.brand_id to none',
  'products.related_products',
  'product_categories.category_id',
  'product_categories.sort_order',
  'option_values.label',
  'variants.price',
  'variants.sku',
  'variants.image_url',
  'images.description',
  'images.sort_order',
  'images.image_file',
  'images.is_thumbnail',
  'custom_fields.value',
  'custom_fields.name',
  'product_videos.title',
  'bulk_pricing_rules.amount',
  'complex_rules.stop',
  'reviews.rating',
  'customs_information.country_of_origin',
  'product_metafields.value',
  'category_metafields.value',
  'brand_metafields.value',
  'variant_metafields.value',
]

/** Reported by verify and left alone: changed stock (D1), and what no list shows (decision 0006). */
const left = [
  'products.inventory_level',
  'variants.inventory_level',
  'options.sort_order',
  'option_values.sort_order',
  'modifiers.required',
  'modifier_values.is_default',
]

/** Deletions that no list shows either. */
const unseen = ['modifiers']

const destination = ({ world }: Copy) => world.state('destination')
const findings = async (copy: Copy) => linesOfFindings(compareStores(copy.source, await destination(copy)))
const update = ({ world }: Copy, more: object = {}) => world.complete({ conflictStrategy: 'update', ...more })

async function mutations(copy: Copy): Promise<Mutations> {
  const state = await destination(copy)
  return new Mutations(state, pairAndCompare(copy.source, state).pairs)
}

function chosen(all: Mutation[], titles: string[]): Mutation[] {
  return titles.map((title) => {
    const found = all.findLast((mutation) => mutation.title.startsWith(`set ${title} of `))
    if (!found) throw new Error(`No mutation sets ${title}.`)
    return found
  })
}

/** Mutations without a common row can be distinguished. */
function roundsOf(all: Mutation[]): Mutation[][] {
  const rounds: Mutation[][] = []
  for (const mutation of all) {
    const free = rounds.find((round) => !round.some(({ rows }) => rows.some((row) => mutation.rows.includes(row))))
    if (free) free.push(mutation)
    else rounds.push([mutation])
  }
  return rounds
}

/** @returns what the comparison and verify report now. */
async function plant({ world }: Copy, round: Mutation[]): Promise<Expectation> {
  for (const { changes } of round) for (const change of changes) await world.change('destination', change)
  const expected = round.map((mutation) => mutation.expected())
  return {
    findings: expected.flatMap((one) => one.findings).sort(),
    differences: expected.flatMap((one) => one.differences).sort(),
  }
}

async function expectReportedExactly(
  copy: Copy,
  { findings: found, differences: reported }: Expectation,
): Promise<void> {
  expect.soft(await findings(copy)).toEqual(found)
  expect.soft(linesOfDifferences((await copy.world.verify(copy.first)).differences)).toEqual(reported)
}

/** The items with a change, one line each, as the warnings of a run name them. */
function itemsOf(source: State, changes: Change[], state: State): string[] {
  const { pairs } = pairAndCompare(source, state)
  const items = changes.map((change) => {
    const { component, table, id } = owningItem(change, state)
    return `${component} ${pairs[table]?.find((pair) => pair.destination.id === id)?.source.id}`
  })
  return [...new Set(items)].sort()
}

async function warnings({ world }: Copy, id: string): Promise<string[]> {
  return (await world.issues(id)).map(({ code, component, item }) => `${code} ${component} ${item.sourceId}`).sort()
}

test('C2: verify reports each edit made at the destination, and `update` corrects exactly those, with a warning for each item', {
  timeout: 600_000,
}, async () => {
  const copy = await aCopy()
  const rounds = roundsOf(chosen((await mutations(copy)).ofFields(), edits))
  for (const round of rounds) {
    const before = await destination(copy)
    await expectReportedExactly(copy, await plant(copy, round))
    const run = await update(copy)
    expect.soft(run.status).toBe('completed')
    expect.soft(await findings(copy)).toEqual([])
    const changed = itemsOf(
      copy.source,
      round.flatMap(({ changes }) => changes),
      before,
    )
    expect.soft(await warnings(copy, run.requestId)).toEqual(changed.map((item) => `destination_changed ${item}`))
  }
  console.log(`${edits.length} kinds of edits planted in ${rounds.length} rounds`)
})

test('D1: verify reports changed stock and drift that no list shows, and `update` and `replace` leave both alone', {
  timeout: 600_000,
}, async () => {
  const copy = await aCopy()
  const clean = await destination(copy)
  const planted = chosen((await mutations(copy)).ofFields(), left)
  for (const round of roundsOf(planted)) {
    const expected = await plant(copy, round)
    await expectReportedExactly(copy, expected)
    for (const conflictStrategy of ['update', 'replace']) {
      await copy.world.resetRequests('destination')
      const run = await copy.world.complete({ conflictStrategy })
      expect(await warnings(copy, run.requestId)).toEqual([])
      expect((await copy.world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
      expect(await findings(copy)).toEqual(expected.findings)
    }
    const levels = round.filter(({ title }) => title.includes('inventory_level')).flatMap(({ changes }) => changes)
    await update(copy, { overwriteLiving: ['products', 'product-variants'] })
    for (const { table, id } of levels) {
      const level = (state: State) => state[table]?.find((row) => row.id === id)?.inventory_level
      expect(level(await destination(copy))).toBe(level(clean))
    }
    for (const { changes } of round) for (const { table, id } of changes) await putBack(copy, clean, table, id)
    expect(await findings(copy)).toEqual([])
  }
})

async function putBack({ world }: Copy, clean: State, table: string, id: number): Promise<void> {
  const { id: _id, ...fields } = clean[table]?.find((row) => row.id === id) as Row
  await world.change('destination', { op: 'set', table, id, fields })
}

test('C2: verify reports planted deletions, and `update` creates the items again with warnings, modifiers at the latest when their product changes', {
  timeout: 600_000,
}, async () => {
  const copy = await aCopy()
  const before = await destination(copy)
  // A checkbox creates and deletes its own value; there is no call for it. A currency takes its channel settings along. An order
  // that no list shows is archived and never created again (B7).
  const { pairs } = pairAndCompare(copy.source, before)
  const gone = removals(before, pairs).filter(
    ({ title }) => !/^remove (modifier_values|currencies|orders) /.test(title),
  )
  const changes = gone.flatMap((removal) => removal.changes)
  // Nor is an order written again: it stays without its customer when that customer is created again.
  const nobodys = (pairs.orders ?? [])
    .filter(({ destination: { customer_id } }) =>
      changes.some(({ table, id }) => table === 'customers' && id === customer_id),
    )
    .map(({ key }) => `orders different ${key} customer_id`)
  expect(nobodys).not.toEqual([])
  await expectReportedExactly(copy, await plant(copy, gone))
  await freeAddresses(copy)
  // People who were deleted there are created again only on request (G12).
  const recreateErased = ['customers', 'subscribers', 'wishlists']
  const run = await update(copy, { recreateErased })
  expect(run.status).toBe('completed')
  const entities = unseen.map((table) => table.replace('_', '-'))
  const hidden = await findings(copy)
  expect(hidden.filter((line) => !entities.some((entity) => line.startsWith(`product-${entity} missing `)))).toEqual(
    nobodys,
  )
  const codes = await warnings(copy, run.requestId)
  for (const table of ['products', 'brands', 'categories', 'product_metafields', 'customs_information']) {
    const removal = gone.find(({ title }) => title.startsWith(`remove ${table} `))
    const [item] = itemsOf(copy.source, removal?.changes.filter((change) => change.table === table) ?? [], before)
    expect.soft(codes, table).toContain(`destination_deleted ${item}`)
  }
  console.log(`${gone.length} kinds of deletions planted`)
  // Another change of the product makes `update` compare all of it.
  for (const { id } of (await destination(copy)).products ?? [])
    await copy.world.change('destination', { op: 'set', table: 'products', id, fields: { warranty: 'Seen' } })
  await update(copy, { recreateErased })
  expect(await findings(copy)).toEqual(nobodys)
})

/** A row removed behind the store's back keeps its address until the register of addresses is updated. */
async function freeAddresses(copy: Copy): Promise<void> {
  const { urls = [], products = [], brands = [], categories = [] } = await destination(copy)
  const owners: Record<string, Row[]> = { product: products, brand: brands, category: categories }
  for (const { id, resource, resource_id } of urls)
    if (!owners[String(resource)]?.some((row) => row.id === resource_id))
      await copy.world.change('destination', { op: 'remove', table: 'urls', id })
}
