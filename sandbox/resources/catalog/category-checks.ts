import type { Row, SandboxStore } from '../../store/store.ts'
import { isValidUrl, urlIsFree } from '../../store/urls.ts'
import { categoriesTable, treesTable } from '../../tables/category-tables.ts'

type Fields = Record<string, unknown>
/** The message for each invalid field; empty if the row is valid. */
export type RowErrors = Record<string, string>

const MOST_LEVELS = 8
const MOST_NAME = 50
const MOST_TITLE = 255
const MOST_TEXT = 65_535

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

/** The number of levels from the root to this category; 0 for "no category". */
function levelOf(store: SandboxStore, id: number): number {
  let level = 0
  for (let at = id; at !== 0; level++) at = Number(categoriesTable(store).get(at)?.parent_id ?? 0)
  return level
}

export function childrenOf(store: SandboxStore, id: number): Row[] {
  return categoriesTable(store).find({ parent_id: id })
}

/** The number of levels from this category to the lowest one below it. */
function heightOf(store: SandboxStore, id: number): number {
  return 1 + Math.max(0, ...childrenOf(store, id).map((child) => heightOf(store, child.id)))
}

function isBelow(store: SandboxStore, id: number, ancestor: number): boolean {
  for (let at = id; at !== 0; at = Number(categoriesTable(store).get(at)?.parent_id ?? 0))
    if (at === ancestor) return true
  return false
}

/** The type of each field. Null counts as absent. */
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

export function textErrors(row: Fields): RowErrors {
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
  for (const field of ['search_keywords', 'page_title']) {
    const text = row[field]
    if (typeof text === 'string' && text.length > MOST_TITLE) errors[field] = `must be at most ${MOST_TITLE} characters`
  }
  return errors
}

export function urlErrors(store: SandboxStore, row: Fields, ownId?: number): RowErrors {
  const path = requestedPath(row)
  if (path === undefined) return {}
  if (!isValidUrl(path)) return { url: 'url.path is not a valid URL path' }
  return urlIsTaken(store, row, ownId) ? { url: `The URL ${path} is already in use.` } : {}
}

export function urlIsTaken(store: SandboxStore, row: Fields, ownId?: number): boolean {
  const path = requestedPath(row)
  const owner = ownId === undefined ? undefined : { resource: 'category', id: ownId }
  return isValidUrl(path) && !urlIsFree(store, path, owner)
}

export function requestedPath(row: Fields): unknown {
  const path = (row.url as { path?: unknown } | null | undefined)?.path
  return path === '' ? undefined : path
}

export interface CategoryPosition {
  treeId: number
  parentId: number
}

/** The parent and tree of a row, or the errors if it has none. `tree_id` alone means the top of that tree. */
export function positionOf(store: SandboxStore, row: Fields): CategoryPosition | RowErrors {
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

export function isPosition(position: CategoryPosition | RowErrors): position is CategoryPosition {
  return typeof (position as CategoryPosition).treeId === 'number'
}

export function positionErrors(
  store: SandboxStore,
  { treeId, parentId }: CategoryPosition,
  name: unknown,
  ownId?: number,
): RowErrors {
  const height = ownId === undefined ? 1 : heightOf(store, ownId)
  if (levelOf(store, parentId) + height > MOST_LEVELS)
    return { parent_id: `Categories can be ${MOST_LEVELS} levels deep.` }
  if (ownId !== undefined && isBelow(store, parentId, ownId)) return { parent_id: 'A category cannot be below itself.' }
  return nameIsTaken(store, { treeId, parentId }, name, ownId)
    ? { name: `The category name ${name} is already in use under this parent.` }
    : {}
}

/** Whether a sibling already has this name. */
export function nameIsTaken(
  store: SandboxStore,
  { treeId, parentId }: CategoryPosition,
  name: unknown,
  ownId?: number,
): boolean {
  const same = categoriesTable(store).find({ tree_id: treeId, parent_id: parentId, name_key: String(name) })
  return same.some((row) => row.id !== ownId)
}
