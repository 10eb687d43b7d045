import { expect, test } from 'vitest'
import { identity, type References } from '../core/references.ts'
import { countWidgets, translateRegions } from './widget-nodes.ts'

const missing: string[] = []
/** Multiplies every id by ten; ids that end in 9 have no counterpart. */
const tenfold: References = {
  ...identity,
  want: (component, id) => {
    if (!String(id).endsWith('9')) return Number(id) * 10
    missing.push(`${component} ${id}`)
    return undefined
  },
  has: (_component, id) => id !== 'gone',
  wantText: (_component, id) => (id === 'gone' ? undefined : `${id} there`),
}

const page = (children: object[]) => [{ name: 'below', children }]
const widget = (configuration: object, more: object = {}) => ({
  type: 'widget',
  widget_template_uuid: 'text',
  configuration,
  ...more,
})
const translated = (configuration: object) => {
  const [region] = translateRegions(page([widget(configuration)]), tenfold)
  return (region?.children as { configuration: object }[])[0]?.configuration
}

test.each([
  ['an id as a text stays a text', { productId: '7' }, { productId: '70' }],
  ['an id as a number stays a number', { productId: 7 }, { productId: 70 }],
  ['however the name is spelled', { category_id: 7, brandEntityId: 8 }, { category_id: 70, brandEntityId: 80 }],
  ['lists of ids', { productIds: [1, '2', 9] }, { productIds: [10, '20'] }],
  ['lists of items', { products: [{ productId: 1 }, { productId: 9 }] }, { products: [{ productId: 10 }] }],
  ['deep inside', { a: [[{ b: { pageId: '3' } }]] }, { a: [[{ b: { pageId: '30' } }]] }],
  ['none chosen', { productId: '', categoryId: null, brandId: 0 }, { productId: '', categoryId: null, brandId: 0 }],
  ['other numbers', { width: 7, uuid: 'x', productCount: 3 }, { width: 7, uuid: 'x', productCount: 3 }],
  ['what is gone', { productId: 9, title: 'kept' }, { title: 'kept' }],
  ['empty members that were empty before', { list: [{}, []] }, { list: [{}, []] }],
])('settings of a widget: %s', (_what, given, expected) => {
  expect(translated(given)).toEqual(expected)
})

test('templates are named by the UUIDs of the destination, and a widget without one is left out', () => {
  const children = [widget({}), widget({}, { widget_template_uuid: 'gone' }), widget({}, { name: 'last' })]
  expect(translateRegions(page(children), tenfold)).toEqual(
    page([
      widget({}, { widget_template_uuid: 'text there' }),
      widget({}, { name: 'last', widget_template_uuid: 'text there' }),
    ]),
  )
})

test('layouts keep their dropzones and the order in them, and say nothing of their own template', () => {
  const zones = [
    { configuration: { categoryId: 4 }, widgets: [widget({ brandId: 1 }), widget({ brandId: 2 })] },
    { configuration: {}, widgets: [] },
  ]
  const layout = {
    type: 'layout',
    layout_template_uuid: 'theirs',
    name: 'Layout',
    configuration: { n: 2 },
    dropzones: zones,
  }
  const [region] = translateRegions(page([layout]), tenfold)
  expect(region?.children).toEqual([
    {
      type: 'layout',
      name: 'Layout',
      configuration: { n: 2 },
      dropzones: [
        {
          configuration: { categoryId: 40 },
          widgets: [1, 2].map((n) => widget({ brandId: n * 10 }, { widget_template_uuid: 'text there' })),
        },
        { configuration: {}, widgets: [] },
      ],
    },
  ])
  expect(countWidgets(page([layout, widget({})]))).toBe(3)
})

test('regions without anything are left out, and nothing at all has no widgets', () => {
  expect(translateRegions([...page([]), ...page([widget({})])], tenfold)).toHaveLength(1)
  expect(countWidgets(undefined)).toBe(0)
})

test('links and pictures in texts lead to the destination, however deep they are, and ids in them too', () => {
  const reported: number[] = []
  const shops: References = {
    ...tenfold,
    links: {
      moves: [{ host: 'old.example', path: '', to: 'https://new.example' }],
      id: (_component, id) => `${id}0`,
      path: (path) => (path === '/sale/' ? '/sales/' : undefined),
      report: ({ rewritten }) => void reported.push(rewritten),
    },
  }
  const settings = (host: string, id: number, sale: string) => ({
    html: `<a href="https://${host}/cart.php?product_id=${id}">buy</a>`,
    slides: [{ image: { src: `https://${host}/content/a.jpg` }, link: sale }, [`//${host}/b.png`]],
    productId: String(id),
    note: 'no link',
  })
  const given = page([
    widget(settings('old.example', 7, '/sale/')),
    { type: 'layout', dropzones: [{ widgets: [widget(settings('old.example', 7, '/sale/'))] }] },
  ])
  const there = widget(settings('new.example', 70, '/sales/'), { widget_template_uuid: 'text there' })
  expect(translateRegions(given, shops)).toEqual(page([there, { type: 'layout', dropzones: [{ widgets: [there] }] }]))
  expect(reported.reduce((sum, one) => sum + one, 0)).toBe(10)
})
