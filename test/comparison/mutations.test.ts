import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { startWorld, type World } from '../harness/world.ts'
import { longForm } from '../kills/moments.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { compareStores, type Pair, pairAndCompare } from './compare-stores.ts'
import { excludedFields } from './exclusions.ts'
import { makeLikeTheSource } from './like-the-source.ts'
import { addCatalogueParts } from './more-catalogue.ts'
import { addModifiers } from './more-modifiers.ts'
import { type Expectation, type Mutation, Mutations } from './mutations.ts'
import { removalOfTree, removals } from './removals.ts'
import type { State } from './store-side.ts'
import { linesOfDifferences, linesOfFindings } from './told-lines.ts'

/** Whose tables say only what differs from a new store: each mutation of a currency would be one of theirs, too. */
const ownStories: Record<string, string> = {
  'store-settings': 'test/engine/store-base.test.ts',
  'channel-currencies': 'test/engine/store-base.test.ts',
}

let world: World
let runId: string
let source: State
let clean: State
let pairs: Record<string, Pair[]>
let mutations: Mutations
let planted = 0

beforeAll(async () => {
  world = await startWorld()
  await addModifiers(world)
  await addCatalogueParts(world, 'source')
  await makeLikeTheSource(world)
  await showTheme(world, await likeTheBornOne(world))
  const run = await world.complete({ entities: entities.map(({ key }) => key).filter((key) => !(key in ownStories)) })
  expect(run.status).toBe('completed')
  expect(await world.issues(run.requestId)).toEqual([])
  runId = run.requestId
  source = await world.state('source')
  clean = await world.state('destination')
  pairs = pairAndCompare(source, clean).pairs
  mutations = new Mutations(clean, pairs)
})
afterAll(async () => {
  const excluded = Object.values(excludedFields).flatMap(Object.keys).length
  console.log(`${planted} mutations planted in the copy, ${excluded} fields excluded`)
  await world.stop()
})

test('a copy of a store is equal to it, ids aside, and verify says so too', async () => {
  expect(compareStores(source, clean)).toEqual([])
  expect(await judged()).toEqual({ findings: [], differences: [] })
})

test('a changed field, whichever it is, is all that is found', { timeout: 600_000 }, async () => {
  const changed = mutations.ofFields()
  expect(changed.map(({ title }) => title)).toContainEqual(expect.stringContaining('set product_categories.sort_order'))
  for (const round of roundsOf(changed)) await plantJudgeAndRestore(round)
})

test('a doubled row of any table is all that is found', { timeout: 600_000 }, async () => {
  for (const round of roundsOf(mutations.ofDoubles())) await plantJudgeAndRestore(round)
})

test('D1: stock that went on is told apart from a fault of the copy', async () => {
  const product = clean.products?.find((row) => row.inventory_tracking === 'product')
  const [variant] = clean.variants ?? []
  const [brand] = clean.brands ?? []
  const set = (table: string, id = 0, fields: object) =>
    world.change('destination', { op: 'set', table, id, fields: { ...fields } })
  await set('products', product?.id, { inventory_level: 71 })
  await set('variants', variant?.id, { inventory_level: 72 })
  await set('brands', brand?.id, { page_title: 'Other' })
  const { detail } = await world.verify(runId)
  const { rows } = await sql<{ component: string; living: boolean }>`
    select distinct component, living from differences where run_id = ${detail.requestId} order by component`.execute(
    world.database,
  )
  expect(rows).toEqual([
    { component: 'brands', living: false },
    // What is counted at the default location is the stock of the catalogue.
    { component: 'inventory', living: true },
    { component: 'product-variants', living: true },
    { component: 'products', living: true },
  ])
  expect(detail.counters).toMatchObject({ failed: 0, skipped: 1 })
  await restore()
})

