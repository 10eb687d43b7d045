import { expect, test } from 'vitest'
import { pathTemplate, shapeOf } from './answer-shape.ts'

test.each([
  ['/v3/catalog/products/17/images', '/v3/catalog/products/{id}/images'],
  ['/v3/segments/22acb47e-eea4-4759-ad8f-132f0786a0da', '/v3/segments/{id}'],
  ['/v3/catalog/trees/categories', '/v3/catalog/trees/categories'],
  ['/v2/shipping/zones/5/methods/6', '/v2/shipping/zones/{id}/methods/{id}'],
  ['/v3/themes/widget-templates', '/v3/themes/widget-templates'],
])('%s is a path of %s', (path, template) => {
  expect(pathTemplate(path)).toBe(template)
})

const refused = {
  method: 'POST',
  path: '/v3/catalog/products',
  query: { include: 'variants', page: undefined },
  sent: { name: 'Amber Sneaker', sku: 'AS-17', variants: [{ price: 10 }, { price: null }] },
  httpStatus: 409,
  headers: { 'content-type': 'application/json', 'x-request-id': 'secret' },
  body: {
    status: 409,
    title: 'The sku AS-17 of "Amber Sneaker" is a duplicate for ann@example.com',
    errors: { '0.name': 'Amber', 'a b': 1 },
  },
}

test('the shape of a refusal has names, types and the title, and nothing of what was sent', () => {
  expect(shapeOf(refused)).toEqual({
    method: 'POST',
    path: '/v3/catalog/products',
    parameters: ['include'],
    sent: {
      '': 'object',
      name: 'text',
      sku: 'text',
      variants: 'list',
      'variants[]': 'object',
      'variants[].price': 'null|number',
    },
    httpStatus: 409,
    headers: ['content-type', 'x-request-id'],
    title: 'The sku ... of "..." is a duplicate for ...',
    body: {
      '': 'object',
      status: 'number',
      title: 'text',
      errors: 'object',
      'errors.{n}.name': 'text',
      'errors.{key}': 'number',
    },
  })
})

test('an unquoted word of a title that was sent is left out, whatever its capitals', () => {
  const title = 'Another product is called amber sneaker already'
  expect(shapeOf({ ...refused, body: { title } }).title).toBe('Another product is called ... ... already')
})

test('the title of an answer that is no refusal is not kept', () => {
  expect(shapeOf({ ...refused, httpStatus: 200 }).title).toBe('')
})
