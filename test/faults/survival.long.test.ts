import { afterAll, describe, expect, test } from 'vitest'
import type { FaultKind } from '../../sandbox/faults/faults.ts'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { World, WorldOptions } from '../harness/world.ts'
import type { FaultWish, Side } from '../harness/world-sandbox.ts'
import { inAWorld } from '../kills/in-a-world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { awkwardTruth } from './awkward-truth.ts'
import { type BadDay, FaultMatrix } from './fault-matrix.ts'
import { download, type Pictured, picturedByOriginal, picturedOf, reads, writesOf } from './fault-subjects.ts'
import type { Subject } from './subject.ts'
import { nothing, type Truth } from './truth.ts'
import {
  type CallKind,
  callKinds,
  expectGoodCopy,
  expectUnchangedSource,
  findingLines,
  kindsOfCalls,
  linesOfIssues,
  openItems,
  Weather,
} from './weather.ts'

/** Any of some hundred calls may be held until its time-out, and then waits until it can be settled. */
const copySeconds = 2_000
const timeout = 3_600_000
const seeds = { awkward: awkwardTruth, small: nothing } as const satisfies Record<string, Truth>
type FaultySeed = keyof typeof seeds
/**
 * The probability of each fault on a day with all of them. At one in twenty, which hits every second call, a copy takes more than an
 * hour: a read that fails is repeated up to four times within 45 seconds.
 */
const seldom: Record<FaultySeed, number> = { awkward: 0.02, small: 0.01 }

/** Long enough for 1,000 pictures in one call on a busy machine; every unconfirmed write waits as long to be settled. */
const requestTimeoutSeconds = 4
/** A late write must have been applied by then; on a busy machine the store itself is late. */
const settleSeconds = 4
/** Runs work in the test process by default, because none is killed here. */
const here = { processes: false, separateHost: false } as const
/** A used-up quota ends after a second instead of half a minute. */
const quota = { requests: 1_000_000, windowMs: 1_000 }

const badDays: BadDay[] = ['originals off', 'inventory lag']
const everyFault = [...callKinds, 'list_ends_early', 'image_unfetchable', ...badDays] as const

const matrix = new FaultMatrix()
const stories = Object.keys(seeds).length * (callKinds.length + 5)
let finished = 0
afterAll(() => {
  // A part of the suite selected by title misses some of the pairs.
  if (finished < stories) return
  console.log(matrix.print(everyFault))
  expect(matrix.gaps(everyFault)).toEqual([])
})

/** Runs a test over one seed; its runs work in the test process, in several worlds at a time. */
function inWeather(
  seed: FaultySeed,
  story: (world: World, weather: Weather) => Promise<void>,
  more: WorldOptions = {},
) {
  const options = {
    seeds: { source: seed },
    requestTimeoutSeconds,
    settleSeconds,
    quotas: { source: quota, destination: quota },
    ...here,
    ...more,
  }
  return inAWorld(options, async (world) => {
    await showTheme(world, await likeTheBornOne(world))
    await world.resetRequests('source')
    await story(world, new Weather(world, matrix))
    finished++
  })
}

/** A round of healing takes at most a quarter of the run's time, which on a busy machine may not be enough for everything. */
async function healedAsOftenAsNeeded(world: World, id: string, unhealable: number): Promise<MigrationDetail> {
  const open = async () => (await world.issues(id)).filter(({ state }) => state === 'open').length
  for (let round = 1, before = await open(); ; round++) {
    expect((await world.api('POST', `/v2/migrations/${id}/heal`)).status).toBe(202)
    const run = await world.finished(id, { seconds: 600 })
    const left = await open()
    // References that were left out are only warned about, and completed as well. A complete copy leaves nothing to heal.
    const whole = run.status === 'completed' || (run.failuresOpen <= unhealable && left === before)
    if (whole || round === 6) return run
    before = left
  }
}

/** Copies while each of the calls fails once, and expects the copy of a good day. */
async function expectCopiedDespite(seed: FaultySeed, kind: CallKind): Promise<void> {
  // A late write is applied in real time, so its settling has to wait in real time as well.
  const more = kind === 'apply_late' ? { processes: true } : {}
  await inWeather(
    seed,
    async (world, weather) => {
      const calls: [Side, Subject][] = [
        ...writesOf(await world.state('source')).map((call): [Side, Subject] => ['destination', call]),
        ['source', download],
        ...reads.source.map((call): [Side, Subject] => ['source', call]),
        ...reads.destination.map((call): [Side, Subject] => ['destination', call]),
      ]
      for (const [side, call] of calls) await weather.plant(side, kind, call, kindsOfCalls[kind])
      const run = await world.finished(await world.migrate(), { seconds: copySeconds })
      const missed = await weather.count()
      // The seed `small` does not contain every component.
      if (seed === 'awkward') expect(missed).toEqual([])
      await expectGoodCopy(world, run, seeds[seed])
    },
    more,
  )
}

