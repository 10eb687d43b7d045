import { specs } from '../entities/specs/all-specs.ts'
import type { Change } from '../harness/world-sandbox.ts'
import type { Pair } from './compare-stores.ts'
import type { Exclusions } from './exclusion-reasons.ts'
import { excludedFields } from './exclusions.ts'
import { otherValue } from './other-value.ts'
import type { Row, State } from './store-side.ts'
import { tableRules } from './table-rules.ts'

/** What both judges must report, one line per finding; see `report-lines.ts`. */
export interface Expectation {
  findings: string[]
  differences: string[]
}

/** One change to the destination. */
export interface Mutation {
  title: string
  changes: Change[]
  /** Rows that it changes or names: two mutations of one round share none. */
  rows: string[]
  /** The field of the row, if only that is changed and reported: other fields may be changed in the same round. */
  field?: string
  /** `copyId` is the id of the duplicate. */
  expected(copyId?: number): Expectation
}

/** Compared, but no caller can change it there. */
const notWritable: Exclusions = Object.fromEntries(specs.flatMap((spec) => Object.entries(spec.notWritable ?? {})))

const identifying = new Map(specs.flatMap((spec) => Object.entries(spec.identifying ?? {})))
const onlyOnce = specs.flatMap((spec) => spec.onlyOnce ?? [])

/** Rows on which a field means something. */
const suitable: Record<string, (row: Row) => boolean> = {
  // To verify, fields of an address belong to another component.
  'customer_form_fields.value': (row) => row.address_id === null,
  // Where the source has none there is nothing to write.
  'gift_certificates.expiry_date': (row) => row.expiry_date !== '0',
  'scripts.html': (row) => row.kind === 'script_tag',
  'scripts.src': (row) => row.kind === 'src',
  'scripts.load_method': (row) => row.kind === 'src',
  'products.inventory_level': (row) => row.inventory_tracking === 'product',
}

/** Mutated by tests of their own: test/engine/order-drift.test.ts and inventory.test.ts. */
const elsewhere = ['orders', 'stock']
const mutated = tableRules.filter(({ table }) => !elsewhere.includes(table))

type PairsOf = Record<string, Pair[]>

/** Makes the mutations of two equal stores. */
export class Mutations {
  private readonly destination: State
  private readonly pairs: PairsOf
  private readonly load = new Map<string, number>()

  constructor(destination: State, pairs: PairsOf) {
    this.destination = destination
    this.pairs = pairs
    noteRecordIds(pairs)
  }

  /** Every writable field of every table, down to the leaves of objects. */
  ofFields(): Mutation[] {
    const plain = mutated.flatMap(({ table }) =>
      leavesOf(this.destination[table] ?? [])
        .filter(([field = '']) => !(field in { ...excludedFields[table], ...notWritable[table] }))
        .filter(([field = '']) => !['brand_id', 'parent_id'].includes(field))
        .flatMap((path) => this.ofField(table, path)),
    )
    return [
      ...this.ofBrands(),
      this.ofParents(),
      this.ofCategoryLink(),
      ...this.ofPosition(),
      ...this.ofLook(),
      ...plain,
    ]
  }

  ofDoubles(): Mutation[] {
    return [...this.ofDoubledRows(), this.ofDoubledLink()]
  }

  private ofDoubledRows(): Mutation[] {
    const tables = mutated.filter(({ table }) => !onlyOnce.includes(table))
    return tables.map(({ table, entity }) => {
      const pair = this.pick(table, (row) => this.canBeDoubled(table, row))
      const { id } = pair.destination
      return {
        title: `double ${table} ${pair.key}`,
        changes: [{ op: 'double', table, id }],
        rows: [`${table}/${id}`],
        expected: (copyId) => ({
          findings: [`${entity} duplicate ${pair.key}`],
          differences: [`${entity} extra - ${shownId(table, pair.destination, copyId)}`],
        }),
      }
    })
  }

