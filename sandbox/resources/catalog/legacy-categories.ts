import { noContent, notFound, ok, Refusal, refuse } from '../../http/answers.ts'
import { booleanIn, idBounds, list, numbersIn, selectFields, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { categoriesTable, treesTable } from '../../tables/category-tables.ts'
import { productCategoryTable } from '../../tables/product-tables.ts'
import { numberParam, objectBody } from '../../validation/body-checks.ts'
import { refuseBeyondLimit } from '../../validation/platform-limits.ts'
import { DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { createCategory, type RowResult, removeCategories, takeImages, updateCategory } from './categories.ts'
import { nameIsTaken, urlIsTaken } from './category-checks.ts'

type Fields = Record<string, unknown>
type Keeps = (row: Row) => boolean

const ALL = '/v3/catalog/categories'
const ONE = `${ALL}/:categoryId`
/** Source: the notes on these calls in the published legacy categories specification. */
const CAP = 40
const LONGEST_URL = 255
const SORTS = ['id', 'name', 'parent_id', 'sort_order']
const INVALID = 'The Category was not valid. This is the result of missing required fields, or of invalid data.'
const CONFLICT =
  'The `Category` was in conflict with another category. This is the result of duplicate unique values, such as `name` or `custom_url`.'

/** These calls only know the default storefront's tree. 0 if it was deleted: then the lists are empty. */
function defaultTree(store: SandboxStore): number {
  return treesTable(store).find({ channel_id: DEFAULT_CHANNEL_ID })[0]?.id ?? 0
}

/** A row of the category trees with other names: `id` for `category_id`, and `custom_url.url` for `url.path`. */
function shown(store: SandboxStore, row: Row): Fields {
  const { category_uuid: _uuid, tree_id: _tree, url, ...fields } = row
  const { path, is_customized } = url as { path: string; is_customized: boolean }
  const image_url = row.image_url ? `${store.imageBase}/${row.image_url}` : ''
  return { ...fields, image_url, custom_url: { url: path, is_customized } }
}

function namedCategory(request: SandboxRequest): Row {
  const id = numberParam(request, 'categoryId')
  const row = Number.isInteger(id) ? categoriesTable(request.store).get(id) : undefined
  if (!row || row.tree_id !== defaultTree(request.store)) throw new Refusal(notFound())
  return row
}

function filters({ store, query }: SandboxRequest): Where {
  const parents = numbersIn(query, 'parent_id:in') ?? numbersIn(query, 'parent_id')
  const visible = booleanIn(query, 'is_visible')
  const name = query.get('name')
  return {
    tree_id: defaultTree(store),
    ...(parents ? { parent_id: parents } : {}),
    ...(name === null ? {} : { name_key: name }),
    ...(visible === undefined ? {} : { is_visible: visible }),
  }
}

const PARENT_BOUNDS: Record<string, (parentId: number, bound: number) => boolean> = {
  min: (parentId, bound) => parentId >= bound,
  max: (parentId, bound) => parentId <= bound,
  greater: (parentId, bound) => parentId > bound,
  less: (parentId, bound) => parentId < bound,
}

/** Filters for which there is no index. */
function keeps(query: URLSearchParams): Keeps[] {
  const contains = (value: unknown, part: string) => String(value).toLowerCase().includes(part.toLowerCase())
  const given = (name: string, keep: (row: Row, text: string) => boolean): Keeps[] => {
    const text = query.get(name)
    return text === null ? [] : [(row) => keep(row, text)]
  }
  const unwanted = numbersIn(query, 'id:not_in')
  return [
    ...(unwanted ? [(row: Row) => !unwanted.includes(row.id)] : []),
    ...given('name:like', (row, part) => contains(row.name, part)),
    ...given('page_title', (row, title) => row.page_title === title),
    ...given('page_title:like', (row, part) => contains(row.page_title, part)),
    ...given('keyword', (row, word) => contains(row.name, word) || contains(row.description, word)),
    ...Object.entries(PARENT_BOUNDS).flatMap(([bound, holds]) =>
      given(`parent_id:${bound}`, (row, text) => holds(Number(row.parent_id), Number(text))),
    ),
  ]
}

function order(query: URLSearchParams): ((a: Row, b: Row) => number) | undefined {
  const sort = query.get('sort')
  if (sort === null || sort === 'id') return undefined
  if (!SORTS.includes(sort))
    refuse(422, `sort must be one of ${SORTS.join(', ')}`, { sort: 'is not a field to sort by' })
  if (sort === 'name') return (a, b) => String(a.name).localeCompare(String(b.name), 'en') || a.id - b.id
  return (a, b) => Number(a[sort]) - Number(b[sort]) || a.id - b.id
}

function listCategories(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const all = keeps(query)
  return list({
    query,
    table: categoriesTable(store),
    where: filters(request),
    ...(all.length > 0 ? { keep: (row: Row) => all.every((keep) => keep(row)) } : {}),
    order: order(query),
    show: (row) => shown(store, row),
  })
}

/** The same fields with their names in the category trees. */
function asTreeFields(body: Fields): Fields {
  const { id: _id, custom_url, tree_id: _tree, category_id: _category, ...fields } = body
  if (custom_url === undefined || custom_url === null) return fields
  if (typeof custom_url !== 'object') refuse(422, INVALID, { custom_url: 'custom_url must be an object' })
  const { url, is_customized } = custom_url as { url?: unknown; is_customized?: unknown }
  if (typeof url === 'string' && url.length > LONGEST_URL)
    refuse(422, INVALID, { custom_url: `custom_url.url must have at most ${LONGEST_URL} characters` })
  return { ...fields, url: { path: url, ...(is_customized === undefined ? {} : { is_customized }) } }
}

async function withImage(fields: Fields): Promise<Fields> {
  const { rows, failed } = await takeImages([fields])
  if (failed.size > 0) refuse(422, INVALID, { image_url: 'The resource could not be downloaded.' })
  return rows[0] ?? fields
}

/** Here a duplicate name or address is a 409, but for a row of the category trees it is a 422. */
function refuseConflict(store: SandboxStore, fields: Fields, parentId: number, name: unknown, ownId?: number): void {
  const position = { treeId: defaultTree(store), parentId }
  const errors = {
    ...(nameIsTaken(store, position, name, ownId) ? { name: `The category name ${name} is already in use.` } : {}),
    ...(urlIsTaken(store, fields, ownId) ? { custom_url: 'The URL is already in use.' } : {}),
  }
  if (Object.keys(errors).length > 0) refuse(409, CONFLICT, errors)
}

function answerOf(store: SandboxStore, result: RowResult): SandboxAnswer {
  return 'row' in result ? ok(shown(store, result.row)) : refuse(422, INVALID, result.errors)
}

async function create({ store, body }: SandboxRequest): Promise<SandboxAnswer> {
  const given = objectBody(body)
  const missing = ['parent_id', 'name'].filter((field) => given[field] === undefined || given[field] === null)
  if (missing.length > 0)
    refuse(422, INVALID, Object.fromEntries(missing.map((field) => [field, 'error.path.missing'])))
  refuseBeyondLimit(store, 'category_limit', categoriesTable(store).count() + 1)
  const fields = await withImage(asTreeFields(given))
  return store.transaction(() => {
    refuseConflict(store, fields, Number(fields.parent_id), fields.name)
    return answerOf(store, createCategory(store, { ...fields, tree_id: defaultTree(store) }))
  })
}

async function update(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  const { id, name, parent_id } = namedCategory(request)
  const fields = await withImage({ name, ...asTreeFields(objectBody(request.body)) })
  return store.transaction(() => {
    refuseConflict(store, fields, Number(fields.parent_id ?? parent_id), fields.name, id)
    return answerOf(store, updateCategory(store, { ...fields, category_id: id }))
  })
}

/** Counts products of subcategories, because those are deleted too (our choice). */
function hasProducts(store: SandboxStore, id: number): boolean {
  const below = categoriesTable(store).find({ parent_id: id })
  return (
    productCategoryTable(store).count({ category_id: id }) > 0 || below.some((child) => hasProducts(store, child.id))
  )
}

/** Source: the usage notes of the published collection DELETE. */
function removeAll(store: SandboxStore, rows: Row[]): SandboxAnswer {
  const filled = rows.filter((row) => hasProducts(store, row.id))
  if (filled.length > 0)
    refuse(422, 'A category that contains products cannot be deleted', {
      id: `move the products of ${filled.map((row) => row.id).join(', ')} first`,
    })
  store.transaction(() => removeCategories(store, rows))
  return noContent()
}

const FILTERS = /^(id|name|parent_id|page_title|keyword|is_visible)(:|$)/

function removeMany(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  if (![...query.keys()].some((key) => FILTERS.test(key)))
    refuse(422, 'A filter must be supplied with the endpoint.', { id: 'at least one filter is required' })
  const { where, minId, maxId } = idBounds(query)
  const range = { minId, maxId, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { rows } = categoriesTable(store).page({ where: { ...filters(request), ...where }, ...range })
  const all = keeps(query)
  return removeAll(
    store,
    rows.filter((row) => all.every((keep) => keep(row))),
  )
}

const read = { scope: 'store_v2_products', latency: 'read', cap: CAP } as const
const write = { scope: 'store_v2_products', latency: 'write', cap: CAP } as const

export const legacyCategories: SandboxResource = {
  key: 'legacy-categories',
  routes: [
    { method: 'GET', path: ALL, ...read, handle: listCategories },
    { method: 'POST', path: ALL, ...write, handle: create },
    { method: 'DELETE', path: ALL, ...write, handle: removeMany },
    {
      method: 'GET',
      path: ONE,
      ...read,
      handle: (request) => ok(selectFields(shown(request.store, namedCategory(request)), request.query)),
    },
    { method: 'PUT', path: ONE, ...write, handle: update },
    {
      method: 'DELETE',
      path: ONE,
      ...write,
      handle: (request) => removeAll(request.store, [namedCategory(request)]),
    },
  ],
}
