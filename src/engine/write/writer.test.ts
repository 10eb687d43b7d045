import { expect, test } from 'vitest'
import { draft, type PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { type Order, outcomesOf } from './writer.ts'

const brands = componentOf('brands')
const path = '/v3/catalog/brands'

function ordered(read = (item: PlatformItem) => draft('brands', item.id, item)): Order {
  const wanted = draft('brands', 41, { name: 'Acme' }, { keys: ['name:acme'] })
  const entry = () => ({}) as ReturnType<Order['entry']>
  return { draft: wanted, parentId: '', parent: null, pass: 'brands', rootId: '41', parentIsNew: false, read, entry }
}

function outcomeOf(body: unknown) {
  const call = { method: 'POST' as const, path, body: { name: 'Acme' } }
  return outcomesOf(brands, [ordered()], { intentId: 1, httpStatus: 200, body, call })[0]?.[1]
}

test('what the platform says it saved stands under the id that it tells', () => {
  expect(outcomeOf({ data: { id: 7, name: 'Acme' } })).toMatchObject({ saved: { id: '7' }, partly: null })
})

test.each([
  ['no id', { name: 'Acme' }],
  ['an id of null', { id: null, name: 'Acme' }],
  ['an empty id', { id: '', name: 'Acme' }],
])('an answer with %s names no copy: the item is told as one of which nothing is known', (_what, data) => {
  const refused = { title: 'The platform did not say what became of it', errors: {}, method: 'POST', path }
  expect(outcomeOf({ data })).toEqual({ refused: { ...refused, httpStatus: 200 } })
})