describe.concurrent('the stores have a bad day, and the copy is that of a good one', { timeout }, () => {
  for (const seed of ['awkward', 'small'] as const) {
    test.each(callKinds)(`over ${seed}: each call that moves something gets %s once`, (kind) =>
      expectCopiedDespite(seed, kind))

    test(`over ${seed}: every list ends early once, at a destination that shows stock late`, () =>
      inWeather(
        seed,
        async (world, weather) => {
          for (const side of ['source', 'destination'] as const)
            for (const call of reads[side]) await weather.plant(side, 'list_ends_early', call)
          const run = await world.finished(await world.migrate(), { seconds: 600 })
          await weather.count()
          for (const component of ['products', 'product-variants']) matrix.add(component, 'inventory lag', 1)
          await expectGoodCopy(world, run, seeds[seed])
        },
        // The store shows stock late in real time, so what waits for it has to wait in real time as well.
        { switches: { destination: { inventory_lag_ms: 500 } }, processes: true },
      ))

    test(`F4: over ${seed}: after healing on request, a copy made without healing lacks only what cannot be healed`, () =>
      inWeather(seed, async (world, weather) => {
        for (const call of writesOf(await world.state('source')))
          await weather.plant('destination', 'error_before_applying', call, { status: 422 })
        const id = await world.migrate({ autoHeal: false })
        const run = await world.finished(id, { seconds: 600 })
        expect(run.status).toBe('partial_completed')
        const open = await openItems(world, id)
        const sabotaged = subtract(linesOfIssues(open), seeds[seed].failures)
        expect(sabotaged.length).toBeGreaterThan(10)
        const { failures, findings } = truthAfterHealing(seeds[seed], await soldWithout(world, open))
        await world.clearFaults('destination')
        const healed = await healedAsOftenAsNeeded(world, id, failures.length)
        // A copy without failures is not healed any further: references that it warned about are completed by the next run.
        const again = async () => world.finished(await world.migrate(), { seconds: 600 })
        const last = healed.status === 'completed' ? await again() : healed
        await expectGoodCopy(world, last, { failures, findings })
      }))

    test(`over ${seed}: each picture that cannot be fetched stays open, and otherwise only items related to one`, () =>
      inWeather(seed, async (world, weather) => {
        const sabotaged = picturedOf(await world.state('source'))
        for (const { component, file } of sabotaged) {
          // Not those whose file name begins with the same words.
          const picture = { components: [component], method: 'GET', path: `${file}(?![\\w-])` } as const
          await weather.plant('source', 'image_unfetchable', picture, { times: null })
        }
        const run = await world.finished(await world.migrate(), { seconds: 600 })
        expect(await weather.count()).toEqual([])
        await expectOnlyOpen(world, run, seed, sabotaged)
      }))

    test(`over ${seed}: without originals, only items whose picture has no other address stay open, and what is related to them`, () =>
      inWeather(
        seed,
        async (world) => {
          const run = await world.finished(await world.migrate(), { seconds: 600 })
          const sabotaged = picturedByOriginal(await world.state('source'))
          for (const component of ['categories', 'brands', 'product-images']) matrix.add(component, 'originals off', 1)
          await expectOnlyOpen(world, run, seed, sabotaged)
        },
        { switches: { source: { serve_originals: false } } },
      ))

    test(`over ${seed}: every fault may happen to every call, each to ${seldom[seed] * 100} in a hundred`, () =>
      // A run that stops on a fault is retried by its host.
      inWeather(seed, (world) => expectNothingTwice(world, seed), { processes: true }))
  }
})

/** How many orders were written while a product they sold was missing: an order is written once. */
async function soldWithout(world: World, open: Issue[]): Promise<number> {
  const missing = (name: string) =>
    new Set(open.filter(({ component }) => component === name).map(({ item }) => Number(item.sourceId)))
  const [lost, unwritten] = [missing('products'), missing('orders')]
  const { order_products: lines = [] } = await world.state('source')
  const sold = lines.filter(({ product_id }) => lost.has(Number(product_id))).map(({ order_id }) => Number(order_id))
  // Orders that were refused themselves are written once their products exist.
  return new Set(sold.filter((id) => !unwritten.has(id))).size
}

