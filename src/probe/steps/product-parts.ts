import { mark, ref, type Step } from '../call.ts'
import { type Operation, stepsOf } from '../operations.ts'
import { accepted, anyOf, last, status, titled } from '../verdict.ts'
import { products } from './catalog.ts'

const of = `${products}/{product}`

const option: Operation = {
  key: 'option',
  path: `${of}/options`,
  body: {
    display_name: mark('option'),
    type: 'swatch',
    sort_order: 1,
    option_values: [
      { label: 'Red', sort_order: 0, is_default: false, value_data: { colors: ['#ff0000'] } },
      { label: 'Blue', sort_order: 1, is_default: false, value_data: { colors: ['#0000ff'] } },
    ],
  },
  finds: { swatch: 'option_values.0.id' },
  again: { documented: last(status(422)), seen: last(status(409)) },
  required: ['display_name', 'type'],
  one: { path: `${of}/options/{option}`, body: { sort_order: 3 } },
}

const modifier: Operation = {
  key: 'modifier',
  path: `${of}/modifiers`,
  body: {
    display_name: mark('modifier'),
    type: 'dropdown',
    required: false,
    sort_order: 1,
    option_values: [
      {
        label: 'Silk',
        sort_order: 0,
        is_default: false,
        adjusters: {
          price: { adjuster: 'relative', adjuster_value: 5 },
          weight: null,
          image_url: '',
          purchasing_disabled: { status: false, message: '' },
        },
      },
    ],
  },
  finds: { 'modifier value': 'option_values.0.id' },
  again: { documented: last(status(422)), seen: last(status(409)) },
  required: ['display_name', 'type', 'required'],
  one: { path: `${of}/modifiers/{modifier}`, body: { sort_order: 3, required: false } },
}

const customField: Operation = {
  key: 'custom field',
  path: `${of}/custom-fields`,
  body: { name: mark('field'), value: 'Value' },
  again: { documented: last(status(409, 422)) },
  required: ['name', 'value'],
  nullable: ['value'],
  texts: ['value'],
  one: { path: `${of}/custom-fields/{custom field}`, body: { name: mark('field'), value: 'Other' } },
}

const bulkPricingRule: Operation = {
  key: 'bulk pricing rule',
  single: true,
  path: `${of}/bulk-pricing-rules`,
  body: { quantity_min: 30, quantity_max: 39, type: 'percent', amount: 5 },
  again: { documented: last(status(409, 422)), whole: true },
  required: ['quantity_min', 'type'],
  one: {
    path: `${of}/bulk-pricing-rules/{bulk pricing rule}`,
    body: { quantity_min: 30, quantity_max: 45, type: 'percent', amount: 6 },
  },
}

const video: Operation = {
  key: 'video',
  path: `${of}/videos`,
  body: { title: mark('video'), description: 'Description', sort_order: 0, type: 'youtube', video_id: 'z3fRu9pkuXE' },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['video_id'],
  nullable: ['title', 'description'],
  texts: ['title', 'description'],
  one: { path: `${of}/videos/{video}`, body: { title: mark('video-two'), description: '' } },
}

const review: Operation = {
  key: 'review',
  path: `${of}/reviews`,
  body: {
    title: mark('review'),
    text: 'Text',
    status: 'pending',
    rating: 5,
    email: 'reader@example.com',
    name: 'A reader',
    date_reviewed: '2026-01-02T03:04:05+00:00',
  },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['title', 'date_reviewed'],
  nullable: ['email', 'name', 'rating'],
  texts: ['email', 'name', 'text'],
  one: { path: `${of}/reviews/{review}`, body: { rating: 4 } },
}

/** A rule needs two conditions, each about a different modifier. */
const condition = (modifier: string) => ({
  modifier_id: ref(modifier),
  modifier_value_id: ref(`${modifier} value`),
  variant_id: null,
})

const secondModifier: Step = {
  key: 'second modifier: create',
  question: 'What does another modifier of a product answer?',
  calls: [
    {
      method: 'POST',
      path: `${of}/modifiers`,
      body: {
        display_name: mark('modifier-two'),
        type: 'radio_buttons',
        required: false,
        option_values: [{ label: 'Oak', sort_order: 0 }],
      },
      finds: { 'second modifier': 'id', 'second modifier value': 'option_values.0.id' },
    },
  ],
  documented: last(accepted),
  quick: true,
}

const complexRule: Operation = {
  key: 'complex rule',
  single: true,
  path: `${of}/complex-rules`,
  body: {
    sort_order: 1,
    enabled: true,
    stop: false,
    purchasing_disabled: false,
    purchasing_disabled_message: '',
    purchasing_hidden: false,
    image_url: '',
    price_adjuster: { adjuster: 'relative', adjuster_value: 8 },
    weight_adjuster: null,
    conditions: [condition('modifier'), condition('second modifier')],
  },
  again: { documented: last(status(409, 422)) },
  required: ['conditions'],
  one: { path: `${of}/complex-rules/{complex rule}`, body: { enabled: false } },
}

const metafield = (key: string, path: string): Operation => ({
  key,
  path,
  body: { namespace: mark('space'), key: mark('key'), value: 'Value', permission_set: 'app_only', description: '' },
  again: {
    documented: last(status(409)),
    seen: last(status(422)),
    ...(key !== 'product metafield' && { whole: true }),
  },
  required: ['namespace', 'key', 'value', 'permission_set'],
  nullable: ['description'],
  texts: ['value'],
  one: { path: `${path}/{${key}}`, body: { value: 'Other' } },
})

