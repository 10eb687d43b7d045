import { address, mark, ref, type Step } from '../call.ts'
import { type Operation, stepsOf } from '../operations.ts'
import { about, accepted, anyOf, data, last, status, titled } from '../verdict.ts'

const brands = '/v3/catalog/brands'
const categories = '/v3/catalog/trees/categories'
export const products = '/v3/catalog/products'

const brand: Operation = {
  key: 'brand',
  path: brands,
  body: {
    name: mark('brand'),
    page_title: 'Title',
    meta_keywords: ['word'],
    meta_description: 'Description',
    search_keywords: 'word',
    custom_url: { url: address('brand'), is_customized: true },
  },
  again: { documented: last(status(409)), seen: last(status(422)) },
  required: ['name'],
  nullable: ['page_title', 'meta_keywords', 'meta_description', 'search_keywords', 'image_url', 'custom_url'],
  texts: ['page_title', 'meta_description', 'search_keywords', 'image_url'],
  one: { path: `${brands}/{brand}`, body: { page_title: 'Other title' } },
}

const category: Operation = {
  key: 'category',
  path: categories,
  batch: true,
  id: 'category_id',
  body: {
    name: mark('category'),
    tree_id: ref('tree'),
    parent_id: 0,
    description: '<p>Description</p>',
    meta_keywords: ['word'],
    meta_description: 'Description',
    page_title: 'Title',
    search_keywords: 'word',
    url: { path: address('category'), is_customized: true },
  },
  again: { documented: last(status(409, 422)), seen: last(status(207)) },
  required: ['name', 'tree_id', 'url'],
  nullable: ['description', 'meta_keywords', 'meta_description', 'page_title', 'search_keywords', 'image_url', 'url'],
  texts: ['description', 'meta_description', 'page_title', 'search_keywords', 'image_url', 'layout_file'],
  one: { path: categories, batch: true, id: 'category_id', body: { page_title: 'Other title' } },
}

const sellable = { type: 'physical', weight: 1, price: 10, is_visible: false }

const product: Operation = {
  key: 'product',
  path: products,
  body: {
    ...sellable,
    name: mark('product'),
    sku: mark('product'),
    description: '<p>Description</p>',
    brand_id: ref('brand'),
    categories: [ref('category')],
    inventory_tracking: 'product',
    inventory_level: 5,
    search_keywords: 'word',
    page_title: 'Title',
    meta_keywords: ['word'],
    meta_description: 'Description',
    availability_description: 'Soon',
    warranty: 'One year',
    custom_url: { url: address('product'), is_customized: true },
    custom_fields: [{ name: 'Care', value: 'Dust it' }],
    bulk_pricing_rules: [{ quantity_min: 10, quantity_max: 19, type: 'price', amount: 2 }],
  },
  finds: { 'base variant': 'base_variant_id' },
  again: { documented: last(status(409), titled(/duplicate/i)) },
  required: ['name', 'type', 'price', 'weight'],
  nullable: ['sku', 'description', 'brand_id', 'categories', 'page_title', 'meta_keywords', 'custom_url', 'warranty'],
  texts: ['sku', 'description', 'page_title', 'meta_description', 'search_keywords', 'warranty', 'layout_file', 'upc'],
  one: { path: `${products}/{product}`, body: { warranty: 'Two years' } },
}

const variantsOf = (name: string) =>
  ['Red', 'Blue'].map((label) => ({
    sku: mark(`${name}-${label.toLowerCase()}`),
    option_values: [{ option_display_name: 'Colour', label }],
  }))

/** Variants in the body of a product; the platform derives the options from them. */
const withVariants: Operation = {
  key: 'product with variants',
  path: products,
  body: { ...sellable, name: mark('coloured'), inventory_tracking: 'variant', variants: variantsOf('coloured') },
  finds: {
    variant: 'variants.0.id',
    'second variant': 'variants.1.id',
    option: 'variants.0.option_values.0.option_id',
    value: 'variants.0.option_values.0.id',
  },
  again: null,
}

