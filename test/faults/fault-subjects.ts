import { GLOBAL } from '../../sandbox/resources/settings/stored-settings.ts'
import { specs } from '../entities/specs/all-specs.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { productsPath, type Subject, writing } from './subject.ts'

const faults = specs.flatMap((spec) => spec.faults ?? [])
const writes = faults.flatMap((one) => one.writes ?? [])
const lists = faults.flatMap((one) => one.lists ?? [])
/** The destination is not called for these unless it has the item. */
const details = faults.flatMap((one) => one.details ?? [])
/** Components that the creation of a product carries, and the table that shows which products have some. */
const inline = faults.flatMap((one) => Object.entries(one.inline ?? {}))

/** Calls that write; each child that a product carries gets its fault in the creation of a different product. */
export function writesOf(source: StoreState): Subject[] {
  const used = new Set<string>()
  const carried = inline.flatMap(([component, table]): Subject[] => {
    const owners = new Set(source[table]?.filter(isMadeWithIt).map((row) => row.product_id))
    const name = source.products
      ?.filter(({ id }) => owners.has(id))
      .map((product) => String(product.name))
      .find((one) => /^[\w ]+$/.test(one) && !/gone/i.test(one) && !used.has(one))
    if (name === undefined) return []
    used.add(name)
    return [writing(component, productsPath, { body: `"name":"${name}"` })]
  })
  return [...carried, ...writes]
}

/** The platform creates a base variant itself. */
function isMadeWithIt(row: Record<string, unknown>): boolean {
  return !Array.isArray(row.option_values) || row.option_values.length > 0
}

/** The one call to a source that is not a GET. */
export const download = writing('themes', '^/v3/themes/[-0-9a-f]+/actions/download$')

export const reads: Record<Side, readonly Subject[]> = { source: [...lists, ...details], destination: lists }

type Rows = NonNullable<StoreState[string]>

/** An item whose picture cannot be fetched, and the picture's file below `images/`. */
export interface Pictured {
  component: string
  name: string
  file: string
  /** The comparison's name for its parent. */
  owner?: string
}

/** The picture is one that the sandbox itself serves. */
const isOwn = (file: unknown) => typeof file === 'string' && /^\w\/(?!missing)/.test(file)

/** Brands, categories, variants and settings have their picture at one address only: that of the original. */
export function picturedByOriginal(source: StoreState): Pictured[] {
  const others = ['categories', 'brands'].flatMap((table) =>
    (source[table] ?? [])
      .filter(({ image_url }) => isOwn(image_url))
      .map(({ name, image_url }) => ({ component: table, name: String(name), file: stem(image_url) })),
  )
  return [...others, ...picturedVariants(source), ...picturesOfSettings(source)]
}

/** The logo and the icon of the store, and the logos of its storefronts, as issues name them. */
function picturesOfSettings({ settings = [] }: StoreState): Pictured[] {
  return settings.flatMap(({ channel_id, pictures }) => {
    const component = channel_id === GLOBAL ? 'store-pictures' : 'channel-pictures'
    return Object.entries(pictures ?? {})
      .filter(([, file]) => isOwn(file))
      .map(([field, file]) => ({ component, name: String(field.match(/^[a-z]+/)), file: stem(file) }))
  })
}

/** Variants whose picture the sandbox itself serves, named by their choices as in issues. */
function picturedVariants(source: StoreState): Pictured[] {
  const byId = (rows: Rows = []) => new Map(rows.map((row) => [row.id, row]))
  const [options, values, products] = [byId(source.options), byId(source.option_values), byId(source.products)]
  return (source.variants ?? []).flatMap(({ image_url, option_values, product_id }) => {
    if (!isOwn(image_url)) return []
    const chosen = (option_values ?? []) as { option_id: number; id: number }[]
    const labels = chosen.map(({ option_id, id }) => `${options.get(option_id)?.display_name}=${values.get(id)?.label}`)
    const product = products.get(Number(product_id))
    const name = labels
      .map((label) => label.toLowerCase())
      .sort()
      .join(', ')
    const owner = product?.sku ? `SKU ${product.sku}` : String(product?.name)
    return [{ component: 'product-variants', name, file: stem(image_url), owner }]
  })
}

/** A brand, a category and a product. */
export function picturedOf(source: StoreState): Pictured[] {
  const one = (component: string) =>
    picturedByOriginal(source).find((pictured) => pictured.component === component) ?? []
  const names = new Map(source.products?.map(({ id, name }) => [id, String(name)]))
  const image = source.images?.find(
    ({ image_file, product_id }) => isOwn(image_file) && /^[\w ]+$/.test(names.get(Number(product_id)) ?? ''),
  )
  const name = names.get(Number(image?.product_id))
  return [
    one('categories'),
    one('brands'),
    image && name ? { component: 'product-images', name, file: stem(image.image_file) } : [],
  ].flat()
}

function stem(file: unknown): string {
  return String(file).replace(/\.\w+$/, '')
}
