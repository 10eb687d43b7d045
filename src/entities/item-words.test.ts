import { expect, test } from 'vitest'
import { calledItem, describePending, itemWords, plainName } from './item-words.ts'

test.each([
  ['product-variants', '36976', 'variant 36976'],
  ['brands', '7', 'brand 7'],
  ['categories', '7', 'category 7'],
  ['customer-addresses', '7', 'customer address 7'],
  ['channel-currencies', '7', 'currency of channels 7'],
  ['channels', '1', 'channel 1'],
  ['available-filters', 'cHJvZHVjdDpjb2xvcg==', 'an item of "Filters that shoppers can have"'],
])('item %s %s is "%s" in a sentence', (component, id, words) => {
  expect(itemWords({ component, id })).toBe(words)
})

test.each([
  ['brands', '7', 'Acme', '"Acme" (source 7)'],
  ['segments', '6b1f2c7e-8a55-4b39-9f21-0d5c5c1f7d10', 'Big spenders', '"Big spenders"'],
  ['available-filters', 'cHJvZHVjdDpjb2xvcg==', 'Color', '"Color"'],
  ['page-widgets', '1|pages/home|', null, '"Page widget"'],
  ['tax-rates', '7', null, '"Tax rate 7"'],
  ['customers', '7', 'Customer 7', '"Customer 7"'],
])('an issue calls item %s %s with the name %s: %s', (component, id, name, words) => {
  expect(calledItem({ component, id, name })).toBe(words)
})

test.each([
  ['orders', '23100', 'Order 23100'],
  ['customer-addresses', '7', 'Customer address 7'],
  ['shopper-profiles', '6b1f2c7e-8a55-4b39-9f21-0d5c5c1f7d10', 'Shopper profile 6b1f2c7e-8a55-4b39-9f21-0d5c5c1f7d10'],
])('lists call item %s %s "%s"', (component, id, name) => {
  expect(plainName({ component, id })).toBe(name)
})

test('an item that only the destination has is called by its id there', () => {
  expect(calledItem({ component: 'brands', id: '7', name: 'Acme' }, 'destination')).toBe('"Acme" (destination 7)')
})

test('what a copy lacks reads as words', () => {
  const filters = ['reference:available-filters:cHI=', 'reference:available-filters:cHM=']
  expect(describePending(['reference:brands:7', 'link:products:5', 'children', ...filters])).toBe(
    'brand 7, product 5, children, an item of "Filters that shoppers can have"',
  )
})