const setOfRefusals: Step[] = [
  {
    key: 'product: name taken',
    needs: ['product'],
    question: 'What does a new product with a taken name answer?',
    calls: [{ method: 'POST', path: products, body: { ...sellable, name: mark('product'), sku: mark('other') } }],
    documented: last(status(409), titled(/name is a duplicate/i)),
    quick: true,
  },
  {
    key: 'product: sku taken',
    needs: ['product'],
    question: 'What does a new product with a taken SKU answer?',
    calls: [{ method: 'POST', path: products, body: { ...sellable, name: mark('other'), sku: mark('product') } }],
    documented: last(status(409), titled(/sku is a duplicate/i)),
    quick: true,
  },
  {
    key: 'product: address taken',
    needs: ['product'],
    question: 'What does a new product with a taken web address answer?',
    calls: [
      {
        method: 'POST',
        path: products,
        body: { ...sellable, name: mark('same-address'), custom_url: { url: address('product'), is_customized: true } },
      },
    ],
    documented: last(status(409)),
    seen: last(status(207, 422)),
    quick: true,
  },
  {
    key: 'product: address taken on change',
    needs: ['product'],
    question: 'Is the rest of a product saved when its new web address is taken?',
    calls: [
      {
        method: 'PUT',
        path: `${products}/{product with variants}`,
        body: { warranty: 'Saved', custom_url: { url: address('product'), is_customized: true } },
      },
    ],
    documented: last(status(207, 409)),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'product: stock beyond the greatest number',
    question: 'What does a stock level above 2,147,483,647 answer?',
    calls: [{ method: 'PUT', path: `${products}/{product}`, body: { inventory_level: 2_147_483_648 } }],
    documented: last(status(422)),
    seen: last(status(200)),
    quick: true,
  },
  {
    key: 'brand: listed at once',
    question: 'Does the list show a new brand at once?',
    calls: [
      { method: 'POST', path: brands, body: { name: mark('listed') } },
      { method: 'GET', path: brands, query: { name: mark('listed') } },
    ],
    documented: last(
      status(200),
      data(({ id }) => id !== undefined),
    ),
    seen: last(status(200)),
    quick: false,
  },
  {
    key: 'category: same name under one parent',
    needs: ['category'],
    question: 'What does a second category of the same name under the same parent answer?',
    calls: [
      {
        method: 'POST',
        path: categories,
        body: [{ name: mark('category'), tree_id: ref('tree'), url: { path: address('second'), is_customized: true } }],
      },
    ],
    documented: last(status(409, 422)),
    seen: last(status(207)),
    quick: true,
  },
  {
    key: 'category: envelope of a refusal',
    question: 'Are the errors of a refused category flat, or nested in "errors"?',
    calls: [
      {
        method: 'POST',
        path: categories,
        body: [{ name: mark('bad-category'), tree_id: ref('tree'), meta_keywords: 'no list' }],
      },
    ],
    documented: last(status(422), ({ body }) => !hasTitle(body)),
    seen: last(status(422), ({ body }) => hasTitle(body)),
    quick: true,
  },
  {
    key: 'category: unknown id in a change',
    question: 'What does a change of a category that does not exist answer?',
    calls: [{ method: 'PUT', path: categories, body: [{ category_id: 2_000_000_123, name: mark('nothing') }] }],
    documented: anyOf(last(status(422)), last(status(207))),
    quick: false,
  },
  {
    key: 'variant: derived type of options',
    question: 'Which type have options that come from variants?',
    calls: [{ method: 'GET', path: `${products}/{product with variants}/options` }],
    documented: last(
      status(200),
      data(({ type }) => type === 'radio_buttons'),
    ),
    seen: last(
      status(200),
      data(({ type }) => type === 'dropdown' || type === 'rectangles'),
    ),
    quick: true,
  },
  {
    key: 'variant: same values again',
    question: 'What does a second variant of the same option values answer?',
    calls: [
      {
        method: 'POST',
        path: `${products}/{product with variants}/variants`,
        body: { sku: mark('twice'), option_values: [{ option_id: ref('option'), id: ref('value') }] },
      },
    ],
    documented: last(status(409, 422)),
    quick: true,
  },
  {
    key: 'variant: sku of the product',
    needs: ['product'],
    question: 'May a variant have the SKU of another product?',
    calls: [
      {
        method: 'PUT',
        path: `${products}/{product with variants}/variants/{variant}`,
        body: { sku: mark('product') },
      },
    ],
    documented: last(status(409, 422)),
    quick: true,
  },
  {
    key: 'variant: options of another type',
    question: 'May the type of derived options be changed?',
    calls: [
      {
        method: 'PUT',
        path: `${products}/{product with variants}/options/{option}`,
        body: { display_name: 'Colour', type: 'dropdown' },
      },
    ],
    documented: last(accepted),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'variant: values after a change of the option',
    question: 'Do values keep their ids when the option changes?',
    calls: [{ method: 'GET', path: `${products}/{product with variants}/options/{option}/values/{value}` }],
    documented: last(status(200)),
    quick: false,
  },
  {
    key: 'variant: own price and picture sent together',
    question: 'What does a good change of several variants answer?',
    calls: [{ method: 'PUT', path: '/v3/catalog/variants', body: [{ id: ref('variant'), price: 12, sku: '' }] }],
    documented: last(accepted),
    seen: last(status(422), about(/sku/)),
    quick: true,
  },
]

/** Refusals in the flat format have the title at the top level. */
function hasTitle(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'title' in body
}

export const catalogSteps: Step[] = [
  {
    key: 'category trees: list',
    question: 'What does the list of category trees show?',
    calls: [{ method: 'GET', path: '/v3/catalog/trees', finds: { tree: '0.id' } }],
    documented: last(status(200)),
    quick: true,
  },
  ...[brand, category, product, withVariants].flatMap(stepsOf),
  ...setOfRefusals,
]
