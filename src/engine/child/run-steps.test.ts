import { expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { mostCallsTraced, RunSteps } from './run-steps.ts'

const call = (httpStatus: number | null, path = '/v3/catalog/brands') =>
  ({ cls: 'read', method: 'GET', path, httpStatus, latencyMs: 3, sendings: 1 }) as const

test('steps are given once, in order, with paths without ids', () => {
  const steps = new RunSteps(systemClock)
  steps.began('products')
  steps.called('source', { ...call(200, '/v3/catalog/products/77/images'), sendings: 3 })
  steps.ended()
  expect(steps.take()).toMatchObject({
    steps: [
      { kind: 'phase-began', phase: 'products' },
      { kind: 'call', store: 'source', path: '/v3/catalog/products/{id}/images', resends: 2, durationMs: 3 },
      { kind: 'phase-ended' },
    ],
    omittedCalls: 0,
  })
  expect(steps.take()).toEqual({ steps: [], omittedCalls: 0 })
})

test('of an attempt 5,000 calls are traced, then only those that failed, and of those 5,000 again', () => {
  expect(mostCallsTraced).toBe(5_000)
  const steps = new RunSteps(systemClock)
  const repeat = (times: number, httpStatus: number | null) => {
    for (let at = 0; at < times; at++) steps.called('destination', call(httpStatus))
    const { steps: taken, omittedCalls } = steps.take()
    return [taken.length, omittedCalls]
  }
  expect(repeat(5_000, 200)).toEqual([5_000, 0])
  expect(repeat(2, 399)).toEqual([0, 2])
  expect([repeat(1, null), repeat(1, 400), repeat(4_998, 429)]).toEqual([
    [1, 0],
    [1, 0],
    [4_998, 0],
  ])
  expect(repeat(1, 500)).toEqual([0, 1])
})