  private canBeDoubled(table: string, row: Row): boolean {
    // The sandbox does not duplicate an address's attributes with it.
    const fields = (this.destination.customer_form_fields ?? []).filter(({ customer_id }) => customer_id === row.id)
    const owns = (child: string) => this.destination[child]?.some(({ customer_id }) => customer_id === row.id) ?? false
    // To verify, wishlists and shopper profiles are separate lists.
    if (table === 'customers')
      return fields.every(({ address_id }) => address_id === null) && !owns('wishlists') && !owns('shopper_profiles')
    return this.isAlone(table, row)
  }

  /**
   * From empty to filled and from filled to empty, where the seed has both: an additional value in the copy is overlooked more
   * easily than a missing one.
   */
  private ofField(table: string, path: string[]): Mutation[] {
    const title = `${table}.${path.join('.')}`
    const means = suitable[title] ?? (() => true)
    // A rule is identified by the names that it refers to, so verify takes another name for another rule.
    const renames = identifying.get(table)?.includes(path[0] ?? '') ?? false
    // A price is identified by the SKU of its variant.
    const isKnownBySku = (row: Row) => title === 'variants.sku' && hasPrices(row.product_id, this.destination)
    const fits = (row: Row) =>
      !isBornWith(table, row) && means(row) && !isKnownBySku(row) && !(renames && hasRules(row, this.destination))
    // What the run made of its own has no counterpart to differ from.
    const copies = (this.pairs[table] ?? []).map(({ destination }) => destination)
    const leaves = copies.filter(fits).map((row) => leafOf(row, path))
    const empties = leaves.filter(isEmpty)
    const filled = leaves.filter((leaf) => leaf !== undefined && !isEmpty(leaf))
    const set = (matches: (leaf: unknown) => boolean, value: (leaf: unknown) => unknown) => {
      const pair = this.pick(table, (row) => fits(row) && matches(leafOf(row, path)))
      return this.setting(
        table,
        pair,
        path[0] ?? '',
        withLeaf(pair.destination, path, value(leafOf(pair.destination, path))),
        title,
      )
    }
    const other = (leaf: unknown) => otherValue(title, leaf)
    return [
      ...(empties.length > 0 ? [set(isEmpty, other)] : []),
      ...(filled.length > 0
        ? [set((leaf) => leaf !== undefined && !isEmpty(leaf), empties.length > 0 ? () => empties[0] : other)]
        : []),
    ]
  }

  private setting(table: string, pair: Pair, field: string, value: unknown, title: string): Mutation {
    const entity = entityOf(table)
    const renamed = identifying.get(table)?.includes(field) ? this.renamed(table, pair) : undefined
    const change: Change = { op: 'set', table, id: pair.destination.id, fields: { [field]: value } }
    return {
      title: `set ${title} of ${pair.key}`,
      changes: [change],
      ...(renamed
        ? { rows: this.family(pair.destination) }
        : {
            rows: [`${table}/${pair.destination.id}`],
            ...(!mayName(pair, field) && { field: `${table}.${field}` }),
          }),
      expected: () => ({
        findings: [`${entity} different ${pair.key} ${field}`],
        differences: renamed ?? [
          `${entity} different ${ids(pair, table)} ${pathInVerify(table, field, pair.source)}`,
          ...this.ofStock(table, field, pair),
        ],
      }),
    }
  }

  /** Stock in the catalogue is also the stock of the default location. */
  private ofStock(table: string, field: string, { source, destination }: Pair): string[] {
    if (field !== 'inventory_level') return []
    const product = this.pairs.products?.find((one) =>
      table === 'products' ? one.destination.id === destination.id : one.destination.id === destination.product_id,
    )
    const counted = table === 'products' ? 'product' : 'variant'
    if (product?.source.inventory_tracking !== counted) return []
    const stockAt = (row: Row) => {
      const variant = table === 'products' ? row.base_variant_id : row.id
      return variant === null ? `1/product/${row.id}` : `1/variant/${variant}`
    }
    return [`inventory different ${stockAt(source)} ${stockAt(destination)} quantity`]
  }

