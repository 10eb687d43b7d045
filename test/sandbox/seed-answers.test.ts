import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../sandbox/registry.ts'
import type { Seed } from '../../sandbox/seeds/plant-seed.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import type { Row } from '../../sandbox/store/store.ts'
import { PUBLISHED_PARAMETERS } from '../../sandbox/validation/query-parameters.ts'
import { contradictions, replacementFor } from './contract/contradictions.ts'
import {
  operationKey,
  orHowToGetSpecs,
  publishedAnswer,
  readPublishedOperations,
  specsFolder,
} from './contract/published-operations.ts'
import { checkSchema, type Schema } from './contract/schema-check.ts'

const SEED: Seed = 'awkward-two-storefronts'

/** For a list below an owner, the table of its rows: only owners with rows are read. */
const TABLE_OF_LIST: Record<string, { table: string; owner: string }> = {
  images: { table: 'images', owner: 'product_id' },
  videos: { table: 'product_videos', owner: 'product_id' },
  options: { table: 'options', owner: 'product_id' },
  modifiers: { table: 'modifiers', owner: 'product_id' },
  variants: { table: 'variants', owner: 'product_id' },
  reviews: { table: 'reviews', owner: 'product_id' },
  'custom-fields': { table: 'custom_fields', owner: 'product_id' },
  'bulk-pricing-rules': { table: 'bulk_pricing_rules', owner: 'product_id' },
  'complex-rules': { table: 'complex_rules', owner: 'product_id' },
}

/** The possible values of each path parameter. */
const TABLE_OF_PART: Record<string, string> = {
  productId: 'products',
  categoryId: 'categories',
  brandId: 'brands',
  channelId: 'channels',
  siteId: 'sites',
  treeId: 'category_trees',
  customerGroupId: 'customer_groups',
  priceListId: 'price_lists',
  locationId: 'locations',
}

const QUERIES: Record<string, string[]> = {
  'GET /v3/catalog/products': [
    'limit=250&include=bulk_pricing_rules,channels,custom_fields,images,parent_relations,primary_image,reviews,variants,videos',
    'limit=10&include=options,modifiers',
  ],
  'GET /v3/channels': ['include=currencies'],
  // In promotions null appears where the schema has lists, as its description says.
  'GET /v2/coupons': ['limit=250&exclude_type=promotion'],
  'GET /v3/promotions/codes': ['code=Winter'],
  // Requires a file of the theme.
  'GET /v3/content/regions': ['template_file=pages/home'],
  'GET /v3/pricelists/:priceListId/records': ['include=bulk_pricing_tiers,sku'],
}

const KNOWN = new Set([
  ...contradictions.flatMap(({ places }) => places),
  // The `include` parameter names reviews; the schema leaves them out of the product.
  'GET /v3/catalog/products 200 data[].reviews',
  // The schema of the answer has discount rules of one kind only.
  'GET /v2/customer_groups 200 [].discount_rules[].category_id',
  'GET /v2/customer_groups/:customerGroupId 200 discount_rules[].category_id',
  'GET /v2/customer_groups/:customerGroupId 200 discount_rules[].product_id',
  // Some values are older than the schema.
  ...['inventory_level', 'price', 'custom_fields[].value'].map(
    (field) => `GET /v3/catalog/products 200 data[].${field}`,
  ),
  'GET /v3/catalog/products/:productId/custom-fields 200 data[].value',
  // A customer with access everywhere has no channel, and some have no name: the schema is for new ones.
  'GET /v3/customers 200 data[].channel_ids',
  ...['', '/addresses'].flatMap((path) =>
    ['first_name', 'last_name'].map((field) => `GET /v3/customers${path} 200 data[].${field}`),
  ),
  // The examples of the modifier answers have an empty list where nothing is configured.
  'GET /v3/catalog/products 200 data[].modifiers[].config',
])

/** Fields that only other clients or channels have, which a seed cannot create. */
const NOT_SEEDED = ['/v3/hooks', '/v3/channels/:channelId/site', '/v3/channels/:channelId/active-theme']

const operations = readPublishedOperations()

/** Every list whose path needs only ids of the tables above. */
const lists = resources
  .flatMap(({ routes }) => routes)
  .filter(({ method, path }) => method === 'GET' && !path.split('/').at(-1)?.startsWith(':'))
  .map(({ path }) => path)
  .filter((path) => !NOT_SEEDED.includes(path))
  .filter((path) => partsOf(path).every((part) => TABLE_OF_PART[part]))

function partsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, part]) => String(part))
}

/** Only where the list has pages. */
function largestPage(template: string): string {
  return PUBLISHED_PARAMETERS[template]?.split(' ').includes('limit') ? 'limit=250' : ''
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ stores: [{ name: 'shop', seed: SEED, token: 'secret' }] })
})
afterAll(() => sandbox.close())

/** A path for each owner with rows. */
function pathsOf(template: string): string[] {
  const [part] = partsOf(template)
  if (!part) return [template]
  const rows = sandbox.store('shop').table(String(TABLE_OF_PART[part])).find({})
  const shown = TABLE_OF_LIST[String(template.split('/').pop())]
  const owners = shown && part === 'productId' ? new Set(rowsOf(shown.table).map((row) => row[shown.owner])) : undefined
  return rows.filter((row) => !owners || owners.has(row.id)).map((row) => template.replace(`:${part}`, String(row.id)))
}

function rowsOf(table: string): Row[] {
  return sandbox.store('shop').table(table).find({})
}

/** All pages of a list; the last one is not full. */
async function* pagesOf(path: string, query: string): AsyncGenerator<{ status: number; body: unknown }> {
  for (let page = 1; ; page++) {
    const answer = await fetch(`${sandbox.stores.shop?.url}${path}?${query}${page === 1 ? '' : `&page=${page}`}`, {
      headers: { 'X-Auth-Token': 'secret' },
    })
    const text = await answer.text()
    const body = text === '' ? undefined : JSON.parse(text)
    yield { status: answer.status, body }
    if (page >= Number(body?.meta?.pagination?.total_pages ?? 1)) return
  }
}

function complaintsAbout(template: string, status: number, body: unknown): string[] {
  const operation = `GET ${template}`
  const published = operations.get(operationKey('GET', template))
  if (!published) return [`${operation} is in no file`]
  if (status === 204) return []
  const documented = publishedAnswer(published, status)
  const schema =
    replacementFor(operation, status)?.schema ?? (documented?.content['application/json']?.schema as Schema)
  const document = documented?.document ?? published.document
  const places = checkSchema(document, schema, body).map(({ at, says }) => ({
    place: `${operation} ${status} ${at}`,
    says,
  }))
  return places.filter(({ place }) => !KNOWN.has(place)).map(({ place, says }) => `${place} ${says}`)
}

describe.skipIf(!specsFolder)(orHowToGetSpecs('the awkward store in the published OpenAPI files'), () => {
  test.each(lists)('GET %s conforms to its schema', async (template) => {
    const found = new Set<string>()
    let pages = 0
    for (const path of pathsOf(template)) {
      for (const query of QUERIES[`GET ${template}`] ?? [largestPage(template)]) {
        for await (const { status, body } of pagesOf(path, query)) {
          pages++
          if (status >= 300) found.add(`${path}?${query} ${status} ${JSON.stringify(body)}`)
          for (const complaint of complaintsAbout(template, status, body)) found.add(complaint)
        }
      }
    }
    expect(pages).toBeGreaterThan(0)
    expect([...found]).toEqual([])
  })
})
