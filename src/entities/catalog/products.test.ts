import { describe, expect, test } from 'vitest'
import type { Draft } from '../core/draft.ts'
import { imageAddress } from '../core/image-file.ts'
import { identity, MissingReference, type References } from '../core/references.ts'
import { productDraft, products } from './products.ts'

const [root] = products.components

/** Translates every id into the id plus a thousand; the ids in `absent` have no counterpart. */
const toDestination = (...absent: string[]): References => {
  const find = (component: string, id: unknown) =>
    absent.includes(`${component}:${id}`) ? undefined : Number(id) + 1000
  return {
    want: find,
    find,
    has: (component, id) => find(component, id) !== undefined,
    wantText: (component, id) => find(component, id)?.toString(),
    picture: imageAddress,
    need: (component, id) => {
      const found = find(component, id)
      if (found === undefined) throw new MissingReference(component, String(id))
      return found
    },
  }
}

const lamp = {
  id: 5,
  name: 'Lamp',
  sku: 'L-1',
  type: 'physical',
  price: 10,
  brand_id: 7,
  categories: [3, 2],
  tax_class_id: 0,
  inventory_tracking: 'none',
  inventory_level: 9,
}

const creation = (draft: Draft) => root?.create?.call([{ draft, parentId: '', parent: null }]).body

describe('a product as it would be written', () => {
  test('names its brand and categories by their ids at the destination', () => {
    expect(productDraft(lamp, toDestination()).body).toMatchObject({ brand_id: 1007, categories: [1003, 1002] })
  })

  test('C4: leaves an absent brand or category out', () => {
    const { body } = productDraft(lamp, toDestination('brands:7', 'categories:3'))
    expect(body).toMatchObject({ brand_id: undefined, categories: [1002] })
  })

  test('keeps unknown fields, and drops those that are the platform’s own', () => {
    const { body } = productDraft(
      { ...lamp, new_field: { deep: true }, total_sold: 4, date_created: 'yesterday', calculated_price: 9 },
      identity,
    )
    expect(body).toMatchObject({ new_field: { deep: true } })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['total_sold']))
    for (const own of ['id', 'total_sold', 'date_created', 'calculated_price']) expect(body).not.toHaveProperty(own)
  })

  test('B6: is recognised by its SKU first, then by its name, both without regard to case', () => {
    expect(productDraft({ ...lamp, name: ' LAMP ' }, identity).keys).toEqual(['sku:l-1', 'name:lamp'])
    expect(productDraft({ ...lamp, sku: '' }, identity).keys).toEqual(['name:lamp'])
  })

  test('D1: has a level of stock unless that is the sum of its variants', () => {
    const level = (inventory_tracking: string) => productDraft({ ...lamp, inventory_tracking }, identity).body
    expect(level('variant')).not.toHaveProperty('inventory_level')
    expect(level('product')).toMatchObject({ inventory_level: 9 })
    expect(level('none')).toMatchObject({ inventory_level: 9 })
  })

  test('E2: is created in one call with its variants, images and custom fields', () => {
    const option_values = [{ id: 1, option_id: 2, label: 'S', option_display_name: 'Size' }]
    const draft = productDraft(
      {
        ...lamp,
        variants: [{ id: 8, sku: 'L-1-S', option_values }],
        images: [
          {
            id: 6,
            image_file: 'a/1/lamp__1.png',
            url_zoom: 'https://shop.example/lamp.png?c=1',
            is_thumbnail: true,
            sort_order: 0,
            description: '',
          },
        ],
        custom_fields: [{ id: 4, name: 'Care', value: 'Dust' }],
      },
      identity,
    )
    expect(creation(draft)).toMatchObject({
      name: 'Lamp',
      variants: [{ sku: 'L-1-S', option_values: [{ option_display_name: 'Size', label: 'S' }] }],
      images: [{ image_url: 'https://shop.example/lamp.png', is_thumbnail: true }],
      custom_fields: [{ name: 'Care', value: 'Dust' }],
    })
  })

  test('E2: a base variant comes into being by itself and is not sent', () => {
    expect(
      creation(productDraft({ ...lamp, variants: [{ id: 8, sku: 'L-1', option_values: [] }] }, identity)),
    ).not.toHaveProperty('variants')
  })
})

test('B5: correcting a product names its fields and no child', () => {
  const desired = productDraft({ ...lamp, custom_fields: [{ id: 4, name: 'Care', value: 'Dust' }] }, identity)
  const call = root?.update?.call(desired, { ...desired, id: '9' }, '', ['brand_id'])
  expect(call).toEqual({ method: 'PUT', path: '/v3/catalog/products/9', body: { brand_id: 7 } })
  const whole = root?.update?.call(desired, { ...desired, id: '9' }, '', 'all')
  for (const children of ['variants', 'images', 'custom_fields', 'options', 'modifiers'])
    expect(whole?.body).not.toHaveProperty(children)
})

test('B5: correcting an option sends the values that stand there by their ids, and never a value without one', () => {
  const options = products.components.find(({ key }) => key === 'product-options')
  const option = (id: number, values: [number, string][]) =>
    options?.read?.({
      id,
      display_name: 'Size',
      type: 'dropdown',
      option_values: values.map(([value, label]) => ({ id: value, label })),
    }) as Draft
  const call = options?.update?.call(
    option(1, [
      [11, 'S'],
      [12, 'M'],
    ]),
    option(2, [[21, 's']]),
    '9',
    'all',
  )
  expect(call).toMatchObject({
    path: '/v3/catalog/products/9/options/2',
    body: { option_values: [{ id: 21, label: 'S' }] },
  })
})
