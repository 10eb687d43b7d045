import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { Component, Entity, Pass } from '../../src/entities/define.ts'
import { componentOf, entities, scopeOf } from '../../src/entities/registry.ts'
import { levelsPath } from '../../src/entities/stock-levels.ts'
import { awkwardTruth, withoutIds } from '../faults/awkward-truth.ts'
import { isPruned } from './destination-only.ts'
import {
  editedElsewhere,
  livesElsewhere,
  neverCreated,
  onlyVerifySees,
  partlyThere,
  prunedElsewhere,
} from './entity-facts.ts'
import * as stories from './stories.ts'

/**
 * What every entity does alike, told by the registry alone: a new line there is covered here. `npm test` takes the smallest store,
 * with everything that a catalogue can hold; the long form also `small` and `awkward`.
 */
const long = process.env.STOREFERRY_LONG === '1'
const seeds = [
  { seed: 'tiny', clean: true },
  ...(long ? ([{ seed: 'small', clean: true }, { seed: 'awkward', clean: false }] as const) : []), // biome-ignore format: one line a seed
] as const

const timeout = 900_000
const components = entities.flatMap((entity) => entity.components)

test('the facts of the suite are about components that there are', () => {
  const known = new Set(components.map(({ key }) => key))
  for (const facts of [onlyVerifySees, neverCreated, partlyThere, editedElsewhere, prunedElsewhere])
    for (const key of Object.keys(facts)) expect(known, key).toContain(key)
})

for (const { seed, clean } of seeds) {
  describe(`the store ${seed}`, { timeout }, () => {
    let told: stories.Stories
    beforeAll(async () => {
      told = await stories.copied(seed, clean)
    }, timeout)
    afterAll(() => told?.world.stop())

    describe('copied', () => {
      test.each(entities)('$label: everything the source has is created, or told why not', (entity) => {
        for (const result of phaseOf(told.first.detail, entity).components) {
          const { key, success, failed, skipped, matched, total } = result
          expect(success + failed + skipped + matched, key).toBe(total)
          if (!clean) continue
          expect(failed, key).toBe(0)
          if (seed === 'tiny') expect(total, `${key}: the store has none`).toBeGreaterThan(0)
          if (key in partlyThere) expect(success, key).toBeGreaterThan(0)
          else if (!(key in neverCreated)) expect(success, key).toBe(total)
        }
        expect(told.findings.filter((line) => isAbout(entity, line) && !isExpected(line, clean))).toEqual([])
      })

      test.each(entities)('$label: F2: the dry run before planned what was created, and wrote nothing', (entity) => {
        expect(told.dryWrites).toEqual([])
        expect(told.untouched).toBe(true)
        const [plan, done] = [phaseOf(told.dry, entity), phaseOf(told.first.detail, entity)]
        expect(plan.total).toBe(done.total)
        if (clean) expect(plan.created).toBe(done.created)
      })

      test.each(entities)('$label: a second run finds everything as it is, and writes nothing', (entity) => {
        const { created, updated, pruned, failed } = phaseOf(told.second, entity)
        expect({ created, updated, pruned }).toEqual({ created: 0, updated: 0, pruned: 0 })
        if (clean) expect(failed).toBe(0)
        if (clean) expect(told.requests.destination.filter(({ method }) => method !== 'GET')).toEqual([])
      })

      test.each(entities)('$label: E2: a second run reads no more than the pages that there are', (entity) => {
        for (const pass of entity.passes) {
          const most = mostReads(pass, told.second)
          const read = readsOf(told.requests.source, pass.source.path, clean)
          expect(read, `source ${pass.key}`).toBeLessThanOrEqual(most.source)
          const listed = readsOf(told.requests.destination, pass.destination.path, clean)
          expect(listed, `destination ${pass.key}`).toBeLessThanOrEqual(most.destination)
        }
      })

      test('E2: a second run asks no more often how products are counted than a page of stock has products', () => {
        const asked = told.requests.source.filter(({ query }) => howCounted.test(query)).length
        const pagesOfStock = told.requests.source.filter(({ path }) => path === levelsPath).length
        expect(asked).toBeGreaterThan(0)
        expect(asked).toBeLessThanOrEqual(pagesOfStock * questionsOfPage)
      })
    })

    describe('edited at the destination', () => {
      const story = once(() => stories.edited(told))

      test.each(entities)('$label: an item of each component that can be corrected is edited', async (entity) => {
        const edits = await story()
        if (seed !== 'tiny') return
        const missing = entity.components.filter(
          ({ key, update }) => update && !(key in editedElsewhere) && !edits.planted.has(key),
        )
        expect(missing.map(({ key }) => key)).toEqual([])
      })

      test.each(entities)('$label: F1: verify tells what was edited, and writes nothing', async (entity) => {
        const edits = await story()
        expect(edits.wroteOnVerify).toBe(0)
        const own = (lines: string[]) => lines.filter((line) => isAbout(entity, line)).sort()
        expect(own(edits.verified)).toEqual(own(edits.expected))
      })

      test.each(entities)('$label: `skip` leaves it as it is, and `update` puts it right', async (entity) => {
        const edits = await story()
        expect(edits.wroteOnSkip).toBe(0)
        const seen = entity.components.filter(({ key }) => edits.planted.has(key) && !(key in onlyVerifySees))
        const updated = new Map(phaseOf(edits.update, entity).components.map(({ key, success }) => [key, success]))
        for (const { key } of seen) expect(updated.get(key), key).toBeGreaterThan(0)
        const left = edits.left.filter((line) => isAbout(entity, line) && !(componentIn(line) in onlyVerifySees))
        expect(left).toEqual([])
      })
    })

    describe('with living values that went on', () => {
      const story = once(() => stories.living(told))
      const isAlive = ({ key, living }: Component) => living.length > 0 && !(key in livesElsewhere)
      const alive = entities.filter((entity) => entity.components.some(isAlive))

      test.each(alive)('$label: D1: they stay, and only `overwriteLiving` writes over them', async (entity) => {
        const values = await story()
        const own = (lines: string[]) => lines.filter((line) => isAbout(entity, line))
        for (const component of entity.components.filter(isAlive))
          expect(values.changed, component.key).toContain(component.key)
        expect(own(values.before).length).toBeGreaterThan(0)
        expect(own(values.kept)).toEqual(own(values.before))
        expect(own(values.overwritten)).toEqual([])
      })
    })

    // Where items have failed nothing is deleted: test/engine/replace.test.ts.
    describe.runIf(clean)('with items that only the destination has', () => {
      const story = once(() => stories.replaced(told))

      test.each(entities)('$label: D4: `replace` deletes them where the registry allows it', async (entity) => {
        const replaced = await story()
        const pruned = new Map(phaseOf(replaced.detail, entity).components.map((one) => [one.key, one.pruned]))
        const roots = entity.passes.filter((pass) => isPruned(entity.prune === 'allowed', pass, componentOf(pass.root)))
        for (const { root } of roots) expect(pruned.get(root), root).toBe(1)
        if (entity.prune === 'never') expect([...pruned.values()].every((count) => count === 0)).toBe(true)
        expect(replaced.left.filter((line) => isAbout(entity, line))).toEqual([])
      })
    })

    describe('without what they refer to', () => {
      test.each(
        entities.filter(stories.refersTo),
      )('$label: C4: what is missing is told item by item', async (entity) => {
        const { detail, issues } = await stories.alone(told, entity)
        expect(['completed', 'partial_completed']).toContain(detail.status)
        expect(detail.counters).toMatchObject({ inProgress: 0, exceptions: 0 })
        const codes = new Set(issues.map(({ code }) => code))
        expect([...codes].some((code) => code === 'missing_reference' || code === 'reference_left_out')).toBe(true)
        expect([...codes]).not.toContain('unexpected')
      })
    })

    describe('of one storefront to another', () => {
      const story = once(() => stories.ofStorefront(told))

      test.each(
        entities,
      )('$label: D3: what it has is copied, and written down for the pair it belongs to', async (entity) => {
        const own = await story()
        if (clean) expect(phaseOf(own.detail, entity)).toMatchObject({ failed: 0 })
        const created = entity.components.some(({ key }) => !(key in neverCreated))
        if (created) expect(phaseOf(own.detail, entity).created).toBeGreaterThan(0)
        for (const { key } of entity.components) {
          const scope = scopeOf(key) === 'store' ? 'store' : 'storefront:1>1'
          expect(own.scopes.get(key) ?? [scope], key).toEqual([scope])
        }
      })
    })
  })
}

