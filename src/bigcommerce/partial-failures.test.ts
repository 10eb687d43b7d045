import { expect, test } from 'vitest'
import {
  decodeCategoryCreation,
  decodeCategoryUpdate,
  decodeMetafieldBatch,
  decodeOversizedBatch,
  decodePageCreation,
  decodeReferencedBatch,
} from './partial-failures.ts'

const categories = [{ name: 'A' }, { name: 'B' }, { name: 'C' }]

test('shape A matches created categories to the items that did not fail', () => {
  const errors = { status: 422, title: 'Invalid', errors: { '1.url': 'required', '1.name': 'taken' } }
  const body = {
    data: [
      { category_id: 7, name: 'A' },
      { category_id: 8, name: 'C' },
    ],
    errors,
    meta: { total: 3, success: 2, failed: 1 },
  }
  expect(decodeCategoryCreation(body, categories)).toEqual({
    saved: [
      { index: 0, item: { category_id: 7, name: 'A' } },
      { index: 2, item: { category_id: 8, name: 'C' } },
    ],
    failed: [{ index: 1, title: 'Invalid', errors: { url: 'required', name: 'taken' } }],
  })
})

test('shape A: all created, or none', () => {
  const created = {
    data: categories.map((category, index) => ({ ...category, category_id: index })),
    meta: { total: 3 },
  }
  expect(decodeCategoryCreation(created, categories)).toMatchObject({
    saved: [{ index: 0 }, { index: 1 }, { index: 2 }],
    failed: [],
  })
  const none = { status: 422, title: 'Invalid', errors: { '0.name': 'taken', '1.name': 'taken', '2.name': 'taken' } }
  expect(decodeCategoryCreation(none, categories)).toMatchObject({
    saved: [],
    failed: [{ index: 0 }, { index: 1 }, { index: 2 }],
  })
})

test.each([
  ['another number than did not fail', { data: [{ name: 'A' }], errors: { errors: { '1.url': 'x' } } }],
  ['another order', { data: [{ name: 'C' }, { name: 'A' }], errors: { errors: { '1.url': 'x' } } }],
  ['a failure without a position', { data: [{ name: 'A' }, { name: 'B' }], errors: { errors: { url: 'x' } } }],
  ['a position beyond the batch', { data: [{ name: 'A' }, { name: 'B' }], errors: { errors: { '3.url': 'x' } } }],
  ['an unknown format', 'oops'],
])('shape A answers unknown instead of guessing at %s', (_title, body) => {
  expect(decodeCategoryCreation(body, categories).saved).toBe('unknown')
})

test('shape B derives the saved items from the request when the counts agree', () => {
  const body = { errors: { '2.name': 'taken' }, meta: { total: 3, success: 2, failed: 1 } }
  expect(decodeCategoryUpdate(body, categories)).toEqual({
    saved: [
      { index: 0, item: { name: 'A' } },
      { index: 1, item: { name: 'B' } },
    ],
    failed: [{ index: 2, title: '', errors: { name: 'taken' } }],
  })
  expect(decodeCategoryUpdate({ meta: { total: 3, success: 3, failed: 0 } }, categories).saved).toHaveLength(3)
  expect(decodeCategoryUpdate({ ...body, meta: { success: 1 } }, categories).saved).toBe('unknown')
})

const metafield = (resource_id: number, key: string) => ({ resource_id, namespace: 'n', key, value: 'v' })

test('shape C finds saved metafields by their unique key, and a lone failure is the missing one', () => {
  const sent = [metafield(1, 'a'), metafield(1, 'b'), metafield(2, 'a')]
  const body = {
    data: [
      { id: 9, ...sent[2] },
      { id: 8, ...sent[0] },
    ],
    errors: [{ status: 409, title: 'Taken', errors: {} }],
  }
  expect(decodeMetafieldBatch(body, sent)).toEqual({
    saved: [
      { index: 2, item: { id: 9, ...sent[2] } },
      { index: 0, item: { id: 8, ...sent[0] } },
    ],
    failed: [{ index: 1, title: 'Taken', errors: {} }],
  })
})

test('shape C: several failures have no position, and a foreign item makes the outcome unknown', () => {
  const sent = [metafield(1, 'a'), metafield(1, 'b'), metafield(2, 'a')]
  const two = { data: [{ id: 9, ...sent[0] }], errors: [{ title: 'x' }, { title: 'y' }] }
  expect(decodeMetafieldBatch(two, sent).failed.map(({ index }) => index)).toEqual([null, null])
  expect(decodeMetafieldBatch({ data: [metafield(7, 'z')], errors: [] }, sent).saved).toBe('unknown')
  expect(decodeMetafieldBatch({ status: 422, title: 'No' }, sent)).toMatchObject({
    saved: 'unknown',
    failed: [{ title: 'No' }],
  })
})

test('shape C deletes by id', () => {
  expect(decodeMetafieldBatch({ data: [5], errors: [{ title: 'gone' }] }, [4, 5])).toEqual({
    saved: [{ index: 1, item: 5 }],
    failed: [{ index: 0, title: 'gone', errors: {} }],
  })
})

test('shape H names items by reference id and does not report the others', () => {
  const sent = [{ product_id: 10 }, { product_id: 11 }]
  const body = { status: 422, title: 'Invalid', errors: { 11: 'no such product', 99: 'what' } }
  expect(decodeReferencedBatch(body, sent, (item) => item.product_id)).toEqual({
    saved: 'unknown',
    failed: [
      { index: 1, title: 'Invalid', errors: { 11: 'no such product' } },
      { index: null, title: 'Invalid', errors: { 99: 'what' } },
    ],
  })
})

test('shape J may have created any of the pages', () => {
  expect(decodePageCreation({ status: 422, title: 'Input is invalid', detail: 'name is required' })).toEqual({
    saved: 'unknown',
    failed: [{ index: null, title: 'Input is invalid', errors: { detail: 'name is required' } }],
  })
})

test.each([
  ['The request payload is too large. The maximum items allowed in the array is 10.', 10],
  ['maximum trees allowed 50', 50],
  ['', null],
])('shape M saved nothing and names its limit: %j', (title, limitNamed) => {
  expect(decodeOversizedBatch({ status: 413, title, errors: {} })).toMatchObject({
    saved: [],
    limitNamed,
    failed: [{ title }],
  })
})