  /** The row under its old and its new name; variants are named by their options and values. */
  private renamed(table: string, pair: Pair): string[] {
    const variants = (this.pairs.variants ?? []).filter(({ source }) =>
      choicesOf(source).some(
        (choice) =>
          (table === 'options' && choice.option_id === pair.source.id) ||
          (table === 'option_values' && choice.id === pair.source.id),
      ),
    )
    const gone = (of: string, { source, destination }: Pair) => [
      `${of} missing ${source.id} -`,
      `${of} extra - ${destination.id}`,
    ]
    return [...gone(entityOf(table), pair), ...variants.flatMap((variant) => gone('product-variants', variant))]
  }

  /** A brand may be changed, removed, or added where there was none. */
  private ofBrands(): Mutation[] {
    const another = (row: Row) => this.destination.brands?.find((brand) => brand.id !== row.brand_id)?.id
    const set = (fits: (row: Row) => boolean, value: (row: Row) => unknown, what: string) => {
      const pair = this.pick('products', fits)
      return this.setting('products', pair, 'brand_id', value(pair.destination), `products.brand_id ${what}`)
    }
    return [
      set((row) => row.brand_id !== 0, another, 'to another'),
      set((row) => row.brand_id !== 0, () => 0, 'to none'), // biome-ignore format: three alike
      set((row) => row.brand_id === 0, another, 'to one'),
    ]
  }

  /** A category without children, so that no loop is created. */
  private ofParents(): Mutation {
    const rows = this.destination.categories ?? []
    const pair = this.pick(
      'categories',
      (row) => row.parent_id !== 0 && !rows.some((other) => other.parent_id === row.id),
    )
    const target = rows.find((row) => row.parent_id === 0 && row.id !== pair.destination.parent_id)
    return this.setting('categories', pair, 'parent_id', target?.id, 'categories.parent_id')
  }

  private ofCategoryLink(): Mutation {
    const pair = this.pick('products', (row) => this.hasPlainLinks(row))
    const links = this.linksOf(pair.destination)
    const other = this.destination.categories?.find((row) => !links.some((link) => link.category_id === row.id))
    const [link] = links
    return {
      title: `set product_categories.category_id of ${pair.key}`,
      changes: [{ op: 'set', table: 'product_categories', id: link?.id ?? 0, fields: { category_id: other?.id } }],
      rows: [`products/${pair.destination.id}`],
      expected: () => changedCategories(pair),
    }
  }

  /** The position of a product in a category: the comparison reports the product, verify the category. */
  private ofPosition(): Mutation[] {
    const link = this.destination.product_categories?.find(isPlaced)
    const product = this.pairs.products?.find(({ destination }) => destination.id === link?.product_id)
    const category = this.pairs.categories?.find(({ destination }) => destination.id === link?.category_id)
    if (!link || !product || !category) return []
    return [
      {
        title: `set product_categories.sort_order of ${product.key}`,
        changes: [{ op: 'set', table: 'product_categories', id: link.id, fields: { sort_order: 40 } }],
        rows: [`products/${product.destination.id}`],
        expected: () => ({
          findings: changedCategories(product).findings,
          differences: [`category-product-order different ${ids(category)} products`],
        }),
      },
    ]
  }

  /** A storefront shows another variation of its theme, which verify takes for another item. */
  private ofLook(): Mutation[] {
    return (this.pairs.theme_activations ?? []).map((pair) => {
      const { configuration_uuid, variation_id, theme_uuid } = pair.destination
      const configuration = this.destination.theme_configurations?.find(({ uuid }) => uuid === configuration_uuid)
      const theme = this.destination.themes?.find(({ uuid }) => uuid === theme_uuid)
      const other = variationsOf(theme).find(({ uuid }) => uuid !== variation_id)
      if (!configuration || !other) throw new Error('The storefront shows nothing that could be changed.')
      return {
        title: `set theme_activations.variation_id of ${pair.key}`,
        changes: [
          {
            op: 'set',
            table: 'theme_configurations',
            id: configuration.id,
            fields: { variation_id: other.uuid },
          },
        ],
        rows: [`theme_activations/${pair.destination.id}`],
        expected: () => ({
          findings: [`theme-activations different ${pair.key} variation_id`],
          differences: [`theme-activations missing ${shownId('theme_activations', pair.source)} -`],
        }),
      }
    })
  }

