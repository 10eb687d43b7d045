import { expect, test } from 'vitest'
import { minimumCalls, type StoreState } from './minimum-calls.ts'

const batches = { categories: 10, channelAssignments: 250, metafields: 50 }
/** Store information, one call per empty list, and the settings of every store. */
const lists = 53
const nothing = { channels: [{ id: 1 }] }
const writesOf = (source: StoreState) => minimumCalls(source, nothing, batches).destinationWrites

function many(count: number, fields: (id: number) => Record<string, unknown> = () => ({})) {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1, ...fields(index + 1) }))
}

test('an empty store still costs the calls that find it empty', () => {
  expect(minimumCalls({}, {}, batches)).toEqual({ sourceReads: lists, destinationListing: lists, destinationWrites: 0 })
})

test.each([
  [10, 1],
  [11, 2],
])('%i products with their options are read in %i pages', (products, expected) => {
  expect(minimumCalls({ products: many(products) }, {}, batches).sourceReads).toBe(lists - 1 + expected)
})

test.each([
  [250, 1],
  [251, 2],
])('%i brands are read in %i pages', (brands, expected) => {
  expect(minimumCalls({ brands: many(brands) }, {}, batches).sourceReads).toBe(lists - 1 + expected)
})

test('categories are created in batches, level by level', () => {
  const top = many(11, () => ({ parent_id: 0 }))
  const child = { id: 20, parent_id: 11 }
  const grandchild = { id: 21, parent_id: 20 }
  expect(writesOf({ categories: [...top, child, grandchild] })).toBe(2 + 1 + 1)
})

test('a product with everything its creation can carry is one call', () => {
  expect(writesOf({ products: many(1), images: many(5), custom_fields: many(3), variants: many(1) })).toBe(1)
})

function withOption(option: object, values: object[], variants: object[]): StoreState {
  return {
    options: [{ id: 1, product_id: 1, type: 'radio_buttons', sort_order: 0, config: [], ...option }],
    option_values: values.map((value, index) => ({
      ...{ id: index + 1, option_id: 1, sort_order: index, value_data: null, is_default: false },
      ...value,
    })),
    variants: variants.map((variant, index) => ({ id: index + 1, product_id: 1, ...variant })),
  }
}
const choice = (id: number) => ({ option_values: [{ option_id: 1, id }] })

test.each([
  ['that is the platform’s default', {}, [{}, {}], [choice(1), choice(2)], 0],
  ['that is a swatch', { type: 'swatch' }, [{}, {}], [choice(1), choice(2)], 1],
  ['with a colour', {}, [{ value_data: { colors: ['#fff'] } }, {}], [choice(1), choice(2)], 1],
  ['whose values are in another order', {}, [{}, {}], [choice(2), choice(1)], 1],
  ['with a value that no variant uses', {}, [{}, {}], [choice(1)], 1],
  ['that no variant uses', {}, [{}, {}], [], 1],
])('an option %s', (_title, option, values, variants, expected) => {
  expect(writesOf(withOption(option, values, variants))).toBe(expected)
})

test('a modifier is one call, and a checkbox that changes the price is another', () => {
  const adjusters = { price: { adjuster: 'relative', adjuster_value: 5 }, weight: {} }
  const modifiers = [
    { id: 1, type: 'text' },
    { id: 2, type: 'checkbox' },
    { id: 3, type: 'checkbox' },
  ]
  const values = [
    { id: 1, modifier_id: 2, adjusters },
    { id: 2, modifier_id: 3, adjusters: { price: {}, weight: {}, image_url: '' } },
  ]
  expect(writesOf({ modifiers, modifier_values: values })).toBe(4)
})

test.each([
  [250, 1],
  [251, 2],
])('%i channel assignments are written in %i batches', (assignments, expected) => {
  expect(writesOf({ product_channel_assignments: many(assignments, () => ({ channel_id: 1 })) })).toBe(expected)
})

test('an assignment to a channel that the destination does not have is not written', () => {
  expect(writesOf({ product_channel_assignments: many(1, () => ({ channel_id: 2 })) })).toBe(0)
})

test('the product order is read per category, and rules per product with options', () => {
  const choices = many(3, (id) => ({ product_id: id < 3 ? 1 : 2 }))
  expect(minimumCalls({ categories: many(4), modifier_values: choices }, {}, batches).sourceReads).toBe(lists + 4 + 2)
})

