import { insertBrand } from '../../sandbox/resources/catalog/brands.ts'
import { insertCategory } from '../../sandbox/resources/catalog/categories.ts'
import { insertBaseVariant } from '../../sandbox/resources/products/rows/variant-rows.ts'
import { plantSeed } from '../../sandbox/seeds/plant-seed.ts'
import { seedOptionsAndVariants } from '../../sandbox/seeds/products/product-choices.ts'
import { seedCustomFields, seedImages, seedMetafields } from '../../sandbox/seeds/products/product-details.ts'
import { seedModifiers } from '../../sandbox/seeds/products/product-modifiers.ts'
import { insertProductRow } from '../../sandbox/seeds/products/product-row.ts'
import { seededRandom } from '../../sandbox/store/random.ts'
import { SqliteStore } from '../../sandbox/store/sqlite-store.ts'
import { channelAssignmentTable, productCategoryTable, productTable } from '../../sandbox/tables/product-tables.ts'

/** The content of a shop. Shares refer to its products. */
export interface ShopShape {
  seed: number
  categories: number
  brands: number
  products: number
  withOptions: number
  withModifiers: number
  withImages: number
  withMetafields: number
}

/** `node plant-shop.ts <file> <hash> <shape as JSON>`: fills a store in a sandbox's data directory. */
const [file = '', hash = '', given = '{}'] = process.argv.slice(2)
const shape: ShopShape = JSON.parse(given)
const random = seededRandom(shape.seed)
const store = new SqliteStore({ name: hash, hash, file, switches: {} })
// Only the names of pictures are stored; the sandbox that serves the store provides their addresses.
store.imageBase = `http://127.0.0.1/stores/${hash}/images`
plantSeed(store, 'empty')
store.transaction(() => {
  const treeId = store.table('category_trees').find({})[0]?.id ?? 1
  const categoryIds: number[] = []
  for (let n = 0; n < shape.categories; n++) {
    // Some are below others, like the departments of a shop.
    const parentId = n % 4 === 0 ? 0 : (categoryIds[Math.floor(random() * categoryIds.length)] ?? 0)
    categoryIds.push(insertCategory(store, { treeId, parentId }, { name: `Department ${n + 1}` }).id)
  }
  const brandIds = Array.from({ length: shape.brands }, (_, n) => insertBrand(store, { name: `Maker ${n + 1}` }).id)
  for (let n = 0; n < shape.products; n++) plantProduct(n, categoryIds, brandIds)
})
store.close()

function plantProduct(n: number, categoryIds: number[], brandIds: number[]): void {
  const date = new Date(Date.UTC(2024, 0, 1) + n * 3_600_000).toISOString().replace('.000Z', '+00:00')
  const product = insertProductRow(store, {
    fields: {
      name: `Everyday thing ${n + 1}`,
      type: 'physical',
      sku: `THING-${n + 1}`,
      price: Math.round(random() * 20_000) / 100,
      weight: 1,
      brand_id: brandIds[Math.floor(random() * brandIds.length)] ?? 0,
    },
    custom_url: { url: `/everyday-thing-${n + 1}/`, is_customized: false },
    date_created: date,
    date_modified: date,
  })
  channelAssignmentTable(store).insert({ product_id: product.id, channel_id: 1 })
  const category_id = categoryIds[Math.floor(random() * categoryIds.length)]
  if (category_id !== undefined) productCategoryTable(store).insert({ product_id: product.id, category_id })
  const turn = Math.floor(random() * 1_000)
  if (random() < shape.withImages) seedImages(store, product, turn)
  if (random() < 0.4) seedCustomFields(store, product, turn)
  if (random() < shape.withMetafields) seedMetafields(store, product, turn)
  if (random() < shape.withModifiers) seedModifiers(store, product, turn)
  if (random() < shape.withOptions) seedOptionsAndVariants(store, product, turn, false)
  else productTable(store).update(product.id, { base_variant_id: insertBaseVariant(store, product).id })
}
