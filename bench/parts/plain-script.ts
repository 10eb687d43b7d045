import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/**
 * `node plain-script.ts <API address> <options as JSON>`: the script that a developer would write to copy a catalogue:
 * brands, categories, products with everything that one call can create, then what needs calls of its own: modifiers,
 * the kind and order of options, rules, reviews, metafields, related products and the order in categories. It waits when
 * the platform is busy and retries failures, and keeps nothing for a second start. Prints one line of JSON.
 */
interface Options {
  source: { path: string; token: string }
  destination: { path: string; token: string }
  /** Calls in flight. */
  concurrency: number
}

type Row = Record<string, unknown> & { id: number }

const mostTries = 8
/** The platform sets these itself. */
const readOnly = [
  ...[
    'id',
    'date_created',
    'date_modified',
    'date_reviewed',
    'date_last_imported',
    'calculated_price',
    'calculated_weight',
  ],
  ...['base_variant_id', 'option_set_id', 'option_set_display', 'reviews_count', 'reviews_rating_sum', 'total_sold'],
  ...['view_count', 'brand_name', 'gift_wrapping_options_list', 'tax_class_id', 'primary_image', 'product_id'],
]
/** Built from the copies, or created by separate calls. */
const notAsTheyAre = [
  ...[
    'variants',
    'images',
    'custom_fields',
    'videos',
    'bulk_pricing_rules',
    'reviews',
    'options',
    'modifiers',
    'channels',
  ],
  ...['brand_id', 'categories', 'related_products', 'parent_relations'],
]
const [address = '', given = '{}'] = process.argv.slice(2)
const { source, destination, concurrency } = JSON.parse(given) as Options
const pool = new Pool(address, { connections: concurrency, pipelining: 1 })
let calls = 0
let items = 0
const refused = new Map<string, number>()

const startedMs = performance.now()
const brands = await copyBrands()
const categories = await copyCategories()
const metafields = Map.groupBy(await readAll('/v3/catalog/products/metafields', 250), (one) => Number(one.resource_id))
const copies = new Map<number, number>()
const related = new Map<number, number[]>()
const products = await copyProducts()
await Promise.all([relateProducts(), orderProducts(), readOtherMetafields()])
const seconds = (performance.now() - startedMs) / 1_000
await pool.close()
const cpu = process.cpuUsage()
console.log(
  JSON.stringify({
    ...{ seconds, calls, items, products },
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    refused: Object.fromEntries(refused),
  }),
)

async function copyBrands(): Promise<Map<number, number>> {
  const copies = new Map<number, number>()
  await each(await readAll('/v3/catalog/brands', 250), async ({ id, ...brand }) => {
    const copy = await post('/v3/catalog/brands', brand)
    if (copy) copies.set(id, copy.id)
  })
  return copies
}

/** Parents first: level by level, fifty per call. */
async function copyCategories(): Promise<Map<number, number>> {
  const [tree] = await readAll('/v3/catalog/trees', 50, destination)
  const copies = new Map<number, number>([[0, 0]])
  let left = await readAll('/v3/catalog/trees/categories', 250)
  const field = 'category_id'
  while (left.length > 0) {
    const next = left.filter(({ parent_id }) => copies.has(Number(parent_id)))
    if (next.length === 0) break
    await each(inParts(next, 50), async (some) => {
      const body = some.map(({ [field]: _id, category_uuid: _u, tree_id: _t, parent_id, views: _v, ...rest }) => ({
        ...rest,
        tree_id: tree?.id,
        parent_id: copies.get(Number(parent_id)),
      }))
      const created = (await post('/v3/catalog/trees/categories', body)) as unknown as Row[] | undefined
      for (const [at, one] of (created ?? []).entries()) copies.set(Number(some[at]?.[field]), Number(one[field]))
    })
    left = left.filter((one) => !next.includes(one))
  }
  return copies
}

