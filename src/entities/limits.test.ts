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
const many = (count: number, component: string) => Array.from({ length: count }, () => item(component, {}))

test.each<[string, Judged, string | undefined]>([
  ['a product as it should be', item('products', lamp), undefined],
  ['a name at its limit', item('products', { ...lamp, name: '🦊'.repeat(250) }), undefined],
  ['a name beyond it', item('products', { ...lamp, name: 'x'.repeat(251) }), 'products.name: at most 250 characters'],
  ['no weight', item('products', { ...lamp, weight: null }), 'products.weight: required'],
  ['a price below nothing', item('products', { ...lamp, price: -0.01 }), 'products.price: at least 0'],
  ['600 variants', item('products', lamp, many(600, 'product-variants')), undefined],
  ['601', item('products', lamp, many(601, 'product-variants')), 'products: at most 600 product-variants'],
  ['a hidden price of what is sold', item('products', { ...lamp, is_price_hidden: true }), expect.any(String)],
  [
    'a child inside its parent',
    item('products', lamp, [item('product-custom-fields', { name: 'a', value: '' })]),
    'product-custom-fields.value: required',
  ],
  ['a component without rules', item('category-trees', {}), undefined],
])('F2: the rule for %s', (_, judged, rule) => {
  expect(predictRefusal(judged, 'create', limitsOf)?.rule).toEqual(rule)
})

test('F2: an update is judged only by the fields it sends', () => {
  expect(predictRefusal(item('products', { price: 2 }), 'update', limitsOf)).toBeUndefined()
  expect(predictRefusal(item('products', { name: '' }), 'update', limitsOf)?.rule).toBe('products.name: required')
})
