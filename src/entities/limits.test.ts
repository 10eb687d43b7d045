import { expect, test } from 'vitest'
import { type Judged, predictRefusal } from '../model/refusal-rules.ts'
import { limitsOf } from './registry.ts'

const item = (component: string, body: object, children: Judged[] = []): Judged => ({
  component,
  body: { ...body },
  name: null,
  inline: true,
  children,
})
const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
const fieldWithoutValue = item('product-custom-fields', { name: 'a', value: '' })
const longAddress = item('product-images', { image_url: 'x'.repeat(256) })
const many = (count: number, component: string) => Array.from({ length: count }, () => item(component, {}))

test.each<[string, Judged, string | undefined]>([
  ['a product as it should be', item('products', lamp), undefined],
  ['a name at its limit', item('products', { ...lamp, name: '🦊'.repeat(250) }), undefined],
  ['a name beyond it', item('products', { ...lamp, name: 'x'.repeat(251) }), 'products.name: at most 250 characters'],
  ['no weight', item('products', { ...lamp, weight: null }), 'products.weight: required'],
  ['a type that is not known', item('products', { ...lamp, type: 'x' }), 'products.type: one of physical, digital'],
  ['a price of nothing', item('products', { ...lamp, price: 0 }), undefined],
  ['a price below nothing', item('products', { ...lamp, price: -0.01 }), 'products.price: at least 0'],
  ['as much as can be in stock', item('products', { ...lamp, inventory_level: 2 ** 31 - 1 }), undefined],
  ['more', item('products', { ...lamp, inventory_level: 2 ** 31 }), 'products.inventory_level: at most 2147483647'],
  ['50 related products', item('products', { ...lamp, related_products: Array(50).fill(1) }), undefined],
  [
    '51',
    item('products', { ...lamp, related_products: Array(51).fill(1) }),
    'products.related_products: at most 50 of them',
  ],
  ['600 variants', item('products', lamp, many(600, 'product-variants')), undefined],
  ['601', item('products', lamp, many(601, 'product-variants')), 'products: at most 600 product-variants'],
  ['a hidden price of what is sold', item('products', { ...lamp, is_price_hidden: true }), expect.any(String)],
  ['a child inside its parent', item('products', lamp, [fieldWithoutValue]), 'product-custom-fields.value: required'],
  [
    'a child that is sent by itself later',
    item('products', lamp, [{ ...fieldWithoutValue, inline: false }]),
    undefined,
  ],
  ['a long address of a picture', longAddress, 'product-images.image_url: at most 255 characters'],
  [
    'the same inside its product, where the platform does not check it',
    item('products', lamp, [longAddress]),
    undefined,
  ],
  ['a component without rules', item('category-trees', {}), undefined],
])('F2: the rule for %s', (_, judged, rule) => {
  expect(predictRefusal(judged, 'create', limitsOf)?.rule).toEqual(rule)
})

test('F2: an update is judged only by the fields it sends', () => {
  const updates = [item('products', { price: 2 }), item('products', {}, [fieldWithoutValue])]
  for (const update of [...updates, item('products', { is_price_hidden: true })])
    expect(predictRefusal(update, 'update', limitsOf)).toBeUndefined()
  expect(predictRefusal(item('products', { name: '' }), 'update', limitsOf)?.rule).toBe('products.name: required')
})
