import { expect } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { aWorld, type World } from '../harness/world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { compareStores, type Pair, pairAndCompare } from './compare-stores.ts'
import { makeLikeTheSource } from './like-the-source.ts'
import { addCatalogueParts } from './more-catalogue.ts'
import { addModifiers } from './more-modifiers.ts'
import { type Expectation, type Mutation, Mutations } from './mutations.ts'
import { removalOfTree, removals } from './removals.ts'
import { linesOfDifferences, linesOfFindings } from './report-lines.ts'
import type { State } from './store-side.ts'

/** Their tables contain only differences from a new store: each mutation of a currency would be one of theirs as well. */
const ownStories: Record<string, string> = {
  'store-settings': 'test/engine/store-base.test.ts',
  'channel-currencies': 'test/engine/store-base.test.ts',
}

/** Duplicated without their children. */
const alone = ['brands', 'categories', 'price_lists', 'customer_groups', 'tax_zones', 'locations', 'variants']

/** A store with something in every table, copied whole in a world of this test alone, to plant mutations in the copy. */
export async function aCopiedStore(): Promise<CopiedStore> {
  // The destination accepts orders of what is sold out today, so that every line stays linked to its product (G15).
  const world = await aWorld({ switches: { destination: { order_stock: 'cut' } } })
  await addModifiers(world)
  await addCatalogueParts(world, 'source')
  await makeLikeTheSource(world)
  await showTheme(world, await likeTheBornOne(world))
  const run = await world.complete({ entities: entities.map(({ key }) => key).filter((key) => !(key in ownStories)) })
  expect(run.status).toBe('completed')
  expect(await world.issues(run.requestId)).toEqual([])
  return new CopiedStore(world, run.requestId, await world.state('source'), await world.state('destination'))
}

/** Both judges, the comparison and verify, have to report what was planted and nothing else. */
export class CopiedStore {
  readonly mutations: Mutations
  private readonly world: World
  private readonly runId: string
  private readonly source: State
  private readonly clean: State
  private readonly pairs: Record<string, Pair[]>

  constructor(world: World, runId: string, source: State, clean: State) {
    this.world = world
    this.runId = runId
    this.source = source
    this.clean = clean
    this.pairs = pairAndCompare(source, clean).pairs
    this.mutations = new Mutations(clean, this.pairs)
  }

  async judged(): Promise<Expectation> {
    const { detail, differences } = await this.world.verify(this.runId)
    expect(detail.status).toBe('completed')
    const findings = compareStores(this.source, await this.world.state('destination'))
    return { findings: linesOfFindings(findings), differences: linesOfDifferences(differences) }
  }

  /**
   * Plants at once what fits together; the copy is restored afterwards.
   *
   * @returns what was planted: all of it, unless the number of rounds is limited.
   */
  async expectEachToBeFound(
    mutations: Mutation[],
    { fieldsAtOnce = 1, rounds }: { fieldsAtOnce?: number; rounds?: number } = {},
  ): Promise<Mutation[]> {
    const planted = roundsOf(mutations, fieldsAtOnce).slice(0, rounds)
    for (const round of planted) {
      const expected = await this.plant(round)
      // Soft: the next round is judged whatever the result of this one.
      expect.soft(await this.judged()).toEqual(expected)
      await this.restore()
    }
    return planted.flat()
  }

  /** They cannot be restored under their ids, so nothing can be planted after this. The tree comes last. */
  async expectRemovalsToBeFound(): Promise<void> {
    const expected = await this.plant(removals(this.clean, this.pairs))
    expect(await this.judged()).toEqual(expected)
    const all = await this.plant([removalOfTree(await this.world.state('destination'), this.pairs, expected)])
    expect(await this.judged()).toEqual(all)
  }

  /** @returns what both judges report now. */
  private async plant(round: Mutation[]): Promise<Expectation> {
    const { world } = this
    const all: Expectation = { findings: [], differences: [] }
    for (const { changes, expected } of round) {
      let copyId: number | undefined
      for (const change of changes) {
        const bringsMore = change.op === 'double' && [...alone, 'customers'].includes(change.table)
        const before = bringsMore ? await world.state('destination') : undefined
        const answer = await world.change('destination', change)
        if (change.op === 'double') copyId = Number(answer.id)
        if (before && alone.includes(change.table)) await this.removeAdded(before, [change.table])
        // An order of the second customer would be a further difference, which is not intended here.
        if (before && change.table === 'customers') await this.removeAdded({ orders: before.orders ?? [] })
      }
      const { findings, differences } = expected(copyId)
      all.findings.push(...findings)
      all.differences.push(...differences)
    }
    return { findings: all.findings.sort(), differences: all.differences.sort() }
  }

  /**
   * Duplicating a brand duplicates its products, and duplicating a category adds products to the copy, which is not intended
   * here.
   */
  private async removeAdded(before: State, kept: string[] = []): Promise<void> {
    for (const [table, rows] of Object.entries(await this.world.state('destination'))) {
      if (kept.includes(table) || !(table in before)) continue
      const known = new Set(before[table]?.map((row) => row.id))
      for (const { id } of rows) if (!known.has(id)) await this.world.change('destination', { op: 'remove', table, id })
    }
  }

  private async restore(): Promise<void> {
    await this.removeAdded(this.clean)
    const now = await this.world.state('destination')
    for (const [table, rows] of Object.entries(this.clean)) {
      const byId = new Map(now[table]?.map((row) => [row.id, row]))
      for (const { id, ...fields } of rows) {
        const present = byId.get(id)
        if (JSON.stringify(present) !== JSON.stringify({ id, ...fields }))
          await this.world.change('destination', { op: 'set', table, id, fields })
      }
    }
  }
}

/** Mutations without a common row are combined, and so are those that change different fields of one. */
function roundsOf(all: Mutation[], fieldsAtOnce: number): Mutation[][] {
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
