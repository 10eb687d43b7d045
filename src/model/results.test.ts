import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aCount, anyCounts, aRun } from '../../test/model/run-samples.ts'
import { phaseResult } from '../contract/migration.ts'
import type { Mode } from '../contract/modes.ts'
import { countersOf, phaseResults, totalsOf } from './results.ts'

test('done counts created, updated and matched; pending counts discovered items that are not terminal', () => {
  const count = aCount('brands', {
    discovered: 20,
    created: 5,
    updated: 2,
    matched: 3,
    skipped: 1,
    failed: 4,
    warnings: 6,
  })
  expect(countersOf([count])).toEqual({
    done: 10,
    inProgress: 5,
    failed: 4,
    skipped: 1,
    cancelled: 0,
    exceptions: 0,
    warnings: 6,
  })
})

test('every discovered item is in exactly one counter', () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const { done, inProgress, failed, skipped, cancelled } = countersOf(counts)
      const discovered = counts.reduce((sum, count) => sum + count.discovered, 0)
      expect(done + inProgress + failed + skipped + cancelled).toBe(discovered)
    }),
  )
})

test('a phase is the sum of its components, and pruned items are counted nowhere else', () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const products = phaseResults(aRun(), counts).find(({ key }) => key === 'products')
      const own = counts.filter(({ phase }) => phase === 'products')
      for (const key of ['created', 'updated', 'skipped', 'matched', 'failed', 'pruned'] as const)
        expect(products?.[key]).toBe(own.reduce((sum, count) => sum + count[key], 0))
      expect(products?.total).toBe(products?.components.reduce((sum, { total }) => sum + total, 0))
      expect(phaseResult.safeParse(products).success).toBe(true)
    }),
  )
})

test('G14: a dry run deletes and publishes nothing, whatever it predicts', () => {
  const counts = [aCount('brands', { discovered: 9, created: 9, pruned: 3 })]
  const brands = (mode: Mode) => phaseResults(aRun({ mode }), counts).find(({ key }) => key === 'brands')
  expect(brands('full')).toMatchObject({ created: 9, pruned: 3, components: [{ pruned: 3 }] })
  expect(brands('dry-run')).toMatchObject({ created: 9, pruned: 0, components: [{ pruned: 0 }] })
})

test('F2: a run that only counts leaves out what it could not count, and keeps what there is none of', () => {
  const counts = [aCount('products', { expected: 0 }), aCount('product-images')]
  const shown = (status: 'in_progress' | 'completed', mode: Mode = 'counts') =>
    phaseResults(aRun({ mode, status }), counts)
      .find(({ key }) => key === 'products')
      ?.components.map(({ key }) => key)
  expect(shown('completed')).toEqual(['products'])
  expect(shown('in_progress')).toEqual(['products', 'product-images'])
  expect(shown('completed', 'full')).toEqual(['products', 'product-images'])
})

test('every phase in scope is listed from creation, zeros included, with errors null', () => {
  const results = phaseResults(aRun(), [])
  expect(results.map(({ key }) => key)).toEqual(aRun().phases.map(({ key }) => key))
  expect(results.find(({ key }) => key === 'products')?.components[1]).toMatchObject({
    key: 'product-images',
    label: 'Images',
    total: 0,
    errors: null,
  })
})

test('success is created and updated, not matched', () => {
  const [, brands] = phaseResults(aRun(), [aCount('brands', { discovered: 9, created: 2, updated: 3, matched: 4 })])
  expect(brands?.components[0]).toMatchObject({ success: 5, matched: 4 })
})

test.each([
  ['before anything was read', { phase: '', status: 'queued' }, 12],
  ['while it is read', { phase: 'brands', status: 'in_progress' }, 12],
  ['once its phase is over', { phase: 'products', status: 'in_progress' }, 10],
  ['at the end', { phase: 'brands', status: 'completed' }, 10],
  ['when cancelled half-way, so that the rest still shows', { phase: 'brands', status: 'cancelled' }, 12],
] as const)('the total of a component %s', (_, change, total) => {
  expect(totalsOf(aRun(change))(aCount('brands', { expected: 12, discovered: 10 }))).toBe(total)
})

test('a total grows when more items are discovered than announced', () => {
  expect(totalsOf(aRun())(aCount('brands', { expected: 12, discovered: 15 }))).toBe(15)
})

test('a run that only counts keeps what the store announced', () => {
  expect(totalsOf(aRun({ mode: 'counts', status: 'completed' }))(aCount('brands', { expected: 12 }))).toBe(12)
})
