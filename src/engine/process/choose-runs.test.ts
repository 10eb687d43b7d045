import { describe, expect, test } from 'vitest'
import type { Occupation, QueuedRun } from '../../db/runs/admission.ts'
import type { AdmissionLimits, HostRoom } from '../../model/forecast/capacity.ts'
import { chooseRuns, explainWaiting, fits } from './choose-runs.ts'

const host = (more: Partial<HostRoom> = {}): HostRoom => ({
  maxRuns: 100,
  memoryMiB: 100_000,
  tierCaps: {},
  runs: [],
  ...more,
})

const occupation = (more: Partial<Occupation> = {}): Occupation => ({
  inProgressByTier: new Map(),
  inProgressByOrganisation: new Map(),
  destinations: new Set(),
  sources: new Set(),
  hosts: [host()],
  unplaced: [],
  lastTurns: new Map(),
  ...more,
})

const limits: AdmissionLimits = { tierCaps: { small: 16, xxxlarge: 1 }, organisationRuns: 4 }

const run = (id: string, more: Partial<QueuedRun> = {}): QueuedRun => ({
  id,
  organisationId: 'ours',
  tier: 'small',
  memMiB: 256,
  writes: true,
  sourceHash: 'from',
  destinationHash: `to ${id}`,
  ...more,
})

const theirs = { organisationId: 'theirs' }

