import { describe, expect, test } from 'vitest'
import type { Occupation, QueuedRun } from '../db/admission.ts'
import { fits, inTurn } from './admit.ts'

const nobody = (more: Partial<Occupation> = {}): Occupation => ({
  inProgressByTier: new Map(),
  inProgressByOrganisation: new Map(),
  destinations: new Set(),
  sources: new Set(),
  ...more,
})

const run = (id: string, more: Partial<QueuedRun> = {}): QueuedRun => ({
  id,
  organisationId: 'ours',
  tier: 'small',
  writes: true,
  sourceHash: 'from',
  destinationHash: 'to',
  ...more,
})

describe('A1: turns', () => {
  const queued = [
    run('a1'),
    run('a2'),
    run('a3'),
    run('b1', { organisationId: 'theirs' }),
    run('b2', { organisationId: 'theirs' }),
  ]
  const order = (occupied: Occupation) => inTurn(queued, occupied).map(({ id }) => id)

  test('go round between organisations, each in the order it asked', () => {
    expect(order(nobody())).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  test('begin with whoever has the fewest runs under way', () => {
    expect(order(nobody({ inProgressByOrganisation: new Map([['ours', 2]]) }))).toEqual(['b1', 'b2', 'a1', 'a2', 'a3'])
  })
})

describe('A1: caps', () => {
  test.each([
    ['small', 15, true],
    ['small', 16, false],
    ['xxxlarge', 0, true],
    ['xxxlarge', 1, false],
  ] as const)('with %s runs under way: %i, another fits: %s', (tier, under, expected) => {
    expect(fits(run('x', { tier }), nobody({ inProgressByTier: new Map([[tier, under]]) }))).toBe(expected)
  })

  test.each([
    [3, true],
    [4, false],
  ])('with %i runs of one organisation under way, another fits: %s', (under, expected) => {
    expect(fits(run('x'), nobody({ inProgressByOrganisation: new Map([['ours', under]]) }))).toBe(expected)
  })
})

describe('A2: one shop', () => {
  test('is written to by one run at a time', () => {
    expect(fits(run('x'), nobody({ destinations: new Set(['to']) }))).toBe(false)
  })

  test('is not written to while another run copies from it, nor the reverse', () => {
    expect(fits(run('x'), nobody({ sources: new Set(['to']) }))).toBe(false)
    expect(fits(run('x'), nobody({ destinations: new Set(['from']) }))).toBe(false)
  })

  test('is copied from by many, and only looked at by a run that writes nothing', () => {
    expect(fits(run('x'), nobody({ sources: new Set(['from']) }))).toBe(true)
    expect(
      fits(run('x', { writes: false }), nobody({ destinations: new Set(['to', 'from']), sources: new Set(['to']) })),
    ).toBe(true)
  })
})
