import { expect, test } from 'vitest'
import type { DifferenceCounts } from '../../data/findings.ts'
import { entriesOf } from './activity-entries.ts'
import { verdictOf } from './verdict.ts'

type Count = DifferenceCounts['counts'][number]

const none = { phase: 'brands', living: 0, kept: 0, dismissed: 0, changedMeanwhile: 0 }
const counts = (...given: Partial<Count>[]): DifferenceCounts => ({
  mode: 'verify',
  status: 'completed',
  verifies: null,
  compared: 8_294,
  matched: 8_249,
  counts: given.map((one) => ({ ...none, kind: 'different', count: 0, ...one })),
})

test('the parts of the verdict add up to all items; what follows is about some of them, or about others', () => {
  const { isRight, sentence } = verdictOf({
    ...counts(
      { count: 10, living: 2 },
      { kind: 'missing', count: 4, kept: 1 },
      { kind: 'extra', count: 5, kept: 2 },
      { phase: 'products', count: 0 },
    ),
    compared: 404 + 1,
    matched: 392,
  })
  expect(isRight).toBe(false)
  expect(sentence).toBe(
    [
      'Of 405 items, 392 are equal, 8 differ, 3 are missing, 1 was deleted there and left so and 1 belongs to missing items or could not be compared.',
      '3 more are only in the destination.',
      '2 more are only in the destination and stay: shoppers made them, the store needs them, or they were copied from elsewhere.',
      'In 2 of the equal ones, values that your shop changes itself, such as stock, are not the same.',
    ].join(' '),
  )
})

test('a copy is right when nothing differs, or only in what the shop changes itself or a person accepted', () => {
  expect(verdictOf(counts())).toEqual({
    isRight: true,
    sentence: 'Of 8,294 items, 8,249 are equal and 45 could not be compared.',
  })
  const equal = { ...counts({ count: 4, living: 4 }), matched: 8_294 }
  expect(verdictOf(equal)).toEqual({
    isRight: true,
    sentence:
      'All 8,294 items are equal. In 4 of the equal ones, values that your shop changes itself, such as stock, are not the same.',
  })
  expect(verdictOf(counts({ count: 4, living: 4 })).isRight).toBe(true)
  expect(verdictOf(counts({ count: 2, dismissed: 2 })).isRight).toBe(true)
  expect(verdictOf(counts({ count: 2, dismissed: 1 })).isRight).toBe(false)
  expect(verdictOf({ ...counts({ count: 2, dismissed: 2 }), matched: 8_292 }).sentence).toBe(
    'Of 8,294 items, 8,292 are equal and 2 differ. 2 of these findings were accepted as they are.',
  )
})

test('where nothing was compared, nothing is said to be right', () => {
  expect(verdictOf({ ...counts(), compared: 0, matched: 0 })).toEqual({
    isRight: false,
    sentence: 'Nothing was compared.',
  })
  expect(verdictOf({ ...counts({ kind: 'extra', count: 1 }), compared: 0, matched: 0 }).sentence).toBe(
    'Nothing was compared. 1 more is only in the destination.',
  )
})

test('to accept what is no fault does not make anything else right', () => {
  expect(verdictOf(counts({ count: 2 }, { phase: 'products', count: 3, living: 3, dismissed: 3 })).isRight).toBe(false)
})

test('activity is newest first, and a step that has ended is one line with the time it took', () => {
  const event = (at: string, name: string, phase: string | null = null, by: string | null = null) => ({
    at: `2026-05-04T${at}Z`,
    event: name,
    phase,
    reason: null,
    by,
  })
  const events = [
    event('16:00:00', 'created', null, 'Olive Reed'),
    event('16:00:01', 'phase_started', 'brands'),
    event('16:10:01', 'phase_finished', 'brands'),
    event('16:10:02', 'phase_started', 'products'),
    event('16:11:00', `${'asked_to_'}pause`, null, 'Hal Dent'),
  ]
  const phases = [{ key: 'brands', label: 'Brands' }] as Parameters<typeof entriesOf>[1]['phases']
  expect(entriesOf(events, { phases }).map(({ what, by, took }) => [what, by, took])).toEqual([
    ['Asked to pause', 'Hal Dent', null],
    ['Began products', null, null],
    ['Finished brands', null, 'about 10 min'],
    ['Created', 'Olive Reed', null],
  ])
})
