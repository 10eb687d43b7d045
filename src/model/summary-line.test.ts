import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aCount, anyCounts, aRun } from '../../test/model/run-samples.ts'
import { type Mode, modes } from '../contract/modes.ts'
import { type MigrationStatus, migrationStatuses } from '../contract/status.ts'
import { countersOf, phaseResults, sumOf } from './results.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'
import { summaryLine } from './summary-line.ts'

type Waiting = 'waitingFor' | 'waitingStore' | 'waitingSince'

function lineOf(
  counts: ComponentCount[],
  {
    status = 'completed',
    mode = 'full',
    failuresOpen = 0,
    failureMessage = null as string | null,
    percent = 40,
    ...others
  }: Partial<Pick<RunFacts, 'failureMessage' | Waiting | 'healing' | 'healRound' | 'healChosen'>> & {
    status?: string
    mode?: string
    failuresOpen?: number
    percent?: number
  } = {},
): string {
  // Test tables widen the literals to string.
  const run = aRun({ status: status as MigrationStatus, mode: mode as Mode, failureMessage, ...others })
  const phases = phaseResults(run, counts)
  return summaryLine({ run, phases, counts, failuresOpen, ...sumOf(counts), percent })
}

const copied = [
  aCount('categories', { discovered: 60, created: 60 }),
  aCount('brands', { discovered: 40, created: 40 }),
  aCount('products', { discovered: 1_000, created: 998, failed: 2 }),
  aCount('product-images', { discovered: 5_000, created: 5_000 }),
]

test('names what was copied, by phase and not by component', () => {
  expect(lineOf(copied, { failuresOpen: 2, status: 'partial_completed' })).toBe(
    'Copied 60 categories, 40 brands and 998 products; 2 items need review.',
  )
})

test.each([
  [999, '999'],
  [1_000, '1,000'],
  [999_999, '999,999'],
  [1_000_000, '1,000,000'],
])('%i is written %s', (created, written) => {
  expect(lineOf([aCount('brands', { discovered: created, created })])).toBe(`Copied ${written} brands.`)
})

test('one is one', () => {
  expect(lineOf([aCount('brands', { discovered: 3, created: 1, matched: 1, skipped: 1 })], { failuresOpen: 1 })).toBe(
    'Copied 1 brand; 1 item was already the same; 1 item was left alone; 1 item needs review.',
  )
})

test.each([
  [
    'full',
    [{ created: 2 }, { updated: 1, matched: 8 }],
    'Copied 2 brands; updated 1 product; 8 items were already the same.',
  ],
  ['full', [{ matched: 4 }, { updated: 1 }], 'Updated 1 product; 4 items were already the same.'],
  ['dry-run', [{ created: 1 }, { updated: 2 }], 'Would copy 1 brand; would update 2 products.'],
  ['dry-run', [{}, { updated: 2 }], 'Would update 2 products.'],
] as const)('a %s run tells what it updated from what it copied', (mode, [brands, products], line) => {
  expect(lineOf([aCount('brands', brands), aCount('products', products)], { mode })).toBe(line)
})

test.each([
  ['full', 1, 'Copied or updated 1 part of an item; 5 items were already the same.'],
  ['dry-run', 3, 'Would copy or update 3 parts of items; 5 items are already the same.'],
])('a %s run of which only parts of items changed does not say that it copied nothing', (mode, created, line) => {
  const counts = [
    aCount('products', { discovered: 5, matched: 5 }),
    aCount('product-images', { discovered: 9, created }),
  ]
  expect(lineOf(counts, { mode })).toBe(line)
})

test('labels with an owner or ending in -sses also have a singular', () => {
  const phase = (key: string, label: string, head: string) => ({ key, label, components: [{ key, label: head }] })
  const run = aRun({
    status: 'completed',
    phases: [
      phase('tax-classes', 'Tax classes', 'Tax classes'),
      phase('channel-currencies', 'Currencies of channels', 'Currencies of channels'),
      phase('shipping-zones', 'Shipping', 'Shipping zones'),
    ],
  })
  const counts = [
    aCount('tax-classes', { discovered: 1, created: 1 }),
    aCount('channel-currencies', { discovered: 1, created: 1 }),
    aCount('shipping-zones', { discovered: 2, created: 2 }),
  ]
  const line = summaryLine({
    run,
    phases: phaseResults(run, counts),
    counts,
    failed: 0,
    failuresOpen: 0,
    pruned: 0,
    percent: 100,
  })
  expect(line).toBe('Copied 1 tax class, 1 currency of channels and 2 shipping zones.')
})