async function copyProducts(): Promise<number> {
  const include = 'variants,images,custom_fields,videos,bulk_pricing_rules,reviews,options,modifiers'
  let copied = 0
  let after = 0
  let next: Promise<Row[]> = productsAfter(0)
  let under: Promise<void>[] = []
  for (;;) {
    const page = await next
    after = page.at(-1)?.id ?? after
    // The next page is read while this one is written.
    next = page.length > 0 ? productsAfter(after) : Promise.resolve([])
    if (page.length === 0) break
    under.push(
      ...page.map(async (product) => {
        if (await copyProduct(product)) copied++
      }),
    )
    if (under.length > 5 * concurrency) {
      await Promise.all(under)
      under = []
    }
  }
  await Promise.all(under)
  return copied

  function productsAfter(id: number): Promise<Row[]> {
    return read(`/v3/catalog/products?include=${include}&sort=id&limit=10${id > 0 ? `&id:greater=${id}` : ''}`)
  }
}

async function copyProduct(product: Row): Promise<boolean> {
  const {
    id,
    variants,
    images,
    custom_fields,
    videos,
    bulk_pricing_rules,
    reviews,
    modifiers,
    brand_id,
    categories: ids,
  } = product
  const rows = (value: unknown) => (value ?? []) as Row[]
  const chosen = rows(variants).filter(({ option_values }) => rows(option_values).length > 0)
  const copy = await post('/v3/catalog/products', {
    ...without(product, [...readOnly, ...notAsTheyAre]),
    ...(brands.get(Number(brand_id)) && { brand_id: brands.get(Number(brand_id)) }),
    categories: ((ids ?? []) as number[]).flatMap((one) => categories.get(one) ?? []),
    custom_fields: rows(custom_fields).map(({ name, value }) => ({ name, value })),
    bulk_pricing_rules: rows(bulk_pricing_rules).map(({ id: _id, ...rule }) => rule),
    images: rows(images).map(({ url_zoom, is_thumbnail, sort_order, description }) => ({
      ...{ image_url: url_zoom, is_thumbnail, sort_order, description },
    })),
    videos: rows(videos).map(({ title, description, sort_order, type, video_id }) => ({
      ...{ title, description, sort_order, type, video_id },
    })),
    ...(chosen.length > 0 && { variants: chosen.map(asVariant) }),
  })
  if (!copy) return false
  items += chosen.length + rows(images).length + rows(custom_fields).length + rows(videos).length
  await each(rows(modifiers), (modifier) => copyModifier(modifier, copy.id))
  await each(rows(reviews), (review) => post(`/v3/catalog/products/${copy.id}/reviews`, without(review, readOnly)))
  copies.set(id, copy.id)
  const others = ((product.related_products ?? []) as number[]).filter((one) => one > 0)
  if (others.length > 0) related.set(id, others)
  await setOptions(copy, rows(product.options))
  if (rows(modifiers).length > 0) await readRules(id)
  const bodies = (metafields.get(id) ?? []).map(({ permission_set, namespace, key, value, description }) => ({
    ...{ resource_id: copy.id, permission_set, namespace, key, value, description },
  }))
  if (bodies.length > 0) await post('/v3/catalog/products/metafields', bodies)
  return true
}

/** The platform makes options of the variants, without their kind, colours and order. */
async function setOptions(copy: Row, options: Row[]): Promise<void> {
  const made = ((copy.variants ?? []) as Row[]).flatMap(({ option_values }) => (option_values ?? []) as Row[])
  await each(options, ({ id: _id, product_id: _p, name: _n, option_values, ...option }) => {
    const values = made.filter(({ option_display_name }) => option_display_name === option.display_name)
    return put(`/v3/catalog/products/${copy.id}/options/${values[0]?.option_id}`, {
      ...option,
      option_values: ((option_values ?? []) as Row[]).map((value) => ({
        ...value,
        id: values.find(({ label }) => label === value.label)?.id,
      })),
    })
  })
}

async function copyModifier({ id: _id, product_id: _p, option_values, ...modifier }: Row, productId: number) {
  const path = `/v3/catalog/products/${productId}/modifiers`
  const values = (option_values ?? []) as Row[]
  const isCheckbox = modifier.type === 'checkbox'
  const made = await post(path, {
    ...without(modifier, ['name']),
    ...(!isCheckbox && { option_values: values.map((value) => without(value, ['id', 'option_id'])) }),
  })
  // The platform adds Yes and No by itself, without what they cost.
  if (!made || !isCheckbox || !values.some(({ adjusters }) => hasAdjusters(adjusters))) return
  const added = (made.option_values ?? []) as Row[]
  await put(`${path}/${made.id}`, {
    ...without(modifier, ['name']),
    option_values: values.map((value) => ({
      ...without(value, ['option_id']),
      id: added.find(({ label }) => label === value.label)?.id,
    })),
  })
}

