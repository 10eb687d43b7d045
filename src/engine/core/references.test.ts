import { expect, test } from 'vitest'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { categories } from '../../entities/catalog/categories.ts'
import { products } from '../../entities/catalog/products.ts'
import { draftWithout } from './references.ts'

const mapped = (component: string, sourceId: string, destinationId: string): [string, Mapping] => [
  `${component}:${sourceId}`,
  {
    scope: 'store',
    component,
    sourceId,
    destinationId,
    origin: 'created',
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId: 'a run',
  },
]
const passOf = (entity: typeof products, key: string) => {
  const pass = entity.passes.find((one) => one.key === key)
  if (!pass) throw new Error(`No pass ${key}`)
  return pass
}

test('C1: a product that may have lacked its brand is drafted without it', () => {
  const known = new Map([mapped('brands', '7', '70')])
  const item = { id: 1, name: 'Lamp', brand_id: 7, categories: [] }
  const pass = passOf(products, 'products')
  expect(draftWithout(pass, item, { known }, []).body.brand_id).toBe(70)
  expect(draftWithout(pass, item, { known }, ['reference:brands:7']).body.brand_id).toBeUndefined()
})

test('C5: a category whose creator died cannot have lacked its parent, or it would not have been written', () => {
  const known = new Map([mapped('category-trees', '1', '10'), mapped('categories', '4', '40')])
  const item = { category_id: 5, tree_id: 1, parent_id: 4, name: 'Shoes' }
  const draft = draftWithout(passOf(categories, 'categories'), item, { known }, ['reference:categories:4'])
  expect(draft.body.parent_id).toBe(40)
})