/** A finished copy of the kinds with these labels, each with one item more than the one before. */
function lineOfKinds(labels: string[]): string {
  const kinds = labels.map((label) => ({ label, key: label.toLowerCase().replaceAll(' ', '-') }))
  const phases = kinds.map(({ key, label }) => ({ key, label, components: [{ key, label }] }))
  const run = aRun({ status: 'completed', phases })
  const counts = kinds.map(({ key }, at) => aCount(key, { discovered: at + 1, created: at + 1 }))
  return summaryLine({
    run,
    phases: phaseResults(run, counts),
    counts,
    failed: 2,
    failuresOpen: 2,
    pruned: 0,
    percent: 100,
  })
}

test('of more than six kinds the best known are named and the others counted', () => {
  const six = ['Currencies', 'Tax classes', 'Categories', 'Brands', 'Products', 'Customers']
  expect(lineOfKinds(six)).toBe(
    'Copied 1 currency, 2 tax classes, 3 categories, 4 brands, 5 products and 6 customers; 2 items need review.',
  )
  expect(lineOfKinds([...six, 'Coupons'])).toBe(
    'Copied 3 categories, 5 products, 6 customers and 4 more kinds; 2 items need review.',
  )
})

test('where fewer than two of the best known are among many kinds, the first ones are named', () => {
  const kinds = ['Currencies', 'Tax classes', 'Locations', 'Scripts', 'Pages', 'Coupons', 'Orders']
  expect(lineOfKinds(kinds)).toBe(
    'Copied 1 currency, 2 tax classes, 3 locations, 4 scripts and 3 more kinds; 2 items need review.',
  )
})

test('G13: a second run tells what it compared from what it left alone', () => {
  const counts = [aCount('brands', { discovered: 40, matched: 40 }), aCount('products', { discovered: 9, skipped: 9 })]
  expect(lineOf(counts)).toBe('Copied nothing; 40 items were already the same; 9 items were left alone.')
})

test('what was left alone is the number of the counters, children included', () => {
  const counts = [
    aCount('products', { discovered: 9, skipped: 9 }),
    aCount('product-images', { discovered: 20, skipped: 20 }),
  ]
  expect(countersOf(counts).skipped).toBe(29)
  expect(lineOf(counts)).toBe('Copied nothing; 29 items were left alone.')
})

test.each([
  ['queued', 'Waiting to continue.'],
  ['in_progress', 'Copying, 40% done.'],
  ['paused', 'Paused at 40%.'],
  ['cancelled', 'Canceled at 40%. Copied 60 categories, 40 brands and 998 products.'],
])('a run that is %s', (status, line) => {
  expect(lineOf(copied, { status })).toBe(line)
})

test('a run that has not begun waits to start', () => {
  expect(lineOf([], { status: 'queued', percent: 0 })).toBe('Waiting to start.')
})

test('percents are whole numbers, and never round up to 100', () => {
  expect(lineOf(copied, { status: 'paused', percent: 99.9 })).toBe('Paused at 99%.')
})

test.each([
  ['source', 'Waiting for the source store abc123 since 2026-03-01 12:05 UTC, 40% done.'],
  ['destination', 'Waiting for the destination store abc123 since 2026-03-01 12:05 UTC, 40% done.'],
  ['quota', 'Waiting for the quota of the store abc123 since 2026-03-01 12:05 UTC, 40% done.'],
  ['database', 'Waiting for the database since 2026-03-01 12:05 UTC, 40% done.'],
] as const)('G8: a run in progress says that it waits for the %s, and since when', (waitingFor, line) => {
  const waitingSince = new Date('2026-03-01T12:05:30Z')
  expect(lineOf(copied, { status: 'in_progress', waitingFor, waitingStore: 'abc123', waitingSince })).toBe(line)
})