function hasAdjusters(adjusters: unknown): boolean {
  const { price, weight } = (adjusters ?? {}) as Record<string, Record<string, unknown> | null>
  return [price, weight].some((one) => one?.adjuster_value !== undefined && one.adjuster_value !== null)
}

/** Only products with modifiers can have rules. */
async function readRules(id: number): Promise<void> {
  expectNone('complex rules', await read(`/v3/catalog/products/${id}/complex-rules`))
}

async function readOtherMetafields(): Promise<void> {
  for (const owner of ['categories', 'brands', 'variants'])
    expectNone(`metafields of ${owner}`, await read(`/v3/catalog/${owner}/metafields?limit=250`))
}

/** @throws if there are rows: the script would leave them out, and seem faster than it is */
function expectNone(what: string, rows: Row[]): void {
  if (rows.length > 0) throw new Error(`The store has ${what}, which this script does not copy`)
}

async function relateProducts(): Promise<void> {
  const bodies = [...related].map(([id, others]) => ({
    id: copies.get(id),
    related_products: others.flatMap((one) => copies.get(one) ?? []),
  }))
  await each(inParts(bodies, 10), (some) => put('/v3/catalog/products', some))
}

async function orderProducts(): Promise<void> {
  await each([...categories], async ([id, copy]) => {
    if (id === 0) return
    const order = await read(`/v3/catalog/categories/${id}/products/sort-order`)
    const sorted = order.filter(({ sort_order }) => sort_order !== null)
    if (sorted.length === 0) return
    await put(
      `/v3/catalog/categories/${copy}/products/sort-order`,
      sorted.map(({ product_id, sort_order }) => ({ product_id: copies.get(Number(product_id)), sort_order })),
    )
  })
}

function asVariant(variant: Row) {
  const { option_values, ...rest } = variant
  const values = (option_values as Row[]).map(({ option_display_name, label }) => ({ option_display_name, label }))
  const picture = rest.image_url ? { image_url: rest.image_url } : {}
  return { ...without(rest, [...readOnly, 'product_id', 'sku_id', 'image_url']), ...picture, option_values: values }
}

function without(row: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => !names.includes(name) && value !== null))
}

async function readAll(path: string, limit: number, store = source): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const some = await read(`${path}?limit=${limit}&page=${page}`, store)
    rows.push(...some)
    if (some.length < limit) return rows
  }
}

async function read(path: string, store = source): Promise<Row[]> {
  return ((await call('GET', path, store)) ?? []) as Row[]
}

async function post(path: string, body: unknown): Promise<Row | undefined> {
  items += Array.isArray(body) ? body.length : 1
  return (await call('POST', path, destination, body)) as Row | undefined
}

async function put(path: string, body: unknown): Promise<Row | undefined> {
  return (await call('PUT', path, destination, body)) as Row | undefined
}

async function call(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  store: Options['source'],
  body?: unknown,
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    calls++
    const {
      statusCode,
      headers,
      body: answer,
    } = await pool.request({
      method,
      path: `${store.path}${path}`,
      headers: { 'x-auth-token': store.token, accept: 'application/json', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (statusCode < 300) return text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data
    if ((statusCode === 429 || statusCode >= 500) && tries < mostTries) {
      await sleep(Number(headers['x-rate-limit-time-reset-ms'] ?? 500 * tries))
      continue
    }
    const what = `${method} ${path.replace(/\d+/g, '*').replace(/\?.*/, '')} ${statusCode} ${text.slice(0, 900)}`
    refused.set(what, (refused.get(what) ?? 0) + 1)
    return undefined
  }
}

function each<Item>(all: Item[], work: (item: Item) => Promise<unknown>): Promise<unknown> {
  return Promise.all(all.map(work))
}

function inParts<Item>(all: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}
