import { createHash } from 'node:crypto'
import { batchTooLarge, errorBody, nestingRefusals, refuse } from '../answers.ts'
import { imageExists, storedName } from '../images.ts'
import { booleanIn, list, numbersIn, textsIn, type Where } from '../listing.ts'
import { categoryMetafieldTable, deleteRows, productCategoryTable } from '../products/tables.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row, SandboxStore, Table } from '../store.ts'
import { claimUrl, freeUrl, isValidUrl, releaseUrl, saidCustomized, urlIsFree } from '../urls.ts'

type Fields = Record<string, unknown>
/** Field to message; empty when the row is fine. */
type RowErrors = Record<string, string>

const SCOPE = 'store_v2_products'
const PATH = '/v3/catalog/trees/categories'
const INVALID = 'The Category was not valid. This is the result of missing required fields, or of invalid data.'
const MOST_LEVELS = 8
const MOST_NAME = 50
const MOST_TEXT = 65_535
/** Rows a batch may have when `url` is left out; more is refused. Source: a confirmed fault of the platform. */
const MOST_ROWS_WITHOUT_URL = 10
/** The platform documents no maximum; switch `category_batch_max`. */
const DEFAULT_BATCH_MAX = 50

const SORTS = [
  'use_store_settings',
  'featured',
  'newest',
  'best_selling',
  'alpha_asc',
  'alpha_desc',
  'avg_customer_review',
  'price_asc',
  'price_desc',
]

const DEFAULTS = {
  description: '',
  views: 0,
  sort_order: 0,
  page_title: '',
  meta_keywords: [],
  meta_description: '',
  layout_file: 'category.html',
  image_url: '',
  is_visible: true,
  search_keywords: '',
  default_product_sort: 'use_store_settings',
}

export function treesTable(store: SandboxStore): Table {
  return store.table('category_trees', ['channel_id'])
}

export function categoriesTable(store: SandboxStore): Table {
  return store.table('categories', ['tree_id', 'parent_id', 'name_key', 'category_uuid', 'is_visible'])
}

function shown(store: SandboxStore, { id, ...row }: Row): Fields {
  return { category_id: id, ...row, image_url: row.image_url ? `${store.imageBase}/${row.image_url}` : '' }
}

