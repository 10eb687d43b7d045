import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorldSandbox, type WorldSandbox } from '../harness/world-sandbox.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { compareStores, type Finding, pairAndCompare } from './compare-stores.ts'
import { excludedFields } from './exclusions.ts'
import { addCatalogueParts } from './more-catalogue.ts'
import type { Row, State } from './store-side.ts'
import { tableRules } from './table-rules.ts'

let sandbox: WorldSandbox
let source: State
let destination: State

beforeAll(async () => {
  sandbox = await startWorldSandbox({
    stores: [
      { name: 'source', seed: 'tiny' },
      { name: 'destination', seed: 'tiny' },
    ],
  })
  const theme = await likeTheBornOne(sandbox)
  for (const side of ['source', 'destination'] as const) {
    await addCatalogueParts(sandbox, side)
    await showTheme(sandbox, theme, { store: side })
  }
  source = await sandbox.state('source')
  destination = await sandbox.state('destination')
})
afterAll(() => sandbox.stop())

/** The destination with its rows of a table replaced; the original is not changed. */
function changed(table: string, change: (rows: Row[]) => Row[]): State {
  return { ...destination, [table]: change(structuredClone(destination[table] ?? [])) }
}

function changedRow(table: string, fields: Record<string, unknown>, at = 0): Finding[] {
  return compareStores(
    source,
    changed(table, (rows) => rows.map((row, index) => (index === at ? { ...row, ...fields } : row))),
  )
}

test('two stores with the same content under other ids are equal', () => {
  for (const { table } of tableRules) expect(source[table]?.length, table).toBeGreaterThan(0)
  expect(source.products?.[0]?.id).not.toBe(destination.products?.[0]?.id)
  expect(compareStores(source, destination)).toEqual([])
})