test('separate calls for children count: reviews, rules, product order, related products', () => {
  const products = many(11, () => ({ related_products: [1] }))
  const links = many(3, (id) => ({ category_id: 1, sort_order: id === 1 ? null : id }))
  expect(writesOf({ products, reviews: many(2), complex_rules: many(3), product_categories: links })).toBe(
    11 + 2 + 2 + 3 + 1,
  )
})

test('segments, shopper profiles and members of a segment take one call per fifty', () => {
  const segment_members = many(101, (id) => ({ segment_id: id > 100 ? 2 : 1 }))
  expect(writesOf({ segments: many(51), shopper_profiles: many(50), segment_members })).toBe(2 + 1 + 2 + 1)
})

test('wishlists take one call each, and are read in one list', () => {
  const source = { wishlists: many(251) }
  expect(writesOf(source)).toBe(251)
  expect(minimumCalls(source, nothing, batches).sourceReads).toBe(lists + 1)
})

test('discounts take one call each, an active promotion one more at the end, and codes are read per promotion', () => {
  const promotions = [
    { id: 1, redemption_type: 'AUTOMATIC', status: 'ENABLED' },
    { id: 2, redemption_type: 'COUPON', status: 'DISABLED' },
    { id: 3, redemption_type: 'COUPON', status: 'ENABLED' },
  ]
  const promotion_codes = many(251, () => ({ promotion_id: 2 }))
  const source = { promotions, promotion_codes, coupons: many(4), gift_certificates: many(5) }
  expect(writesOf(source)).toBe(3 + 2 + 251 + 4 + 5)
  expect(minimumCalls(source, nothing, batches).sourceReads).toBe(lists + 2 + 1)
})

test('defaults of every store are left as they are, and the rest is created in batches', () => {
  const named = (count: number) => many(count, (id) => ({ name: `Class ${id}`, currency_code: `C${id}` }))
  const born = { tax_classes: named(3), currencies: named(1), locations: many(1), tax_zones: many(1) }
  const source = { tax_classes: named(5), currencies: named(3), locations: many(12), tax_zones: many(2) }
  const destination = { ...nothing, ...born }
  expect(minimumCalls(source, destination, batches).destinationWrites).toBe(1 + 2 + 2 + 1)
  expect(minimumCalls(born, destination, batches).destinationWrites).toBe(0)
})

test('shipping methods are read per zone and created one by one, except those of carriers', () => {
  const shipping_methods = [
    { id: 1, type: 'weight' },
    { id: 2, type: 'upsready' },
  ]
  const source = { shipping_zones: many(2), shipping_methods }
  expect(writesOf(source)).toBe(2 + 1)
  expect(minimumCalls(source, nothing, batches).sourceReads).toBe(lists + 2)
})

test('settings are read per group for the store and each storefront, and written where a storefront has its own', () => {
  const channels = [
    { id: 1, type: 'storefront', status: 'active' },
    { id: 2, type: 'marketplace', status: 'active' },
  ]
  const settings = many(4, (id) => ({ channel_id: id === 4 ? 0 : id }))
  expect(minimumCalls({ channels, settings }, nothing, batches).sourceReads).toBe(lists + 16)
  expect(writesOf({ channels, settings })).toBe(1)
})

test.each([
  ['as many as its creation carries', 10, 0, 0],
  ['more than that', 12, 1, 1],
])('a customer with %s of addresses and values', (_title, count, more, reads) => {
  const parts = many(count, () => ({ customer_id: 1 }))
  const source = { customers: many(1), customer_addresses: parts, customer_attribute_values: parts }
  expect(writesOf(source)).toBe(1 + 2 * more)
  expect(minimumCalls(source, nothing, batches).sourceReads).toBe(lists + 2 * reads)
})

test('customers are created ten per call, subscribers one by one', () => {
  expect(writesOf({ customers: many(21), subscribers: many(7), customer_attributes: many(3) })).toBe(3 + 7 + 1)
})

test('pages and posts are created one by one, redirects fifty per call', () => {
  expect(writesOf({ pages: many(3), blog_posts: many(4), redirects: many(51) })).toBe(3 + 4 + 2)
})
