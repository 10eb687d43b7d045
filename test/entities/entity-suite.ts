import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Seed } from '../../sandbox/seeds/plant-seed.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { Component } from '../../src/entities/core/component.ts'
import type { Entity } from '../../src/entities/core/entity.ts'
import type { Pass } from '../../src/entities/core/pass.ts'
import { levelsPath } from '../../src/entities/orders/stock-levels.ts'
import { componentOf, entities, scopeOf } from '../../src/entities/registry.ts'
import { awkwardTruth } from '../faults/awkward-truth.ts'
import { withoutIds } from '../faults/truth.ts'
import { isPruned } from './destination-only.ts'
import { editedElsewhere, livesElsewhere, neverCreated, onlyVerifySees, partlyThere } from './entity-facts.ts'
import * as stories from './stories.ts'

/** Tests the behaviour that all entities share from the registry alone, so that a new line there is covered here. */
const timeout = 900_000

/**
 * One store is copied, edited and copied again, chapter by chapter. Tests only read the results; the first to read a chapter runs
 * it and those before it.
 */
export function testEntities(seed: Seed, clean: boolean): void {
  describe(`the store ${seed}`, { timeout }, () => {
    let store: stories.Opened
    beforeAll(async () => {
      store = await stories.opened(seed, clean)
    }, timeout)
    afterAll(() => store?.world.stop())
    const copied = once(() => stories.copied(store))
    const edited = once(async () => stories.edited(await copied()))
    const destinationOwned = once(async () => {
      await edited()
      return stories.destinationOwned(await copied())
    })
    const replaced = once(async () => {
      await destinationOwned()
      return stories.replaced(await copied())
    })
    const referring = once(() => stories.referring(store))
    const ofStorefront = once(() => stories.ofStorefront(store))

    describe('copied', () => {
      test.each(
        entities,
      )('$label: every source item has an outcome, and the copy differs only where expected', async (entity) => {
        const results = await copied()
        for (const result of phaseOf(results.first, entity).components) {
          const { key, success, failed, skipped, matched, total } = result
          expect(success + failed + skipped + matched, key).toBe(total)
          if (!clean) continue
          expect(failed, key).toBe(0)
          if (seed === 'tiny') expect(total, `${key}: the store has none`).toBeGreaterThan(0)
          if (key in partlyThere) expect(success, key).toBeGreaterThan(0)
          else if (!(key in neverCreated)) expect(success, key).toBe(total)
        }
        expect(results.findings.filter((line) => isAbout(entity, line) && !isExpected(line, clean))).toEqual([])
      })

      test.each(
        entities,
      )('F2: $label: the preceding dry run announced what was created, and wrote nothing', async (entity) => {
        const results = await copied()
        expect(results.dryWrites).toEqual([])
        expect(results.unchanged).toBe(true)
        const [plan, done] = [phaseOf(results.dry, entity), phaseOf(results.first, entity)]
        expect(plan.total).toBe(done.total)
        if (clean) expect(plan.created).toBe(done.created)
      })

      test.each(entities)('$label: a second run creates nothing and writes nothing', async (entity) => {
        const { second, requests } = await edited()
        const { created, updated, pruned, failed } = phaseOf(second, entity)
        expect({ created, updated, pruned }).toEqual({ created: 0, updated: 0, pruned: 0 })
        if (clean) expect(failed).toBe(0)
        if (clean) expect(requests.destination.filter(({ method }) => method !== 'GET')).toEqual([])
      })

      test.each(
        entities,
      )('E2: $label: a second run makes no more reads than its passes, forecast and preflight need', async (entity) => {
        const { second, requests } = await edited()
        for (const pass of entity.passes) {
          const most = mostReads(pass, second, clean)
          const read = readsOf(requests.source, pass.source.path, clean)
          expect(read, `source ${pass.key}`).toBeLessThanOrEqual(most.source)
          const listed = readsOf(requests.destination, pass.destination.path, clean)
          expect(listed, `destination ${pass.key}`).toBeLessThanOrEqual(most.destination)
        }
      })

      test('E2: a second run reads how products are tracked at most four times for each page of stock', async () => {
        const { requests } = await edited()
        const reads = requests.source.filter(({ query }) => howCounted.test(query)).length
        const pagesOfStock = requests.source.filter(({ path }) => path === levelsPath).length
        expect(reads).toBeGreaterThan(0)
        expect(reads).toBeLessThanOrEqual(pagesOfStock * questionsOfPage)
      })
    })

    describe('edited at the destination', () => {
      test.each(entities)('$label: an item of each correctable component is edited', async (entity) => {
        const edits = await edited()
        if (seed !== 'tiny') return
        const missing = entity.components.filter(
          ({ key, update }) => update && !(key in editedElsewhere) && !edits.planted.has(key),
        )
        expect(missing.map(({ key }) => key)).toEqual([])
      })

      test.each(entities)('F1: $label: verify reports the edits, and writes nothing', async (entity) => {
        const edits = await edited()
        expect(edits.wroteOnVerify).toBe(0)
        const own = (lines: string[]) => lines.filter((line) => isAbout(entity, line)).sort()
        expect(own(edits.verified)).toEqual(own(edits.expected))
      })

      test.each(entities)('$label: `skip` leaves the edits alone, and `update` corrects them', async (entity) => {
        const edits = await edited()
        expect(edits.wroteOnSkip).toBe(0)
        const seen = entity.components.filter(({ key }) => edits.planted.has(key) && !(key in onlyVerifySees))
        const updated = new Map(phaseOf(edits.update, entity).components.map(({ key, success }) => [key, success]))
        for (const { key } of seen) expect(updated.get(key), key).toBeGreaterThan(0)
        const left = edits.left.filter((line) => isAbout(entity, line) && !(componentIn(line) in onlyVerifySees))
        expect(left).toEqual([])
      })
    })

    describe('with destination-owned values changed', () => {
      const isAlive = ({ key, destinationOwned }: Component) => destinationOwned.length > 0 && !(key in livesElsewhere)
      const alive = entities.filter((entity) => entity.components.some(isAlive))

      test.each(alive)('D1: $label: they are kept, and only `overwriteLiving` overwrites them', async (entity) => {
        const values = await destinationOwned()
        const own = (lines: string[]) => lines.filter((line) => isAbout(entity, line))
        for (const component of entity.components.filter(isAlive))
          expect(values.changed, component.key).toContain(component.key)
        expect(own(values.before).length).toBeGreaterThan(0)
        expect(own(values.kept)).toEqual(own(values.before))
        expect(own(values.overwritten)).toEqual([])
      })
    })

    // Nothing is deleted after a failed item: test/engine/replace.test.ts.
    if (clean)
      describe('with items that only the destination has', () => {
        test.each(entities)('D4: $label: `replace` deletes them where the registry allows it', async (entity) => {
          const { detail, left } = await replaced()
          const pruned = new Map(phaseOf(detail, entity).components.map((one) => [one.key, one.pruned]))
          const roots = entity.passes.filter((pass) =>
            isPruned(entity.prune === 'allowed', pass, componentOf(pass.root)),
          )
          for (const { root } of roots) expect(pruned.get(root), root).toBe(1)
          if (entity.prune === 'never') expect([...pruned.values()].every((count) => count === 0)).toBe(true)
          expect(left.filter((line) => isAbout(entity, line))).toEqual([])
        })
      })

    describe('without the items that they refer to', () => {
      test.each(
        stories.referringOnly(),
      )('C4: $label: missing references are reported as issues, and do not fail the run', async (entity) => {
        expectReportedItemByItem(await referring(), entity)
      })
    })

    describe('from one storefront to another', () => {
      test.each(
        entities,
      )('D3: $label: items are created, and mappings belong to the store or to the storefront pair', async (entity) => {
        const own = await ofStorefront()
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

/** Each entity that refers to others is copied without them. */
export function testEachAlone(seed: Seed, clean: boolean): void {
  describe(`the store ${seed}, one entity at a time`, { timeout }, () => {
    let store: stories.Opened
    beforeAll(async () => {
      store = await stories.opened(seed, clean)
    }, timeout)
    afterAll(() => store?.world.stop())

    test.each(
      entities.filter(stories.refersTo),
    )('C4: $label: copied alone, missing references are reported as issues, and do not fail the run', async (entity) => {
      expectReportedItemByItem(await stories.alone(store, entity), entity)
    })
  })
}

function expectReportedItemByItem({ detail, issues }: stories.Alone, { components }: Entity): void {
  expect(['completed', 'partial_completed']).toContain(detail.status)
  expect(detail.counters).toMatchObject({ inProgress: 0, exceptions: 0 })
  const own = issues.filter(({ component }) => components.some(({ key }) => key === component))
  const codes = new Set(own.map(({ code }) => code))
  expect([...codes].some((code) => code === 'missing_reference' || code === 'reference_left_out')).toBe(true)
  expect(issues.map(({ code }) => code)).not.toContain('unexpected')
}

/** What several tests read happens once, when the first of them needs it. */
function once<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= run()
    return result
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

/** Reads of single items for a retry, which a store without failures does not need. */
const byItem = /(^|&)(id|email)%3Ain=/

function readsOf(requests: { method: string; path: string; query: string }[], path: string, clean: boolean): number {
  const reads = requests.filter((one) => one.method === 'GET' && one.path === path)
  return reads.filter(({ query }) => (clean || !byItem.test(query)) && !howCounted.test(query)).length
}

/** Reads of how the products on a page of stock are tracked, which the page does not show. */
const howCounted = /(^|&)include_fields=inventory_tracking(&|$)/

/** The size of a page of stock, and the number of products in one such read. */
const questionsOfPage = Math.ceil(1000 / 250)

/** Pages that a forecast samples, and calls that it and preflight make to count items. */
const pagesSampled = 16
const callsToCount = 6
/** Retries of an item that fails every time. Each reads the list again if it cannot be asked for single items. */
const retries = 3

/** Pages of the lists that every pass over one path reads, each to its end: one more where only an empty page marks it. */
function mostReads(
  { source, destination }: Pass,
  run: MigrationDetail,
  clean: boolean,
): { source: number; destination: number } {
  const passes = entities.flatMap((entity) => entity.passes)
  const totals = new Map(run.phases.flatMap((phase) => phase.components).map(({ key, total }) => [key, total]))
  const most = (of: Pass[], limit: (pass: Pass) => number) => {
    const items = Math.max(...of.map((pass) => totals.get(pass.root) ?? 0))
    return of.reduce((sum, pass) => {
      const pages = Math.max(1, Math.ceil(items / limit(pass)))
      return sum + pages + 1 + Math.min(pagesSampled, pages) + (clean ? 0 : retries * pages)
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