test.each([
  [{ healing: true }, 2, 'Trying 2 items again, 40% done.'],
  [{ healing: true }, 0, 'Trying again what could not be done, 40% done.'],
  [{ healRound: 1 }, 1, 'Trying 1 item again.'],
  [{ healRound: 1, status: 'queued' }, 2, 'Waiting to try 2 items again.'],
  [{ healRound: 2, healChosen: true }, 9, 'Trying the chosen items again.'],
  [{ healRound: 1, status: 'paused' }, 2, 'Paused at 40%; 2 items need review.'],
])('a run with %o and %i open failures says what it tries again', (healing, failuresOpen, line) => {
  expect(lineOf(copied, { status: 'in_progress', failuresOpen, ...healing })).toBe(line)
})

test('a run that waits while it tries again says what it waits for', () => {
  const waitingSince = new Date('2026-03-01T12:05:30Z')
  const waiting = { waitingFor: 'database', waitingStore: null, waitingSince } as const
  expect(lineOf(copied, { status: 'in_progress', healRound: 1, failuresOpen: 2, percent: 99.9, ...waiting })).toBe(
    'Waiting for the database since 2026-03-01 12:05 UTC, 99% done; 2 items need review.',
  )
})

test('a run that was paused because a person has to act gives the reason', () => {
  const line = lineOf(copied, { status: 'paused', failureMessage: 'The store did not accept its access token.' })
  expect(line).toBe('Paused at 40%. The store did not accept its access token.')
})

test('a failed run begins with its reason', () => {
  const line = lineOf([], { status: 'failed', failureMessage: 'The store did not accept its access token.' })
  expect(line).toBe('Stopped: The store did not accept its access token. Copied nothing.')
})

test('G3: children that were deleted count like whole items', () => {
  const counts = [
    aCount('brands', { discovered: 40, matched: 40, pruned: 3 }),
    aCount('product-images', { discovered: 9, created: 9, pruned: 5 }),
  ]
  expect(lineOf(counts)).toBe(
    'Copied or updated 9 parts of items; 40 items were already the same; 8 items were deleted.',
  )
})

test('G14: a dry run says what would be, and needs review is what it expects to fail', () => {
  const counts = [
    aCount('brands', { discovered: 47, created: 2, matched: 40, skipped: 1, failed: 4, pruned: 3 }),
    aCount('product-images', { discovered: 5, failed: 5 }),
  ]
  const line =
    'Would copy 2 brands; 40 items are already the same; 1 item would be left alone; 3 items would be deleted; 9 items would need review.'
  // Refused items are warnings in a dry run; only what depends on them is a failure.
  expect(lineOf(counts, { mode: 'dry-run', failuresOpen: 2 })).toBe(line)
  expect(lineOf(counts, { mode: 'dry-run', status: 'in_progress' })).toBe(
    'Trying out, 40% done; 9 items would need review.',
  )
})

test('a verify run counts equal and other items, children included, so that they add up', () => {
  const counts = [
    aCount('brands', { discovered: 40, matched: 38, skipped: 2 }),
    aCount('products', { discovered: 9, matched: 8, skipped: 1 }),
    aCount('product-images', { discovered: 1_000, matched: 1_000 }),
  ]
  expect(lineOf(counts, { mode: 'verify', failuresOpen: 2 })).toBe(
    'Compared 1,049 items: 1,046 are equal, 3 are not equal or not compared; 2 items need review.',
  )
})

test.each([
  [{ discovered: 40, matched: 40 }, 'Compared 40 items: all are equal.'],
  [{ discovered: 1, matched: 1 }, 'Compared 1 item: it is equal.'],
  [{ discovered: 2, matched: 1, skipped: 1 }, 'Compared 2 items: 1 is equal, 1 is not equal or not compared.'],
])('a verify run with the counts %o', (counted, line) => {
  expect(lineOf([aCount('brands', counted)], { mode: 'verify' })).toBe(line)
})

test('a verify run that compared nothing does not say that anything is equal', () => {
  expect(lineOf([aCount('brands')], { mode: 'verify' })).toBe('Compared nothing.')
})

test('there is a line for every status and mode', () => {
  fc.assert(
    fc.property(
      anyCounts,
      fc.constantFrom(...migrationStatuses),
      fc.constantFrom(...modes),
      fc.nat({ max: 9 }),
      (counts, status, mode, failuresOpen) => {
        expect(lineOf(counts, { status, mode, failuresOpen })).toMatch(/^[A-Z].+\.$/)
      },
    ),
  )
})
