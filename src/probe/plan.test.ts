import { expect, test } from 'vitest'
import { allSteps, stepsFor } from './all-steps.ts'
import { namesOf } from './call.ts'
import { minutesOf, planOf } from './plan.ts'

test('the quick probe takes at most 400 calls, about 3 minutes at the smallest quota', () => {
  const plan = planOf(stepsFor({ quick: true }))
  expect(plan.calls).toBeLessThanOrEqual(400)
  expect(minutesOf(plan)).toBeLessThanOrEqual(2)
})

/** The product writes these together with the items that show them, or not at all. */
const wholeOnly = /^\/v3\/(content\/(widgets|placements)|store\/metafields)/

test('every write that the product needs is tried by the quick probe', () => {
  const writes = (quick: boolean) =>
    new Set(
      stepsFor({ quick })
        .flatMap(({ calls }) => calls)
        .filter(({ method }) => method === 'POST' || method === 'PUT')
        .map(({ method, path }) => `${method} ${path}`),
    )
  const quickly = writes(true)
  const missing = [...writes(false)].filter((write) => !quickly.has(write))
  expect(missing.filter((write) => !wholeOnly.test(write.split(' ')[1] ?? ''))).toEqual([])
})

test.each([true, false])('whatever a step refers to is found by an earlier one (quick: %s)', (quick) => {
  const known = new Set<string>()
  const unknown: string[] = []
  for (const { calls, needs = [] } of stepsFor({ quick })) {
    unknown.push(...needs.filter((name) => !known.has(name)))
    for (const call of calls) {
      unknown.push(...namesOf(call).filter((name) => !known.has(name)))
      for (const name of Object.keys(call.finds ?? {})) known.add(name)
    }
  }
  expect(unknown).toEqual([])
  expect(allSteps.length).toBeGreaterThan(300)
})