test('the comparison shares no code with the program or the sandbox', async () => {
  const seen = new Set([new URL('./compare-stores.ts', import.meta.url).href])
  for (const file of seen) {
    const text = await readFile(new URL(file), 'utf8')
    for (const [, imported = ''] of text.matchAll(/ from '([^']+)'/g)) seen.add(new URL(imported, file).href)
  }
  const root = new URL('../..', import.meta.url).href
  const others = [...seen]
    .map((file) => file.slice(root.length))
    .filter((file) => !/^test\/(comparison|entities\/specs)\//.test(file))
  expect(others.sort()).toEqual([
    'bench/parts/fewest-calls.ts',
    'test/faults/subject.ts',
    'test/faults/truth.ts',
    'test/kills/subject.ts',
  ])
})

test('each exclusion has a reason, and names a field that the stores have', () => {
  for (const [table, fields] of Object.entries(excludedFields))
    for (const [field, reason] of Object.entries(fields)) {
      expect(reason.length, `${table}.${field}`).toBeGreaterThan(10)
      expect(new Set(source[table]?.flatMap((row) => Object.keys(row))), table).toContain(field)
    }
})

test('a changed field is one difference', () => {
  expect(changedRow('brands', { page_title: 'Other' })).toEqual([
    {
      entity: 'brands',
      kind: 'different',
      key: 'Northfold',
      field: 'page_title',
      source: 'Northfold products',
      destination: 'Other',
    },
  ])
})

test('a new row is not the renamed copy of a row that is gone, however alike they are, once that copy is known', () => {
  const [gone, ...others] = source.brands ?? []
  const copy = destination.brands?.find(({ name }) => name === gone?.name)
  if (!gone || !copy) throw new Error('The seed has no brand.')
  const now = { ...source, brands: [...others, { ...gone, id: 987_654, name: 'Another brand' }] }
  const brandFindings = (known: Map<number, number>) =>
    pairAndCompare(now, destination, new Map([['brands', known]]))
      .findings.filter(({ table }) => table === 'brands')
      .map(({ kind, key }) => `${kind} ${key}`)
      .sort()
  expect(brandFindings(new Map())).toEqual(['different Another brand'])
  expect(brandFindings(new Map([[gone.id, copy.id]]))).toEqual([`extra ${gone.name}`, 'missing Another brand'])
})

test('a field that only the destination has is a difference, even if its name is unknown', () => {
  expect(changedRow('variants', { never_heard_of: 1 })).toMatchObject([{ kind: 'different', field: 'never_heard_of' }])
})

test('a renamed brand is one difference, and its products still have it', () => {
  expect(changedRow('brands', { name: 'Southfold' })).toMatchObject([
    { kind: 'different', key: 'Northfold', field: 'name' },
  ])
})

test('a renamed category is one difference, and its descendants are equal', () => {
  expect(changedRow('categories', { name: 'Clothes' })).toMatchObject([
    { entity: 'categories', kind: 'different', key: 'default storefront > Apparel', field: 'name' },
  ])
})

test('a renamed option value is one difference, and its variants are equal', () => {
  expect(changedRow('option_values', { label: 'Sky' })).toMatchObject([
    {
      entity: 'product-option-values',
      kind: 'different',
      key: 'SKU SKU-00001 > Colour > Midnight Blue',
      field: 'label',
    },
  ])
})

test('a category below another parent is one difference', () => {
  const [other] = (destination.categories ?? []).filter((row) => row.parent_id === 0 && row.name !== 'Apparel')
  expect(changedRow('categories', { parent_id: other?.id }, 1)).toMatchObject([
    { kind: 'different', field: 'parent_id' },
  ])
})

test('a product with another brand is one difference, which names the brand', () => {
  const brand = destination.brands?.find((row) => row.name === 'Northfold')
  expect(changedRow('products', { brand_id: brand?.id })).toMatchObject([
    { entity: 'products', key: 'SKU SKU-00001', field: 'brand_id', destination: 'Northfold' },
  ])
})

test('a product removed from one category is one difference of the product', () => {
  const gone = changed('product_categories', (rows) => rows.slice(1))
  expect(compareStores(source, gone)).toMatchObject([{ kind: 'different', key: 'SKU SKU-00001', field: 'categories' }])
})

test('a picture under another name is one difference', () => {
  expect(changedRow('images', { image_file: 'q/9/else__00001.png' })).toMatchObject([
    { entity: 'product-images', kind: 'different', field: 'image_file', destination: 'else.png' },
  ])
})

test('an id of the source mistaken for one of the destination is a difference', () => {
  expect(changedRow('products', { brand_id: source.products?.[0]?.brand_id })).toMatchObject([{ field: 'brand_id' }])
})

test('a shop’s own links are equal in both stores, and a link to the other store is a difference', () => {
  const [hash, product] = [hashOf, (state: State) => state.products?.[0]?.id]
  const written = (state: State, by: State) => ({
    ...state,
    categories: (state.categories ?? []).map((row, at) =>
      at === 0
        ? { ...row, description: `<a href="https://${hash(by)}.example/cart.php?product_id=${product(by)}">now</a>` }
        : row,
    ),
  })
  expect(compareStores(written(source, source), written(destination, destination))).toEqual([])
  expect(compareStores(written(source, source), written(destination, source))).toMatchObject([
    { entity: 'categories', kind: 'different', field: 'description' },
  ])
})

function hashOf(state: State): string {
  return /\/\/([^.]+)\./.exec(String(state.sites?.[0]?.url))?.[1] ?? ''
}

/** Recognised by their subject: missing with it, or counted as others without it. */
const aboutItems = ['theme-activations', 'custom-template-associations', 'page-widgets', 'search-filter-contexts']

test('a product removed with its children is missing once, and its children are not reported', () => {
  const [first] = destination.products ?? []
  const without = Object.fromEntries(
    Object.entries(destination).map(([table, rows]) => [
      table,
      rows.filter(
        (row) => ![table === 'products' && row.id, row.product_id, row.resource_id].includes(first?.id as never),
      ),
    ]),
  )
  // Prices are in lists, discounts in groups and promotions, wishes on wishlists, widgets on pages, products in orders, and
  // redirects by themselves.
  const others = [
    ...['price-records', 'customer-groups', 'promotions', 'wishlists', 'orders', 'redirects'],
    ...aboutItems,
  ]
  const findings = compareStores(source, without).filter(({ entity }) => !others.includes(entity))
  expect(findings).toEqual([{ entity: 'products', kind: 'missing', key: 'SKU SKU-00001' }])
})

test('a row whose parent does not exist is extra, and the row of the source is missing', () => {
  expect(changedRow('custom_fields', { product_id: 1 })).toMatchObject([{ kind: 'missing' }, { kind: 'extra' }])
})

test.each(tableRules)('a removed row of $table is missing', ({ table, entity }) => {
  const last = destination[table]?.at(-1)
  const gone = compareStores(
    source,
    changed(table, (rows) => rows.slice(0, -1)),
  )
  expect(last).toBeDefined()
  const own = gone.filter((finding) => finding.entity === entity || !aboutItems.includes(finding.entity))
  expect(own.filter(({ kind }) => kind === 'missing')).toMatchObject([{ entity }])
})

/** How a copied order names its source order. */
const copyOf = (order?: Row) => ({ external_source: 'M-MIG', external_order_id: `source-${order?.id}` })

test.each(tableRules)('a duplicated row of $table is a duplicate', ({ table, entity }) => {
  const twice = changed(table, ([first, ...rows]) => {
    const one = table === 'orders' ? { ...first, ...copyOf(source.orders?.[0]) } : first
    return [one as Row, ...rows, { ...(one as Row), id: 1 }]
  })
  expect(compareStores(source, twice)).toMatchObject([{ entity, kind: 'duplicate' }])
})

test('a row that is nowhere in the source is extra', () => {
  const more = changed('brands', (rows) => [...rows, { id: 1, name: 'Old', page_title: 'x' }])
  expect(compareStores(source, more)).toEqual([{ entity: 'brands', kind: 'extra', key: 'Old' }])
})

test('a table without a rule or an exclusion is refused', () => {
  expect(() => compareStores({ ...source, undecided: [] }, destination)).toThrow('Table undecided')
})
