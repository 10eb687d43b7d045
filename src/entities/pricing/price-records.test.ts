import { expect, test } from 'vitest'
import { draft } from '../core/draft.ts'
import { priceRecord } from './price-records.ts'

const desired = [7, 8].map((variant_id) =>
  draft(priceRecord.key, variant_id, { variant_id, currency: 'usd', price: 1 }, { parentId: '3' }),
)

/** @returns the variants of the prices that count as saved */
function savedAfter(batch_errors: unknown): unknown[] {
  const results = priceRecord.create?.results?.(422, { batch_errors }, desired, ['3', '3']) ?? []
  return results.flatMap((result) => ('saved' in result ? [result.saved.variant_id] : []))
}

const refused = { field_errors: { price: 'invalid' } }

test('the prices that a refusal names were not saved, the others were', () => {
  expect(savedAfter([{ data: { variant_id: 8, currency: 'USD' }, ...refused }])).toEqual([7])
})

test.each([
  ['names none of those sent', [{ data: { variant_id: 9, currency: 'usd' }, ...refused }]],
  ['names no price', [refused]],
  ['is empty', []],
  ['is no list', null],
])('no price counts as saved if a refusal %s', (_what, errors) => {
  expect(savedAfter(errors)).toEqual([])
})