  private ofDoubledLink(): Mutation {
    const pair = this.pick('products', (row) => this.hasPlainLinks(row))
    return {
      title: `double product_categories of ${pair.key}`,
      changes: [{ op: 'double', table: 'product_categories', id: this.linksOf(pair.destination)[0]?.id ?? 0 }],
      rows: [`products/${pair.destination.id}`],
      expected: () => changedCategories(pair),
    }
  }

  /** In a category, and without a position anywhere, which would be another difference. */
  private hasPlainLinks(product: Row): boolean {
    const links = this.linksOf(product)
    return links.length > 0 && !links.some(isPlaced)
  }

  private linksOf(product: Row): Row[] {
    return (this.destination.product_categories ?? []).filter((link) => link.product_id === product.id)
  }

  /** Its copy has no children. */
  private isAlone(table: string, row: Row): boolean {
    if (table === 'promotions') return row.redemption_type === 'AUTOMATIC'
    return table !== 'products' || this.isSimple(row)
  }

  private isSimple(product: Row): boolean {
    const owns = (table: string) => this.destination[table]?.some((row) => row.product_id === product.id) ?? false
    return (
      !['options', 'modifiers', 'customs_information', 'wishlist_items'].some(owns) &&
      !this.linksOf(product).some(isPlaced)
    )
  }

  /** A product or customer with all its children. */
  private family(child: Row): string[] {
    const [field, table] = 'customer_id' in child ? ['customer_id', 'customers'] : ['product_id', 'products']
    const owner = child[field]
    const children = Object.entries(this.destination).flatMap(([name, rows]) =>
      rows.filter((row) => row[field] === owner).map((row) => `${name}/${row.id}`),
    )
    return [`${table}/${owner}`, ...children]
  }

  /** Spreads mutations over rows, so that a few rounds cover them all. */
  private pick(table: string, fits: (row: Row) => boolean): Pair {
    const weight = ({ destination }: Pair) => this.load.get(`${table}/${destination.id}`) ?? 0
    const [best] = (this.pairs[table] ?? [])
      .filter(({ destination }) => !isBornWith(table, destination) && fits(destination))
      .sort((one, other) => weight(one) - weight(other))
    if (!best) throw new Error(`The seed has no row of ${table} that can be changed so.`)
    this.load.set(`${table}/${best.destination.id}`, weight(best) + 1)
    return best
  }
}

/**
 * A row with a changed key is recognised by all its other fields: if another one is changed too, it is one missing and one extra.
 */