const metafieldPaths: readonly [key: string, path: string][] = [
  ['product metafield', `${of}/metafields`],
  ['variant metafield', `${products}/{product with variants}/variants/{variant}/metafields`],
  ['brand metafield', '/v3/catalog/brands/{brand}/metafields'],
  ['category metafield', '/v3/catalog/categories/{category}/metafields'],
]

const row = (resource: string, key: string) => ({
  resource_id: ref(resource),
  namespace: mark('many'),
  key: mark(key),
  value: 'Value',
  permission_set: 'app_only',
})

/**
 * The risky variants: where real stores were seen to answer differently, or where the product relies on unproven
 * behaviour.
 */
const others: Step[] = [
  {
    key: 'modifier: sent with all its values',
    question: 'Does a change of a modifier accept its values with ids and labels?',
    calls: [
      {
        method: 'PUT',
        path: `${of}/modifiers/{modifier}`,
        body: { option_values: [{ id: ref('modifier value'), label: 'Silk', sort_order: 1 }] },
      },
    ],
    documented: last(accepted),
    seen: last(status(422), titled(/already used/i)),
    quick: true,
  },
  {
    key: 'option: value data null',
    question: 'Does a change of an option accept null as the data of a value?',
    calls: [
      {
        method: 'PUT',
        path: `${of}/options/{option}`,
        body: { option_values: [{ id: ref('swatch'), label: 'Red', sort_order: 0, value_data: null }] },
      },
    ],
    documented: last(status(422)),
    seen: last(accepted),
    quick: true,
  },
  {
    key: 'option: label taken',
    question: 'What does a second value of the same label answer?',
    calls: [{ method: 'POST', path: `${of}/options/{option}/values`, body: { label: 'Red', sort_order: 4 } }],
    documented: last(status(409, 422)),
    quick: true,
  },
  {
    key: 'product metafields: many',
    question: 'What do several metafields of products in one call answer?',
    calls: [{ method: 'POST', path: `${products}/metafields`, body: [row('product', 'one'), row('product', 'two')] }],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'product metafields: one bad row among good ones',
    question: 'What is saved of several metafields when one is refused?',
    calls: [
      {
        method: 'POST',
        path: `${products}/metafields`,
        body: [row('product', 'three'), { ...row('product', 'four'), permission_set: 'none' }],
      },
    ],
    documented: last(status(207, 422)),
    quick: true,
  },
  {
    key: 'channel assignments: change',
    question: 'What does an assignment of a product to the first storefront answer?',
    calls: [
      { method: 'PUT', path: `${products}/channel-assignments`, body: [{ product_id: ref('product'), channel_id: 1 }] },
    ],
    documented: last(status(204)),
    seen: last(status(200)),
    quick: true,
  },
  {
    key: 'category assignments: change',
    question: 'What does an assignment of a product to a category answer?',
    calls: [
      {
        method: 'PUT',
        path: `${products}/category-assignments`,
        body: [{ product_id: ref('product'), category_id: ref('category') }],
      },
    ],
    documented: last(status(204)),
    seen: last(status(200)),
    quick: true,
  },
  {
    key: 'sort order: change',
    question: 'What does the position of a product in its category answer?',
    calls: [
      {
        method: 'PUT',
        path: '/v3/catalog/categories/{category}/products/sort-order',
        body: [{ product_id: ref('product'), sort_order: 2 }],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'customs information: change',
    question: 'What does customs information of a product answer?',
    calls: [
      {
        method: 'PUT',
        path: '/v3/shipping/products/customs-information',
        body: [
          {
            product_id: ref('product'),
            country_of_origin: 'US',
            commodity_description: mark('customs'),
            international_shipping: true,
            hs_codes: { ALL: '501000' },
          },
        ],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'stock: absolute adjustment',
    question: 'What does a new stock level answer?',
    calls: [adjustment('absolute', 7)],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'stock: relative adjustment',
    question: 'What does a change of a stock level answer?',
    calls: [adjustment('relative', 2)],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'stock: relative adjustment of 0',
    question: 'Does a change of a stock level by 0 count as a mistake?',
    calls: [adjustment('relative', 0)],
    documented: last(accepted),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'stock: read after it was written',
    question: 'Do lists show a new stock level at once?',
    calls: [
      adjustment('absolute', 9),
      { method: 'GET', path: '/v3/inventory/items', query: { 'variant_id:in': ref('base variant') } },
    ],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'product: date after a change below it',
    question: 'Does the date of a product move when something below it changes?',
    calls: [
      { method: 'GET', path: of },
      { method: 'POST', path: `${of}/custom-fields`, body: { name: mark('dated'), value: 'Value' } },
      { method: 'GET', path: of },
    ],
    documented: anyOf((answers) => dateOf(answers[0]?.body) === dateOf(answers[2]?.body)),
    seen: (answers) => dateOf(answers[0]?.body) !== dateOf(answers[2]?.body),
    quick: true,
  },
]

function adjustment(kind: 'absolute' | 'relative', quantity: number) {
  return {
    method: kind === 'absolute' ? ('PUT' as const) : ('POST' as const),
    path: `/v3/inventory/adjustments/${kind}`,
    body: { reason: mark('stock'), items: [{ location_id: 1, product_id: ref('product'), quantity }] },
  }
}

function dateOf(body: unknown): unknown {
  return (body as { data?: { date_modified?: unknown } } | undefined)?.data?.date_modified
}

export const productPartSteps: Step[] = [
  ...[option, modifier].flatMap(stepsOf),
  secondModifier,
  ...[customField, bulkPricingRule, video, review, complexRule].flatMap(stepsOf),
  ...metafieldPaths.flatMap(([key, path]) => stepsOf(metafield(key, path))),
  ...others,
]
