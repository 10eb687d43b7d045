import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aCount, aRun } from '../../../test/model/run-samples.ts'
import { percentOf } from '../../model/progress.ts'
import { countersOf, phaseResults, sumOf, terminalItems } from '../../model/results.ts'
import type { ComponentCount } from '../../model/run-facts.ts'
import { Tally } from './counters.ts'

const states = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled'] as const
type State = (typeof states)[number]
const components = ['brands', 'products', 'product-images'] as const

/**
 * The history of a run in the order it was recorded: an item was discovered, or a discovered one reached its final
 * state.
 */
const anyHistory = fc
  .array(
    fc.record({ component: fc.constantFrom(...components), ends: fc.boolean(), state: fc.constantFrom(...states) }),
    {
      maxLength: 60,
    },
  )
  .map((wishes) => {
    const open = new Map<string, number>()
    return wishes.flatMap(({ component, ends, state }): { component: string; field: 'discovered' | State }[] => {
      const found = open.get(component) ?? 0
      if (ends && found === 0) return []
      open.set(component, found + (ends ? -1 : 1))
      return [{ component, field: ends ? state : 'discovered' }]
    })
  })

function countsAfter(history: readonly { component: string; field: 'discovered' | State }[]): ComponentCount[] {
  return components.map((component) => {
    const own = history.filter((one) => one.component === component)
    const of = (field: string) => own.filter((one) => one.field === field).length
    return aCount(component, Object.fromEntries(['discovered', ...states].map((field) => [field, of(field)])))
  })
}

test('E3: rows of a tally are the fold of what was added to it, in whatever order', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const [one, other] = [new Tally(), new Tally()]
      for (const { component, field } of history) one.add(component, field)
      for (const { component, field } of history.toReversed()) other.add(component, field)
      expect(one.rows()).toEqual(other.rows())
      for (const row of one.rows())
        for (const field of ['discovered', ...states] as const)
          expect(row[field] ?? 0).toBe(history.filter((e) => e.component === row.component && e.field === field).length)
    }),
  )
})

test('every item that was found is in one terminal state or in progress, and done is what the destination has', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const counts = countsAfter(history)
      const sum = sumOf(counts)
      const { done, inProgress, failed, skipped, cancelled } = countersOf(counts)
      expect(done + inProgress + failed + skipped + cancelled).toBe(sum.discovered)
      expect(terminalItems(sum)).toBe(sum.discovered - inProgress)
    }),
  )
})

test('a phase is the sum of its components, and no total is below what was discovered', () => {
  fc.assert(
    fc.property(
      anyHistory,
      fc.constantFrom('', 'brands', 'products'),
      fc.nat({ max: 30 }),
      (history, phase, expected) => {
        const counts = countsAfter(history).map((count) => ({ ...count, expected }))
        for (const result of phaseResults(aRun({ status: 'in_progress', phase }), counts)) {
          expect(result.total).toBe(result.components.reduce((sum, one) => sum + one.total, 0))
          for (const one of result.components) expect(one.total).toBeGreaterThanOrEqual(one.discovered)
        }
      },
    ),
  )
})

test('whatever is found and ends, the percentage goes up only, stays below 100, and is 100 at the end', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat({ max: 30 }), (history, expected) => {
      let shown = 0
      for (let length = 0; length <= history.length; length++) {
        const run = aRun({ status: 'in_progress', phase: 'brands' })
        const counts = countsAfter(history.slice(0, length)).map((count) => ({ ...count, expected }))
        const percent = percentOf(run, counts, shown)
        expect(percent).toBeGreaterThanOrEqual(shown)
        expect(percent).toBeLessThan(100)
        shown = percent
      }
      expect(percentOf(aRun({ status: 'completed' }), countsAfter(history), shown)).toBe(100)
    }),
  )
})