/** A retried item is read alone, so its missing parent is all that shows. */
function truthAfterHealing({ failures, findings }: Truth, orders: number): Truth {
  return {
    failures: failures.map((line) => line.replace('hierarchy_broken', 'missing_reference')).sort(),
    findings: [...findings, ...new Array<string>(orders).fill('orders different * goods')].sort(),
  }
}

/** Sabotaged items lack their picture or everything: healing decides. Their children name them in their own issues. */
async function expectOnlyOpen(
  world: World,
  run: MigrationDetail,
  seed: FaultySeed,
  sabotaged: Pictured[],
): Promise<void> {
  const { failures, findings } = seeds[seed]
  expect(run.status).toBe(failures.length + sabotaged.length === 0 ? 'completed' : 'partial_completed')
  // A picture is named by its file, a variant by its choices.
  const names = sabotaged.map(({ component, name, file }) => (component === 'product-images' ? fileName(file) : name))
  const open = subtract(linesOfIssues(await openItems(world, run.requestId)), failures)
  for (const name of names) expect(open.filter((line) => line.includes(name)).length, name).toBeGreaterThan(0)
  const found = subtract(await findingLines(world), findings)
  const owners = sabotaged.flatMap(({ owner }) => owner ?? [])
  const related = [...owners, ...(await namesIn(world, [...names, ...sabotaged.map(({ name }) => name)]))]
  expect(
    [...open, ...found].filter((line) => !related.some((name) => line.toLowerCase().includes(name.toLowerCase()))),
  ).toEqual([])
  await expectUnchangedSource(world)
}

function fileName(file: string): string {
  return (file.split('/').at(-1) ?? '').replace(/__\d+$/, '')
}

/** The comparison's names for them, and the products in their categories or under their brands. */
async function namesIn(world: World, names: string[]): Promise<string[]> {
  const { products = [], brands = [], categories = [], product_categories: links = [] } = await world.state('source')
  const ids = (rows: { id: number; name?: unknown }[]) =>
    new Set(rows.filter(({ name }) => names.includes(String(name))).map(({ id }) => id))
  const [lost, left] = [ids(brands), ids(categories)]
  const unplaced = new Set(links.filter((row) => left.has(Number(row.category_id))).map((row) => row.product_id))
  const meant = products.filter(
    (row) => names.includes(String(row.name)) || lost.has(Number(row.brand_id)) || unplaced.has(row.id),
  )
  return [...names, ...meant.map(({ name, sku }) => (sku ? `SKU ${sku}` : String(name)))]
}

function subtract(lines: string[], known: readonly string[]): string[] {
  const left = [...lines]
  for (const line of known) {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}

/**
 * With so many faults an item may be given up because five answers in a row were lost, or because its picture was: those stay
 * open, and nothing exists twice. A run on the next day completes the copy.
 */
async function expectNothingTwice(world: World, seed: FaultySeed): Promise<void> {
  for (const [kind, more] of Object.entries({ ...kindsOfCalls, list_ends_early: {} }) as [
    FaultKind,
    Partial<FaultWish>,
  ][])
    for (const side of ['source', 'destination'] as const)
      await world.fault(side, { kind, ...more, times: null, probability: seldom[seed] })
  await world.fault('source', { kind: 'image_unfetchable', times: null, probability: seldom[seed] })
  const run = await world.finished(await world.migrate(), { seconds: copySeconds })
  expect(run.status).toMatch(/completed$/)
  const sabotaged = subtract(linesOfIssues(await openItems(world, run.requestId)), seeds[seed].failures)
  console.log(`Every fault at ${seldom[seed] * 100} % over ${seed}: ${run.status}, ${sabotaged.length} items left open`)
  const twice = subtract(await findingLines(world), seeds[seed].findings).filter((line) =>
    /^\S+ (extra|duplicate) /.test(line),
  )
  expect(twice).toEqual([])
  await expectUnchangedSource(world)
  for (const side of ['source', 'destination'] as const) await world.clearFaults(side)
  await expectGoodCopy(world, await world.finished(await world.migrate(), { seconds: 600 }), seeds[seed])
}
