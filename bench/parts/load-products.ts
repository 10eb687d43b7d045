import { insertCategory } from '../../sandbox/resources/catalog/categories.ts'
import { freshLocation, locationTable } from '../../sandbox/resources/inventory/location-rows.ts'
import { plantSeed } from '../../sandbox/seeds/plant-seed.ts'
import { SqliteStore } from '../../sandbox/store/sqlite-store.ts'
import {
  channelAssignmentTable,
  productCategoryTable,
  productTable,
  stockTable,
  variantTable,
} from '../../sandbox/tables/product-tables.ts'
import { withFallbacks } from '../../sandbox/validation/field-rules.ts'
import { PRODUCT_FIELDS, VARIANT_FIELDS } from '../../sandbox/validation/product-fields.ts'

/**
 * `node load-products.ts <file> <store name> <count> [<other locations>]`: fills a store with that many products, each
 * with its base variant, one category and the default channel. With other locations, their stock is tracked, at the
 * default location and that many others. Prints one line of JSON: the number of rows, the seconds, and the peak memory
 * of the process.
 */
const [file = '', name = '', count = '0', otherLocations = '0'] = process.argv.slice(2)
const store = new SqliteStore({ name, hash: name, file, switches: {} })
plantSeed(store, 'empty')
const PRODUCTS = Number(count)
const CATEGORIES = 100
const treeId = store.table('category_trees').find({})[0]?.id ?? 1
const categoryIds = Array.from(
  { length: CATEGORIES },
  (_, n) => insertCategory(store, { treeId, parentId: 0 }, { name: `Department ${n + 1}` }).id,
)
const OTHER_LOCATIONS = Number(otherLocations)
const otherLocationIds = Array.from({ length: OTHER_LOCATIONS }, (_, n) => insertLocation(n).id)
/** Made once: creating sixty fields for each row would take longer than writing it. */
const PLAIN_PRODUCT = withFallbacks(PRODUCT_FIELDS, {})
const PLAIN_VARIANT = withFallbacks(VARIANT_FIELDS, {})
const firstProduct = productTable(store).nextId()
const firstVariant = variantTable(store).nextId()
const startedMs = performance.now()
const rows =
  load(productTable(store), 'products', rowsOf(productRow)) +
  load(variantTable(store), 'variants', rowsOf(variantRow)) +
  load(
    productCategoryTable(store),
    'product_categories',
    rowsOf((n) => ({ product_id: firstProduct + n, category_id: categoryIds[n % CATEGORIES] })),
  ) +
  load(
    channelAssignmentTable(store),
    'product_channel_assignments',
    rowsOf((n) => ({ product_id: firstProduct + n, channel_id: 1 })),
  ) +
  load(stockTable(store), 'stock', stockRows())
const seconds = (performance.now() - startedMs) / 1_000
store.close()
console.log(JSON.stringify({ rows, seconds, peakMiB: process.resourceUsage().maxRSS / 1_024 }))

/** The table is only accessed to create its indexes. */
function load(_table: unknown, table: string, rows: Iterable<Record<string, unknown>>): number {
  return store.load(table, rows)
}

function* rowsOf(rowOf: (n: number) => Record<string, unknown>) {
  for (let n = 0; n < PRODUCTS; n++) yield rowOf(n)
}

function insertLocation(n: number) {
  const address = { address1: `${n + 1} Depot Road`, city: 'Austin', state: 'Texas', zip: '78701', country_code: 'US' }
  const contact = { address2: '', email: 'depots@bench.example', phone: '555-0100' }
  const geo_coordinates = { latitude: 30 + n / 10, longitude: -97 }
  const fields = {
    code: `DEPOT-${n + 1}`,
    label: `Depot ${n + 1}`,
    address: { ...address, ...contact, geo_coordinates },
  }
  return locationTable(store).insert(freshLocation(fields))
}

function* stockRows() {
  for (const location_id of otherLocationIds)
    for (let n = 0; n < PRODUCTS; n++)
      yield { product_id: firstProduct + n, variant_id: firstVariant + n, location_id, quantity: 1 + (n % 90) }
}

function productRow(n: number): Record<string, unknown> {
  // Scattered, so that no index is filled in order.
  const scattered = (n * 7_919) % PRODUCTS
  const date = new Date(Date.UTC(2020, 0, 1) + scattered * 60_000).toISOString().replace('.000Z', '+00:00')
  return {
    id: firstProduct + n,
    ...PLAIN_PRODUCT,
    name: `Everyday thing no. ${scattered}`,
    type: 'physical',
    sku: `THING-${n}`,
    description: `<p><strong>Everyday thing no. ${scattered}</strong>, made in small series and with care.</p>`.repeat(
      3,
    ),
    price: 1 + (n % 9_973) / 10,
    weight: (n % 40) / 10,
    is_visible: n % 14 !== 6,
    custom_url: { url: `/everyday-thing-no-${scattered}/`, is_customized: false },
    inventory_tracking: OTHER_LOCATIONS === 0 ? 'none' : 'variant',
    base_variant_id: firstVariant + n,
    option_set_id: null,
    option_set_display: 'right',
    reviews_rating_sum: 0,
    reviews_count: 0,
    total_sold: n % 17,
    date_created: date,
    date_modified: date,
  }
}

function variantRow(n: number): Record<string, unknown> {
  const id = firstVariant + n
  const fields = { sku: `THING-${n}`, inventory_level: OTHER_LOCATIONS === 0 ? 0 : n % 90 }
  return { id, product_id: firstProduct + n, ...PLAIN_VARIANT, ...fields, option_values: [], sku_id: id }
}
