import { expect, test } from 'vitest'
import { brands } from '../../src/entities/brands.ts'
import { categories } from '../../src/entities/categories.ts'
import { products } from '../../src/entities/products.ts'
import * as subjects from './subjects.ts'

/** A tree comes with its storefront; a copy makes one only where a storefront has none, which the windows' stores have not. */
const made = ['category-trees']

test('every component of the catalogue has kill windows: its own, or those of what carries it', () => {
  const own = Object.values(subjects).flatMap((one) =>
    typeof one === 'object' && 'component' in one ? [one.component] : [],
  )
  const known = [...own, ...Object.keys(subjects.carriedBy), ...made]
  const components = [categories, brands, products].flatMap((entity) => entity.components.map(({ key }) => key))
  expect(components.filter((key) => !known.includes(key))).toEqual([])
})
