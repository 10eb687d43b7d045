import type { StoreState } from './world-sandbox.ts'

type Row = StoreState[string][number]

/**
 * The items that a copy has too few or too many of, by a merchant's names for them, because ids differ between stores. Empty when
 * the destination contains exactly what the source does: 0 missing, 0 duplicates. Independent of the engine.
 */
export function tally(source: StoreState, destination: StoreState): string[] {
  const expected = countFacts(source)
  const actual = countFacts(destination)
  const facts = [...new Set([...expected.keys(), ...actual.keys()])].sort()
  return facts.flatMap((fact) => {
    const [should, is] = [expected.get(fact) ?? 0, actual.get(fact) ?? 0]
    return should === is ? [] : [`${is < should ? 'missing' : 'too many'}: ${fact} (${is} instead of ${should})`]
  })
}

function countFacts(state: StoreState): Map<string, number> {
  const counts = new Map<string, number>()
  for (const fact of factsOf(state)) counts.set(fact, (counts.get(fact) ?? 0) + 1)
  return counts
}

/** One line for each item of a store, under its parent's name; two equal lines are two items. */
function factsOf(state: StoreState): string[] {
  const of = (table: string) => state[table] ?? []
  const name = (table: string) => new Map(of(table).map((row) => [row.id, String(row.name)]))
  const brands = name('brands')
  const paths = categoryPaths(of('categories'))
  const channels = new Map(
    of('channels').map((channel, at) => [channel.id, at === 0 ? 'default' : String(channel.name)]),
  )
  const called = new Map(of('products').map((product) => [product.id, `product ${product.name} (${product.sku})`]))
  const labels = new Map(of('option_values').map((value) => [value.id, String(value.label)]))
  const optionNames = new Map(of('options').map((option) => [option.id, String(option.display_name)]))
  const modifierNames = new Map(of('modifiers').map((modifier) => [modifier.id, String(modifier.display_name)]))
  /** Rows of a table below their product. */
  const below = (table: string, line: (row: Row) => string, parent = 'product_id') =>
    of(table).map((row) => `${called.get(Number(row[parent])) ?? 'no product'} / ${table}: ${line(row)}`)
  const choices = (variant: Row) =>
    (variant.option_values as { option_id: number; id: number }[])
      .map(({ option_id: option, id }) => `${optionNames.get(option)}=${labels.get(id)}`)
      .sort()
  return [
    ...of('brands').map((brand) => `brand ${brand.name}`),
    ...[...paths.values()].map((path) => `category ${path}`),
    ...of('products').map(
      (product) => `${called.get(product.id)} of ${brands.get(Number(product.brand_id)) ?? 'no brand'}`,
    ),
    ...below('product_categories', (row) => String(paths.get(Number(row.category_id)))),
    ...below('variants', (row) => `${row.sku} ${choices(row)} ${row.price}`),
    ...below('options', (row) => `${row.display_name} ${row.type}`),
    ...below('option_values', (row) => `${optionNames.get(Number(row.option_id))}=${row.label} at ${row.sort_order}`),
    ...below('modifiers', (row) => `${row.display_name} ${row.type}`),
    ...below('modifier_values', (row) => `${modifierNames.get(Number(row.modifier_id))}=${row.label}`),
    ...below('images', (row) => `${row.description} at ${row.sort_order}, thumbnail ${row.is_thumbnail}`),
    ...below('custom_fields', (row) => `${row.name}=${row.value}`),
    ...below('product_channel_assignments', (row) => String(channels.get(Number(row.channel_id)))),
    ...below('product_metafields', (row) => `${row.namespace}/${row.key}=${row.value}`, 'resource_id'),
  ]
}

function categoryPaths(categories: Row[]): Map<number, string> {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const pathOf = (category: Row): string => {
    const parent = byId.get(Number(category.parent_id))
    return `${parent ? pathOf(parent) : ''}/${category.name}`
  }
  return new Map(categories.map((category) => [category.id, pathOf(category)]))
}
