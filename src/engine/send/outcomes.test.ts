import { expect, test } from 'vitest'
import { draft, type PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { outcomesOf } from './outcomes.ts'
import type { CreateRequest } from './writes.ts'

const brands = componentOf('brands')
const path = '/v3/catalog/brands'

function requested(read = (item: PlatformItem) => draft('brands', item.id, item)): CreateRequest {
  const desired = draft('brands', 41, { name: 'Acme' }, { keys: ['name:acme'] })
  const entry = () => async () => undefined
  return { draft: desired, parentId: '', parent: null, pass: 'brands', rootId: '41', parentIsNew: false, read, entry }
}

function outcomeOf(body: unknown) {
  const call = { method: 'POST' as const, path, body: { name: 'Acme' } }
  const answer = { kind: 'answered' as const, intentId: 1, httpStatus: 200, body, call, refusal: null }
  return outcomesOf(brands, [requested()], answer)[0]?.[1]
}

test('a saved item has the id that the platform answers', () => {
  expect(outcomeOf({ data: { id: 7, name: 'Acme' } })).toMatchObject({
    kind: 'saved',
    saved: { id: '7' },
    partly: null,
  })
})

test.each([
  ['no id', { name: 'Acme' }],
  ['an id of null', { id: null, name: 'Acme' }],
  ['an empty id', { id: '', name: 'Acme' }],
])('an answer with %s names no copy, which is looked up', (_what, data) => {
  expect(outcomeOf({ data })).toMatchObject({ kind: 'to-find' })
})
