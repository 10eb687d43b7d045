import { expect, test } from 'vitest'
import type { PlatformItem } from '../core/draft.ts'
import { identity } from '../core/references.ts'
import { categories } from './categories.ts'

const keysOf = (item: PlatformItem) =>
  categories.passes.find(({ key }) => key === 'categories')?.drafts({ category_id: 7, ...item }, identity).keys

const shoes = { name: 'Shoes', tree_id: 1, parent_id: 2 }

test('B6: a category is known by its name, capitals aside, below its parent in its tree', () => {
  expect(keysOf({ ...shoes, name: ' SHOES ' })).toEqual(keysOf(shoes))
  for (const other of [{ parent_id: 3 }, { parent_id: 0 }, { tree_id: 4 }, { name: 'Boots' }])
    expect(keysOf({ ...shoes, ...other })).not.toEqual(keysOf(shoes))
})