function uuidOf(store: SandboxStore, id: number): string {
  const hex = createHash('sha256').update(`${store.name} category ${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Levels from the root to this category; 0 for "no category". */
function levelOf(store: SandboxStore, id: number): number {
  let level = 0
  for (let at = id; at !== 0; level++) at = Number(categoriesTable(store).get(at)?.parent_id ?? 0)
  return level
}

function childrenOf(store: SandboxStore, id: number): Row[] {
  return categoriesTable(store).find({ parent_id: id })
}

/** Levels of the category and what hangs below it. */
function heightOf(store: SandboxStore, id: number): number {
  return 1 + Math.max(0, ...childrenOf(store, id).map((child) => heightOf(store, child.id)))
}

function isBelow(store: SandboxStore, id: number, ancestor: number): boolean {
  for (let at = id; at !== 0; at = Number(categoriesTable(store).get(at)?.parent_id ?? 0))
    if (at === ancestor) return true
  return false
}

/** What a field must be; null counts as left out. */
const TYPES: Record<string, 'string' | 'number' | 'boolean' | 'object'> = {
  url: 'object',
  views: 'number',
  sort_order: 'number',
  page_title: 'string',
  meta_description: 'string',
  layout_file: 'string',
  image_url: 'string',
  is_visible: 'boolean',
  search_keywords: 'string',
}

function typeErrors(row: Fields): RowErrors {
  const wrong = Object.entries(TYPES).filter(([name, type]) => {
    const value = row[name] ?? undefined
    return value !== undefined && typeof value !== type
  })
  return Object.fromEntries(wrong.map(([name, type]) => [name, `${name} must be a ${type}`]))
}

function textErrors(row: Fields): RowErrors {
  const errors: RowErrors = typeErrors(row)
  const { name, description, meta_keywords: keywords, default_product_sort: sort } = row
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '' || [...name].length > MOST_NAME)) {
    errors.name = `name must be 1 to ${MOST_NAME} characters`
  }
  if (description !== undefined && (typeof description !== 'string' || description.length > MOST_TEXT)) {
    errors.description = `description must be at most ${MOST_TEXT} characters`
  }
  if (keywords !== undefined && !Array.isArray(keywords)) errors.meta_keywords = 'meta_keywords must be an array'
  if (sort !== undefined && !SORTS.includes(String(sort)))
    errors.default_product_sort = `must be one of ${SORTS.join(', ')}`
  if (typeof row.search_keywords === 'string' && row.search_keywords.length > 255) {
    errors.search_keywords = 'search_keywords must be at most 255 characters'
  }
  return errors
}

function urlErrors(store: SandboxStore, row: Fields, ownId?: number): RowErrors {
  const path = wantedPath(row)
  if (path === undefined) return {}
  if (!isValidUrl(path)) return { url: 'url.path is not a valid URL path' }
  const owner = ownId === undefined ? undefined : { resource: 'category', id: ownId }
  return urlIsFree(store, path, owner) ? {} : { url: `The URL ${path} is already in use.` }
}

function wantedPath(row: Fields): unknown {
  const path = (row.url as { path?: unknown } | null | undefined)?.path
  return path === '' ? undefined : path
}

interface Place {
  treeId: number
  parentId: number
}

/** Where a row belongs, or why it belongs nowhere. `tree_id` alone means the top of that tree. */
function placeOf(store: SandboxStore, row: Fields): Place | RowErrors {
  const parentId = Number(row.parent_id ?? 0)
  if (parentId !== 0) {
    const parent = categoriesTable(store).get(parentId)
    if (!parent) return { parent_id: `Parent category ${row.parent_id} was not found.` }
    const treeId = Number(parent.tree_id)
    if (row.tree_id !== undefined && Number(row.tree_id) !== treeId)
      return { tree_id: 'The parent is in another tree.' }
    return { treeId, parentId }
  }
  if (row.tree_id === undefined) return { tree_id: 'tree_id or parent_id is required' }
  if (!treesTable(store).get(Number(row.tree_id))) return { tree_id: `Category tree ${row.tree_id} was not found.` }
  return { treeId: Number(row.tree_id), parentId }
}

function isPlace(place: Place | RowErrors): place is Place {
  return typeof (place as Place).treeId === 'number'
}

function placeErrors(store: SandboxStore, { treeId, parentId }: Place, name: unknown, ownId?: number): RowErrors {
  const height = ownId === undefined ? 1 : heightOf(store, ownId)
  if (levelOf(store, parentId) + height > MOST_LEVELS)
    return { parent_id: `Categories can be ${MOST_LEVELS} levels deep.` }
  if (ownId !== undefined && isBelow(store, parentId, ownId)) return { parent_id: 'A category cannot be below itself.' }
  const same = categoriesTable(store).find({ tree_id: treeId, parent_id: parentId, name_key: String(name) })
  return same.some((row) => row.id !== ownId)
    ? { name: `The category name ${name} is already in use under this parent.` }
    : {}
}

/** Writes a category whose place and address are free; seeds and the create call share it. */
export function insertCategory(store: SandboxStore, place: Place, fields: Fields): Row {
  const table = categoriesTable(store)
  const parent = table.get(place.parentId)
  const folder = parent ? (parent.url as { path: string }).path : ''
  const wanted = wantedPath(fields)
  const path = typeof wanted === 'string' ? wanted : freeUrl(store, folder, String(fields.name))
  const known = Object.fromEntries(
    Object.keys(DEFAULTS).map((name) => [name, fields[name] ?? DEFAULTS[name as keyof typeof DEFAULTS]]),
  )
  const { id } = table.insert({
    category_uuid: '',
    parent_id: place.parentId,
    tree_id: place.treeId,
    name: fields.name,
    ...known,
    url: { path, is_customized: wanted !== undefined && saidCustomized(fields.url) },
  })
  claimUrl(store, path, { resource: 'category', id })
  return table.update(id, { category_uuid: uuidOf(store, id) })
}

type RowResult = { row: Row } | { errors: RowErrors }

function createOne(store: SandboxStore, fields: Fields): RowResult {
  const errors = { ...textErrors(fields), ...urlErrors(store, fields) }
  if (fields.name === undefined) errors.name = 'name is required'
  const place = placeOf(store, fields)
  if (!isPlace(place)) return { errors: { ...errors, ...place } }
  Object.assign(errors, placeErrors(store, place, fields.name))
  return Object.keys(errors).length > 0 ? { errors } : { row: insertCategory(store, place, fields) }
}

function updateOne(store: SandboxStore, fields: Fields): RowResult {
  const id = Number(fields.category_id)
  const before = categoriesTable(store).get(id)
  if (!before) return { errors: { category_id: `Category ${fields.category_id} was not found.` } }
  const name = fields.name ?? before.name
  const moved = fields.parent_id !== undefined || fields.tree_id !== undefined
  const place = moved
    ? placeOf(store, { tree_id: before.tree_id, parent_id: before.parent_id, ...treeOfMove(fields), ...fields })
    : { treeId: Number(before.tree_id), parentId: Number(before.parent_id) }
  const errors = { ...textErrors(fields), ...urlErrors(store, fields, id) }
  if (!isPlace(place)) return { errors: { ...errors, ...place } }
  Object.assign(errors, placeErrors(store, place, name, id))
  if (Object.keys(errors).length > 0) return { errors }
  return { row: writeUpdate(store, before, place, fields) }
}

/** A move below another parent takes that parent's tree unless the row says a tree. */
function treeOfMove(fields: Fields): Fields {
  return fields.parent_id !== undefined && Number(fields.parent_id) !== 0 ? { tree_id: undefined } : {}
}

function writeUpdate(store: SandboxStore, before: Row, place: Place, fields: Fields): Row {
  const names = ['name', ...Object.keys(DEFAULTS)].filter((name) => fields[name] !== undefined)
  const changes: Fields = Object.fromEntries(names.map((name) => [name, fields[name]]))
  const path = wantedPath(fields)
  if (typeof path === 'string') {
    claimUrl(store, path, { resource: 'category', id: before.id })
    changes.url = { path, is_customized: saidCustomized(fields.url) }
  }
  if (place.treeId !== before.tree_id) moveBelow(store, before.id, place.treeId)
  return categoriesTable(store).update(before.id, { ...changes, parent_id: place.parentId, tree_id: place.treeId })
}

function moveBelow(store: SandboxStore, id: number, treeId: number): void {
  for (const child of childrenOf(store, id)) {
    categoriesTable(store).update(child.id, { tree_id: treeId })
    moveBelow(store, child.id, treeId)
  }
}

/** Pictures are taken in before anything is written, as a transaction cannot wait. Rows whose picture fails keep the error. */
async function takeImages(rows: Fields[]): Promise<{ rows: Fields[]; failed: Set<Fields> }> {
  const failed = new Set<Fields>()
  const taken = await Promise.all(
    rows.map(async (row) => {
      const address = row.image_url
      if (typeof address !== 'string' || address === '') return row
      if (await imageExists(address))
        return { ...row, image_url: storedName(address, `category ${row.name ?? row.category_id}`) }
      failed.add(row)
      return row
    }),
  )
  return { rows: taken, failed }
}

function rowsOf(store: SandboxStore, body: unknown): Fields[] | SandboxAnswer {
  if (!Array.isArray(body) || body.some((row) => typeof row !== 'object' || row === null)) {
    return refuse(422, 'JSON data is missing or invalid', { '': 'error.expected.jsarray' })
  }
  const max = Number(store.switches.category_batch_max ?? DEFAULT_BATCH_MAX)
  return body.length > max ? batchTooLarge(max) : (body as Fields[])
}

interface BatchResult {
  saved: Row[]
  errors: Record<string, string>
  meta: { total: number; success: number; failed: number }
}

async function runBatch(
  store: SandboxStore,
  given: Fields[],
  one: (store: SandboxStore, row: Fields) => RowResult,
): Promise<BatchResult> {
  const { rows, failed } = await takeImages(given)
  const saved: Row[] = []
  const errors: Record<string, string> = {}
  store.transaction(() => {
    for (const [at, row] of rows.entries()) {
      const result = failed.has(row)
        ? { errors: { image_url: 'The resource could not be downloaded.' } }
        : one(store, row)
      if ('row' in result) saved.push(result.row)
      else for (const [field, message] of Object.entries(result.errors)) errors[`${at}.${field}`] = message
    }
  })
  return { saved, errors, meta: { total: rows.length, success: saved.length, failed: rows.length - saved.length } }
}

/** Shapes A and B: 2xx when all went well, 207 when some did, 422 without data when none did. */
function answerBatch({ errors, meta }: BatchResult, allWell: number, data?: Fields[]): SandboxAnswer {
  const body = data ? { data } : {}
  if (meta.failed === 0) return { status: allWell, body: { ...body, meta } }
  if (meta.success > 0) return { status: 207, body: { ...body, errors: errorBody(207, 'Multi-Status', errors), meta } }
  return { status: 422, body: { errors: errorBody(422, INVALID, errors), meta } }
}

/** The platform checks `url` of every row of a long batch, although it would make one for a short batch. */
function missingUrls(rows: Fields[]): Record<string, string> {
  if (rows.length <= MOST_ROWS_WITHOUT_URL) return {}
  const missing = rows.flatMap((row, at) => (wantedPath(row) === undefined ? [[`${at}.url`, 'Url is required']] : []))
  return Object.fromEntries(missing)
}

async function create({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const rows = rowsOf(store, body)
  if (!Array.isArray(rows)) return rows
  const errors = missingUrls(rows)
  if (Object.keys(errors).length > 0) {
    const meta = { total: rows.length, success: 0, failed: rows.length }
    return { status: 422, body: { errors: errorBody(422, INVALID, errors), meta } }
  }
  const result = await runBatch(store, rows, createOne)
  return answerBatch(
    result,
    201,
    result.saved.map((row) => shown(store, row)),
  )
}

async function update({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const rows = rowsOf(store, body)
  if (!Array.isArray(rows)) return rows
  return answerBatch(await runBatch(store, rows, updateOne), 200)
}

/** Removes categories and everything below them; gives how many. */
export function removeCategories(store: SandboxStore, rows: Row[]): number {
  let removed = 0
  for (const { id } of rows) {
    if (!categoriesTable(store).delete(id)) continue
    releaseUrl(store, { resource: 'category', id })
    deleteRows(productCategoryTable(store), { category_id: id })
    deleteRows(categoryMetafieldTable(store), { resource_id: id })
    removed += 1 + removeCategories(store, childrenOf(store, id))
  }
  return removed
}

function indexedFilters(query: URLSearchParams): Where {
  const where: Where = {}
  const numbers = { id: 'category_id:in', tree_id: 'tree_id:in', parent_id: 'parent_id:in' }
  for (const [column, filter] of Object.entries(numbers)) {
    const wanted = numbersIn(query, filter)
    if (wanted) where[column] = wanted
  }
  const uuids = textsIn(query, 'category_uuid:in')
  if (uuids) where.category_uuid = uuids
  return where
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const where = indexedFilters(query)
  if (Object.keys(where).length === 0) {
    return refuse(422, 'A filter must be supplied with the endpoint.', {
      'category_id:in': 'at least one filter is required',
    })
  }
  const removed = store.transaction(() => removeCategories(store, categoriesTable(store).find(where)))
  return { status: 202, body: { meta: { total: removed, success: removed, failed: 0 } } }
}

/** Filters that no index answers. */
function keeper(query: URLSearchParams): ((row: Row) => boolean) | undefined {
  const tests: ((row: Row) => boolean)[] = []
  const contains = (value: unknown, part: string) => String(value).toLowerCase().includes(part.toLowerCase())
  for (const [filter, column] of [
    ['category_id:not_in', 'id'],
    ['tree_id:not_in', 'tree_id'],
    ['parent_id:not_in', 'parent_id'],
  ] as const) {
    const unwanted = numbersIn(query, filter)
    if (unwanted) tests.push((row) => !unwanted.includes(Number(row[column])))
  }
  for (const column of ['name', 'page_title']) {
    const part = query.get(`${column}:like`)
    if (part !== null) tests.push((row) => contains(row[column], part))
  }
  const title = query.get('page_title')
  if (title !== null) tests.push((row) => row.page_title === title)
  const keyword = query.get('keyword')
  if (keyword !== null) tests.push((row) => contains(row.name, keyword) || contains(row.description, keyword))
  return tests.length > 0 ? (row) => tests.every((passes) => passes(row)) : undefined
}

function listCategories({ store, query }: SandboxRequest): SandboxAnswer {
  const where = indexedFilters(query)
  const name = query.get('name')
  if (name !== null) where.name_key = name
  const visible = booleanIn(query, 'is_visible')
  if (visible !== undefined) where.is_visible = visible
  return list({
    query,
    table: categoriesTable(store),
    where,
    keep: keeper(query),
    idFilters: false,
    idField: 'category_id',
    show: (row) => shown(store, row),
  })
}

export const categories: SandboxResource = {
  key: 'categories',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: nestingRefusals(listCategories) },
    { method: 'POST', path: PATH, scope: SCOPE, latency: 'write', handle: create },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: PATH, scope: SCOPE, latency: 'write', handle: nestingRefusals(remove) },
  ],
}