describe('A1: turns', () => {
  const queued = () => [run('a1'), run('a2'), run('a3'), run('b1', theirs), run('b2', theirs)]
  const order = (occupied: Occupation, runs = queued()) => chooseRuns(runs, occupied, limits).map(({ id }) => id)

  test('alternate between organisations, each in the order of its requests', () => {
    expect(order(occupation())).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  test('begin with the organisation whose last turn is longest ago, even if it has more runs in progress', () => {
    const lastTurns = new Map([
      ['ours', 8],
      ['theirs', 7],
    ])
    const inProgressByOrganisation = new Map([['theirs', 2]])
    expect(order(occupation({ lastTurns, inProgressByOrganisation }))).toEqual(['b1', 'a1', 'b2', 'a2', 'a3'])
  })

  test('begin with an organisation that never had one', () => {
    expect(order(occupation({ lastTurns: new Map([['ours', 1]]) }))).toEqual(['b1', 'a1', 'b2', 'a2', 'a3'])
  })

  test('pass to the next run of an organisation when its first must wait, and to others when it has none that fits', () => {
    const runs = [
      run('a1', { destinationHash: 'taken' }),
      run('a2'),
      run('b1', { ...theirs, destinationHash: 'taken' }),
    ]
    expect(order(occupation({ destinations: new Set(['taken']) }), runs)).toEqual(['a2'])
  })
})

describe('A1: caps', () => {
  test.each([
    ['small', 15, true],
    ['small', 16, false],
    ['xxxlarge', 0, true],
    ['xxxlarge', 1, false],
    ['large', 1000, true],
  ] as const)('with %s runs under way on all hosts: %i, another fits: %s', (tier, under, expected) => {
    expect(fits(run('x', { tier }), occupation({ inProgressByTier: new Map([[tier, under]]) }), limits)).toBe(expected)
  })

  test.each([
    [3, true],
    [4, false],
  ])('with %i runs of one organisation under way, another fits: %s', (under, expected) => {
    const occupied = occupation({ inProgressByOrganisation: new Map([['ours', under]]) })
    expect(fits(run('x'), occupied, limits)).toBe(expected)
  })

  test('count runs admitted together', () => {
    const queued = Array.from({ length: 6 }, (_, at) => run(`a${at}`))
    expect(chooseRuns(queued, occupation(), limits)).toHaveLength(4)
  })
})

describe('A1: slots on hosts', () => {
  const queued = (count: number) => Array.from({ length: count }, (_, at) => run(`a${at}`))
  const count = (occupied: Occupation, runs = queued(4)) => chooseRuns(runs, occupied, limits).length

  test('no run is admitted without a host', () => {
    expect(count(occupation({ hosts: [] }))).toBe(0)
  })

  test('all hosts share their slots', () => {
    const busy = { tier: 'small', memMiB: 256 } as const
    expect(count(occupation({ hosts: [host({ maxRuns: 1 }), host({ maxRuns: 3, runs: [busy] })] }))).toBe(3)
  })

  test('a run admitted before that still waits for a host gets the first', () => {
    const unplaced = [{ tier: 'small', memMiB: 256 } as const]
    expect(count(occupation({ hosts: [host({ maxRuns: 2 })], unplaced }))).toBe(1)
    expect(count(occupation({ hosts: [host({ maxRuns: 1, runs: unplaced }), host({ maxRuns: 0 })], unplaced }))).toBe(0)
  })

  test('a run whose hosts are all gone keeps no other run waiting: the hosts of small runs do not take its tier', () => {
    const unplaced = [{ tier: 'xxlarge', memMiB: 768 } as const]
    expect(count(occupation({ hosts: [host({ tierCaps: { xxlarge: 0 } })], unplaced }))).toBe(4)
  })

  test('a run that lost its host waits for those of its tier, which take no other run before it; the hosts of small runs go on', () => {
    const unplaced = [{ tier: 'xxlarge', memMiB: 768 } as const]
    const [small, large] = [
      { maxRuns: 2, tierCaps: { xxlarge: 0 } },
      { maxRuns: 2, runs: unplaced },
    ]
    const both = (tierCaps: HostRoom['tierCaps']) =>
      occupation({ hosts: [host(small), host({ ...large, tierCaps })], unplaced })
    expect(count(both({ xxlarge: 1, small: 0 }))).toBe(2)
    // The host that it waits for could take them.
    expect(count(both({ xxlarge: 1 }))).toBe(0)
  })

  test('A6: the runs of a host together stay within its memory', () => {
    expect(count(occupation({ hosts: [host({ memoryMiB: 767 })] }))).toBe(2)
    expect(count(occupation({ hosts: [host({ memoryMiB: 768 })] }))).toBe(3)
  })

  test('A6: small runs go where large ones do not fit, which leaves room for those', () => {
    const hosts = [host({ memoryMiB: 1024 }), host({ memoryMiB: 512 })]
    const runs = [...queued(2), run('large', { tier: 'xxxlarge', memMiB: 1024 })]
    expect(count(occupation({ hosts }), runs)).toBe(3)
  })

  test('A6: a run larger than every host goes to one that has nothing else to do', () => {
    const large = run('large', { tier: 'xxxlarge', memMiB: 1024 })
    expect(count(occupation({ hosts: [host({ memoryMiB: 512 })] }), [large])).toBe(1)
    const busy = host({ memoryMiB: 1200, runs: [{ tier: 'small', memMiB: 256 }] })
    expect(count(occupation({ hosts: [busy] }), [large])).toBe(0)
  })

  test('a host has caps of its own, and 0 keeps a tier off it', () => {
    expect(count(occupation({ hosts: [host({ tierCaps: { small: 2 } }), host({ tierCaps: { small: 0 } })] }))).toBe(2)
  })
})

describe('A2: one shop', () => {
  const one = run('x', { destinationHash: 'to' })
  const reading = run('x', { destinationHash: 'to', writes: false })
  const fitsWhile = (candidate: QueuedRun, occupied: Partial<Occupation>) =>
    fits(candidate, occupation(occupied), limits)

  test('is written to by one run at a time', () => {
    expect(fitsWhile(one, { destinations: new Set(['to']) })).toBe(false)
  })

  test('is not written to while another run reads it as its source, nor the reverse', () => {
    expect(fitsWhile(one, { sources: new Set(['to']) })).toBe(false)
    expect(fitsWhile(one, { destinations: new Set(['from']) })).toBe(false)
  })

  test('is read by many', () => {
    expect(fitsWhile(one, { sources: new Set(['from']) })).toBe(true)
    expect(fitsWhile(reading, { sources: new Set(['from', 'to']) })).toBe(true)
  })

  test('is no source of a run that writes nothing either while another writes to it; its destination may be written to', () => {
    expect(fitsWhile(reading, { destinations: new Set(['from']) })).toBe(false)
    expect(fitsWhile(reading, { destinations: new Set(['to']) })).toBe(true)
  })

  test('holds for runs admitted together', () => {
    const back = run('back', { sourceHash: 'to', destinationHash: 'from' })
    expect(chooseRuns([one, back, run('y', { destinationHash: 'to' })], occupation(), limits)).toEqual([one])
  })
})

describe('what a queued run waits for', () => {
  const why = (occupied: Partial<Occupation>, runs = [run('x', { destinationHash: 'to' })]) =>
    explainWaiting(runs, occupation(occupied), limits).get('x')
  const small = host({ maxRuns: 1, runs: [{ tier: 'small', memMiB: 256 }] })

  test.each<[string, Partial<Occupation>]>([
    ['starting', {}],
    ['source_written', { destinations: new Set(['from']) }],
    ['destination_used', { destinations: new Set(['to']) }],
    ['destination_used', { sources: new Set(['to']) }],
    ['organisation_limit', { inProgressByOrganisation: new Map([['ours', 4]]) }],
    ['tier_limit', { inProgressByTier: new Map([['small', 16]]) }],
    ['no_host', { hosts: [] }],
    ['no_room', { hosts: [small] }],
    [
      'lost_host',
      { hosts: [host({ memoryMiB: 4_096, runs: small.runs })], unplaced: [{ tier: 'large', memMiB: 4_096 }] },
    ],
  ])('is %s', (reason, occupied) => {
    expect(why(occupied)).toBe(reason)
  })

  test('counts those that begin now', () => {
    expect(why({}, [run('first', { destinationHash: 'to' }), run('x', { destinationHash: 'to' })])).toBe(
      'destination_used',
    )
  })
})