test('a removed row of any table is all that is found', { timeout: 600_000 }, async () => {
  // They cannot be put back under their ids, so this comes last, and the tree at its end.
  const expected = await plant(removals(clean, pairs))
  expect(await judged()).toEqual(expected)
  const all = await plant([removalOfTree(await world.state('destination'), pairs, expected)])
  expect(await judged()).toEqual(all)
})

async function plantJudgeAndRestore(round: Mutation[]): Promise<void> {
  const expected = await plant(round)
  // Soft: the next round is judged whatever this one came to.
  expect.soft(await judged()).toEqual(expected)
  await restore()
}

/** Doubled without what hangs on them. */
const alone = ['brands', 'categories', 'price_lists', 'customer_groups', 'tax_zones', 'locations', 'variants']

/** @returns what both judges have to say now. */
async function plant(round: Mutation[]): Promise<Expectation> {
  const all: Expectation = { findings: [], differences: [] }
  for (const { changes, expected } of round) {
    let copyId: number | undefined
    for (const change of changes) {
      const before = change.op === 'double' ? await world.state('destination') : undefined
      const answer = await world.change('destination', change)
      if (change.op === 'double') copyId = Number(answer.id)
      if (before && alone.includes(change.table)) await removeAdded(before, [change.table])
      // An order of the second customer is another thing again, which nobody has asked for.
      if (before && change.table === 'customers') await removeAdded({ orders: before.orders ?? [] })
    }
    const { findings, differences } = expected(copyId)
    all.findings.push(...findings)
    all.differences.push(...differences)
    planted++
  }
  return { findings: all.findings.sort(), differences: all.differences.sort() }
}

async function judged(): Promise<Expectation> {
  const { detail, differences } = await world.verify(runId)
  expect(detail.status).toBe('completed')
  const findings = compareStores(source, await world.state('destination'))
  return { findings: linesOfFindings(findings), differences: linesOfDifferences(differences) }
}

/** Doubling a brand doubles its products, and doubling a category puts products into the copy: another thing than asked for. */
async function removeAdded(before: State, kept: string[] = []): Promise<void> {
  for (const [table, rows] of Object.entries(await world.state('destination'))) {
    if (kept.includes(table) || !(table in before)) continue
    const known = new Set(before[table]?.map((row) => row.id))
    for (const { id } of rows) if (!known.has(id)) await world.change('destination', { op: 'remove', table, id })
  }
}

async function restore(): Promise<void> {
  await removeAdded(clean)
  const now = await world.state('destination')
  for (const [table, rows] of Object.entries(clean)) {
    const byId = new Map(now[table]?.map((row) => [row.id, row]))
    for (const { id, ...fields } of rows) {
      const standing = byId.get(id)
      if (JSON.stringify(standing) !== JSON.stringify({ id, ...fields }))
        await world.change('destination', { op: 'set', table, id, fields })
    }
  }
}

/**
 * Fields of one row that are changed at once: a run of verify takes its time, and both judges tell a line for each field. In the long
 * form each is the only one, so that nothing that is told of two hides what is told of one too many.
 */
const fieldsAtOnce = longForm ? 1 : 5

/** Mutations that share no row go together, and some that change different fields of one. */
function roundsOf(all: Mutation[]): Mutation[][] {
  const rounds: { fieldsOf: Map<string, Set<string> | null>; mutations: Mutation[] }[] = []
  for (const mutation of all) {
    const { rows, field } = mutation
    const fitsBeside = (fields: Set<string> | null | undefined) =>
      fields === undefined ||
      (fields !== null && field !== undefined && !fields.has(field) && fields.size < fieldsAtOnce)
    let round = rounds.find(({ fieldsOf }) => rows.every((row) => fitsBeside(fieldsOf.get(row))))
    if (!round) {
      round = { fieldsOf: new Map(), mutations: [] }
      rounds.push(round)
    }
    for (const row of rows)
      round.fieldsOf.set(row, field === undefined ? null : new Set([...(round.fieldsOf.get(row) ?? []), field]))
    round.mutations.push(mutation)
  }
  return rounds.map((round) => round.mutations)
}
