import { createHash } from 'node:crypto'
import { batchTooLarge, errorBody, nestingRefusals, noContent, refuse } from '../../http/answers.ts'
import { booleanIn, list, numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { imageExists, storedName } from '../../images/images.ts'
import { withNullTexts } from '../../store/null-texts.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { claimUrl, freeUrl, releaseUrl, saidCustomized } from '../../store/urls.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { categoryMetafieldTable, productCategoryTable } from '../../tables/product-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import { refuseLongFilters } from '../../validation/body-checks.ts'
import { refuseBeyondLimit } from '../../validation/platform-limits.ts'
import {
  type CategoryPosition,
  childrenOf,
  isPosition,
  positionErrors,
  positionOf,
  type RowErrors,
  requestedPath,
  textErrors,
  urlErrors,
} from './category-checks.ts'

type Fields = Record<string, unknown>

const SCOPE = 'store_v2_products'
const PATH = '/v3/catalog/trees/categories'
const INVALID = 'The Category was not valid. This is the result of missing required fields, or of invalid data.'
/** The most rows without `url` in a batch; the platform refuses more. Source: a confirmed bug of the platform. */
const MOST_ROWS_WITHOUT_URL = 10
/** The platform documents no maximum; the switch `category_batch_max` sets one. */
const DEFAULT_BATCH_MAX = 50

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

function shown(store: SandboxStore, { id, ...row }: Row): Fields {
  const keywords = row.meta_keywords as unknown[]
  // Recorded: a category without keywords has one that is empty.
  const meta_keywords = keywords.length === 0 && store.switches.normalised_answers === true ? [''] : keywords
  return {
    category_id: id,
    ...withNullTexts(store, row),
    meta_keywords,
    image_url: row.image_url ? `${store.imageBase}/${row.image_url}` : '',
  }
}

function uuidOf(store: SandboxStore, id: number): string {
  const hex = createHash('sha256').update(`${store.name} category ${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Inserts a category whose parent and address were checked. Used by the seeds and the create call. */
export function insertCategory(store: SandboxStore, position: CategoryPosition, fields: Fields): Row {
  const table = categoriesTable(store)
  const parent = table.get(position.parentId)
  const folder = parent ? (parent.url as { path: string }).path : ''
  const requested = requestedPath(fields)
  const path = typeof requested === 'string' ? requested : freeUrl(store, folder, String(fields.name))
  const known = Object.fromEntries(
    Object.keys(DEFAULTS).map((name) => [name, fields[name] ?? DEFAULTS[name as keyof typeof DEFAULTS]]),
  )
  const { id } = table.insert({
    category_uuid: '',
    parent_id: position.parentId,
    tree_id: position.treeId,
    name: fields.name,
    ...known,
    url: { path, is_customized: requested !== undefined && saidCustomized(fields.url) },
  })
  claimUrl(store, path, { resource: 'category', id })
  return table.update(id, { category_uuid: uuidOf(store, id) })
}

export type RowResult = { row: Row } | { errors: RowErrors }

export function createCategory(store: SandboxStore, fields: Fields): RowResult {
  const errors = { ...textErrors(fields), ...urlErrors(store, fields) }
  if (fields.name === undefined) errors.name = 'name is required'
  const position = positionOf(store, fields)
  if (!isPosition(position)) return { errors: { ...errors, ...position } }
  Object.assign(errors, positionErrors(store, position, fields.name))
  return Object.keys(errors).length > 0 ? { errors } : { row: insertCategory(store, position, fields) }
}

export function updateCategory(store: SandboxStore, fields: Fields): RowResult {
  const id = Number(fields.category_id)
  const before = categoriesTable(store).get(id)
  if (!before) return { errors: { category_id: 'Category does not exist.', ...missingTree(fields) } }
  const name = fields.name ?? before.name
  const moved = fields.parent_id !== undefined || fields.tree_id !== undefined
  const position = moved
    ? positionOf(store, { tree_id: before.tree_id, parent_id: before.parent_id, ...treeOfMove(fields), ...fields })
    : { treeId: Number(before.tree_id), parentId: Number(before.parent_id) }
  const errors = { ...textErrors(fields), ...urlErrors(store, fields, id) }
  if (!isPosition(position)) return { errors: { ...errors, ...position } }
  Object.assign(errors, positionErrors(store, position, name, id))
  if (Object.keys(errors).length > 0) return { errors }
  return { row: writeUpdate(store, before, position, fields) }
}

/** Recorded: an update that names no category also complains about a missing tree. */
function missingTree({ category_id, tree_id }: Fields): RowErrors {
  return category_id === undefined && tree_id === undefined ? { tree_id: "Tree Id is required and can't be empty" } : {}
}

/** A category moved to another parent also moves to its tree, unless the row names a tree. */
function treeOfMove(fields: Fields): Fields {
  return fields.parent_id !== undefined && Number(fields.parent_id) !== 0 ? { tree_id: undefined } : {}
}

function writeUpdate(store: SandboxStore, before: Row, position: CategoryPosition, fields: Fields): Row {
  const names = ['name', ...Object.keys(DEFAULTS)].filter((name) => fields[name] !== undefined)
  const changes: Fields = Object.fromEntries(names.map((name) => [name, fields[name]]))
  const path = requestedPath(fields)
  if (typeof path === 'string') {
    claimUrl(store, path, { resource: 'category', id: before.id })
    changes.url = { path, is_customized: saidCustomized(fields.url) }
  }
  if (position.treeId !== before.tree_id) moveBelow(store, before.id, position.treeId)
  return categoriesTable(store).update(before.id, {
    ...changes,
    parent_id: position.parentId,
    tree_id: position.treeId,
  })
}

function moveBelow(store: SandboxStore, id: number, treeId: number): void {
  for (const child of childrenOf(store, id)) {
    categoriesTable(store).update(child.id, { tree_id: treeId })
    moveBelow(store, child.id, treeId)
  }
}

/**
 * Downloads pictures before anything is written, because a transaction cannot wait. `failed` has the rows whose picture
 * could not be downloaded.
 */
export async function takeImages(rows: Fields[]): Promise<{ rows: Fields[]; failed: Set<Fields> }> {
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

/** Shapes A and B: 2xx if all rows are saved, 207 if some are, 422 without data if none are. */
function answerBatch(
  { switches }: SandboxStore,
  { errors, meta }: BatchResult,
  allWell: number,
  data?: Fields[],
): SandboxAnswer {
  const body = data ? { data } : {}
  if (meta.failed === 0) return { status: allWell, body: { ...body, meta } }
  if (meta.success > 0) return { status: 207, body: { ...body, errors: errorBody(207, 'Multi-Status', errors), meta } }
  return refusedBatch(switches, errors, meta)
}

/** In the published file the error is nested; real stores were seen to return it unnested. */
function refusedBatch(
  switches: SandboxStore['switches'],
  errors: Record<string, string>,
  meta: BatchResult['meta'],
): SandboxAnswer {
  const error = errorBody(422, INVALID, errors)
  return { status: 422, body: switches.category_errors === 'flat' ? error : { errors: error, meta } }
}

/** A long batch must have `url` in every row, although the platform generates one in a short batch. */
function missingUrls(rows: Fields[]): Record<string, string> {
  if (rows.length <= MOST_ROWS_WITHOUT_URL) return {}
  const missing = rows.flatMap((row, at) =>
    requestedPath(row) === undefined ? [[`${at}.url`, 'Url is required']] : [],
  )
  return Object.fromEntries(missing)
}

async function create({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const rows = rowsOf(store, body)
  if (!Array.isArray(rows)) return rows
  const errors = missingUrls(rows)
  if (Object.keys(errors).length > 0) {
    const meta = { total: rows.length, success: 0, failed: rows.length }
    return refusedBatch(store.switches, errors, meta)
  }
  refuseBeyondLimit(store, 'category_limit', categoriesTable(store).count() + rows.length)
  const result = await runBatch(store, rows, createCategory)
  return answerBatch(
    store,
    result,
    201,
    result.saved.map((row) => shown(store, row)),
  )
}

async function update({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const rows = rowsOf(store, body)
  if (!Array.isArray(rows)) return rows
  return answerBatch(store, await runBatch(store, rows, updateCategory), 200)
}

/**
 * Deletes categories and everything below them.
 * @returns the number of deleted categories
 */
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
    const requested = numbersIn(query, filter)
    if (requested) where[column] = requested
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
  if (store.switches.category_deletion !== 'accepted') return noContent()
  return { status: 202, body: { meta: { total: removed, success: removed, failed: 0 } } }
}

/** Filters for which there is no index. */
function keptBy(query: URLSearchParams): ((row: Row) => boolean) | undefined {
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
  const unwantedUuids = textsIn(query, 'category_uuid:not_in')
  if (unwantedUuids) tests.push((row) => !unwantedUuids.includes(String(row.category_uuid)))
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

function listCategories(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  refuseLongFilters(request)
  const where = indexedFilters(query)
  const name = query.get('name')
  if (name !== null) where.name_key = name
  const visible = booleanIn(query, 'is_visible')
  if (visible !== undefined) where.is_visible = visible
  return list({
    query,
    table: categoriesTable(store),
    where,
    keep: keptBy(query),
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
