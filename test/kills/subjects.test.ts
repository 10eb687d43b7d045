import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import * as subjects from './subjects.ts'

/** Stands in every store, a tree with its storefront: a copy makes one only where there is none, which the windows' stores have not. */
const made = [
  ...['category-trees', 'store-settings', 'store-contacts', 'channel-currencies', 'tax-settings'],
  ...['customer-settings', 'channel-customer-settings', 'theme-templates', 'email-templates'],
  ...['available-filters', 'search-filters', 'promotion-settings'],
]

const creating = entities.flatMap(({ components }) => components).filter(({ create }) => create)
const own = Object.values(subjects).flatMap((one) =>
  typeof one === 'object' && 'component' in one ? [one.component] : [],
)

test('every component that is created has kill windows: its own, or those of what carries it', () => {
  const known = [...own, ...Object.keys(subjects.carriedBy), ...made]
  expect(creating.map(({ key }) => key).filter((key) => !known.includes(key))).toEqual([])
})

test('what is carried, and what is never made, are components without windows of their own', () => {
  for (const key of [...Object.keys(subjects.carriedBy), ...made]) {
    expect(creating.map((component) => component.key)).toContain(key)
    expect(own).not.toContain(key)
  }
})
