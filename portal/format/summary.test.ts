import { expect, test } from 'vitest'
import { briefSummary } from './summary.ts'

test.each([
  'Waiting to start.',
  'Canceled at 40%. Copied 1,204 brands.',
  'Copied 60 categories, 40 brands and 998 products.',
])('a short summary stays as it is: %s', (sentence) => {
  expect(briefSummary(sentence)).toBe(sentence)
})

test('of the many kinds of a whole copy the best known are named, the others counted, and the rest of the sentence stays', () => {
  expect(
    briefSummary(
      'Copied 1 currency, 1 tax class, 6 categories, 4 brands, 1,211 products, 3 customer groups, 5 customers, 12 email templates, 9 orders and 44 stock levels; 62 items were left alone; 22 items need review.',
    ),
  ).toBe(
    'Copied 6 categories, 1,211 products, 5 customers, 9 orders and 6 more kinds; 62 items were left alone; 22 items need review.',
  )
})

test('where none of the best known is among many kinds, the first ones are named', () => {
  expect(
    briefSummary('Would copy 1 currency, 1 tax class, 2 locations, 3 scripts, 4 pages, 5 coupons and 6 banners.'),
  ).toBe('Would copy 1 currency, 1 tax class, 2 locations, 3 scripts and 3 more kinds.')
})