/** What the tests of several entities look at happens once, when the first of them asks. */
function once<Told>(tell: () => Promise<Told>): () => Promise<Told> {
  let telling: Promise<Told> | undefined
  return () => {
    telling ??= tell()
    return telling
  }
}

function phaseOf({ phases }: MigrationDetail, { key }: Entity) {
  const phase = phases.find((one) => one.key === key)
  if (!phase) throw new Error(`The run has no phase ${key}.`)
  return phase
}

/** Lines begin with the component. */
function componentIn(line: string): string {
  return line.split(' ')[0] ?? ''
}

function isAbout(entity: Entity, line: string): boolean {
  return entity.components.some(({ key }) => key === componentIn(line))
}

/** What a copy of the awkward store cannot have. */
function isExpected(line: string, clean: boolean): boolean {
  return !clean && awkwardTruth.findings.includes(withoutIds(line))
}

/** Asks for single items, to try again what has failed: a store that is not broken has nothing of that. */
const byItem = /(^|&)(id|email)%3Ain=/

function readsOf(requests: { method: string; path: string; query: string }[], path: string, clean: boolean): number {
  const reads = requests.filter((one) => one.method === 'GET' && one.path === path)
  return reads.filter(({ query }) => (clean || !byItem.test(query)) && !howCounted.test(query)).length
}

/** Asks how the products on a page of stock are counted, which the page does not tell. */
const howCounted = /(^|&)include_fields=inventory_tracking(&|$)/

/** A page of stock has so many rows, and a question names so many products. */
const questionsOfPage = Math.ceil(1000 / 250)

/** Pages at which a forecast looks, and calls by which it and the look before a copy learn how much there is. */
const pagesSampled = 16
const callsToCount = 6

/**
 * Pages of the lists that are read by every pass over the same path, each to its end: one more where only an empty page tells it.
 */
function mostReads({ source, destination }: Pass, run: MigrationDetail): { source: number; destination: number } {
  const passes = entities.flatMap((entity) => entity.passes)
  const totals = new Map(run.phases.flatMap((phase) => phase.components).map(({ key, total }) => [key, total]))
  const most = (of: Pass[], limit: (pass: Pass) => number) => {
    const items = Math.max(...of.map((pass) => totals.get(pass.root) ?? 0))
    return of.reduce((sum, pass) => {
      const pages = Math.max(1, Math.ceil(items / limit(pass)))
      return sum + pages + 1 + Math.min(pagesSampled, pages)
    }, callsToCount)
  }
  return {
    source: most(
      passes.filter((pass) => pass.source.path === source.path),
      (pass) => pass.source.limit,
    ),
    destination: most(
      passes.filter((pass) => pass.destination.path === destination.path),
      (pass) => pass.destination.limit,
    ),
  }
}