function mayName({ key, destination }: Pair, field: string): boolean {
  const value = destination[field]
  return field.endsWith('_id') || (isText(value) && key.toLowerCase().includes(value.toLowerCase()))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Every store starts with it: a run leaves it alone by default, and so does the comparison. */
export function isBornWith(table: string, { id, kind }: Row): boolean {
  if (table === 'widget_templates') return kind !== 'custom'
  return ['locations', 'tax_zones'].includes(table) && id === 1
}

/** The row's product has rules about children of it. */
export function hasRules({ product_id }: Row, destination: State): boolean {
  return destination.complex_rules?.some((rule) => rule.product_id === product_id) ?? false
}

/** Some variant of the product has a price in a list. */
export function hasPrices(productId: unknown, destination: State): boolean {
  return destination.price_records?.some((price) => price.product_id === productId) ?? false
}

/** A membership has no id over HTTP: the ids of the segment and the profile identify it. */
const memberIds = new WeakMap<Row, string>()

/** A theme activation has no id: it is named by the storefront, the theme and the variation. */
const lookIds = new WeakMap<Row, string>()

export function noteRecordIds(pairs: PairsOf): void {
  for (const side of ['source', 'destination'] as const) {
    const uuids = (table: string) =>
      new Map((pairs[table] ?? []).map((pair) => [pair[side].id, String(pair[side].uuid)]))
    const [segments, profiles] = [uuids('segments'), uuids('shopper_profiles')]
    for (const { [side]: row } of pairs.segment_members ?? [])
      memberIds.set(row, `${segments.get(Number(row.segment_id))}/${profiles.get(Number(row.shopper_profile_id))}`)
    for (const { [side]: row } of pairs.theme_activations ?? []) {
      const theme = pairs.themes?.find((pair) => pair[side].uuid === row.theme_uuid)?.[side]
      const variation = variationsOf(theme).find(({ uuid }) => uuid === row.variation_id)
      lookIds.set(row, `${row.channel_id}/own:${theme?.name}/${variation?.name}`)
    }
  }
}

function variationsOf(theme: Row | undefined): Record<string, unknown>[] {
  // The sandbox keeps them so.
  return (theme?.variations ?? []) as Record<string, unknown>[]
}

/** The product has a position among the others of the category. */
export function isPlaced({ sort_order }: Row): boolean {
  return typeof sort_order === 'number'
}

export function entityOf(table: string): string {
  const rules = tableRules.find((one) => one.table === table)
  if (!rules) throw new Error(`No rules for ${table}`)
  return rules.entity
}

/** Verify names the picture of a category, brand or variant by its file, and answers to form fields by the field. */
function pathInVerify(table: string, field: string, row: Row): string {
  if (table === 'customer_form_fields') return String(row.name)
  if (field === 'store_credit') return 'store_credit_amounts'
  return field === 'image_url' ? 'image_file' : field
}

export function shownId(table: string, row: Row, id: unknown = row.id): string {
  if (table === 'segment_members') return memberIds.get(row) ?? String(id)
  if (table === 'theme_activations') return lookIds.get(row) ?? String(id)
  return tableRules.find((one) => one.table === table)?.shownAs?.(row) ?? String(id)
}

function ids({ source, destination }: Pair, table = ''): string {
  return `${shownId(table, source)} ${shownId(table, destination)}`
}

export function changedCategories(product: Pair): Expectation {
  return {
    findings: [`products different ${product.key} categories`],
    differences: [`products different ${ids(product)} categories`],
  }
}

export function choicesOf(variant: Row): { option_id: number; id: number }[] {
  // The sandbox keeps them so.
  return (variant.option_values ?? []) as { option_id: number; id: number }[]
}

/** Paths of everything that is not an object, over all rows: a field may be an object in one row and null in another. */
function leavesOf(rows: Row[]): string[][] {
  const paths = new Map<string, string[]>()
  const walk = (value: unknown, path: string[]) => {
    if (isObject(value)) for (const [name, of] of Object.entries(value)) walk(of, [...path, name])
    else if (path.length > 0) paths.set(path.join('.'), path)
  }
  for (const row of rows) walk(row, [])
  return [...paths.values()]
}

function leafOf(row: unknown, path: string[]): unknown {
  let value = row
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return isObject(value) ? undefined : value
}

/** The value of the top field with one leaf replaced. */
function withLeaf(row: Row, [field = '', ...below]: string[], leaf: unknown): unknown {
  if (below.length === 0) return leaf
  const value = row[field]
  const [next = '', ...rest] = below
  return { ...(isObject(value) ? value : {}), [next]: withLeaf(value as Row, [next, ...rest], leaf) }
}

function isEmpty(leaf: unknown): boolean {
  return leaf === null || leaf === '' || leaf === 0 || leaf === false || (Array.isArray(leaf) && leaf.length === 0)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
