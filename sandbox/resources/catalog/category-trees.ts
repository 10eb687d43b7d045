import { batchTooLarge, nestingRefusals, noContent, notFound, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { categoriesTable, treesTable } from '../../tables/category-tables.ts'
import { channelsTable, DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { removeCategories } from './categories.ts'

const SCOPE = 'store_v2_products'
const MOST_TREES = 50

/** Inserts the tree of the default storefront, which every store has. */
export function plantDefaultTree(store: SandboxStore): Row {
  return treesTable(store).insert({ name: `${store.name} catalog tree`, channel_id: DEFAULT_CHANNEL_ID })
}

function shown(row: Row) {
  return { id: row.id, name: row.name, channels: row.channel_id === null ? [] : [row.channel_id] }
}

function listTrees({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  const channels = numbersIn(query, 'channel_id:in')
  const where = { ...(ids ? { id: ids } : {}), ...(channels ? { channel_id: channels } : {}) }
  return list({ query, table: treesTable(store), where, idFilters: false, show: shown })
}

interface TreeInput {
  id?: unknown
  name?: unknown
  channels?: unknown
}

/** Saves one tree of a batch. A refusal rolls the whole batch back. */
function upsert(store: SandboxStore, trees: Table, tree: TreeInput, at: number): Row {
  const bad = (field: string, message: string) =>
    refuse(422, 'The category tree was not valid.', { [`${at}.${field}`]: message })
  const { name } = tree
  if (name !== undefined && (typeof name !== 'string' || name.length < 1 || name.length > 255)) {
    bad('name', 'name must be 1 to 255 characters')
  }
  if (tree.id !== undefined) {
    if (tree.channels !== undefined) bad('channels', 'channels must be absent when updating a category tree')
    if (!trees.get(Number(tree.id))) bad('tree_id', 'Tree does not exist.')
    return trees.update(Number(tree.id), name === undefined ? {} : { name })
  }
  if (name === undefined) bad('name', 'name is required')
  const channelIds: unknown[] = Array.isArray(tree.channels) ? tree.channels : []
  const channelId = Number(channelIds[0])
  if (channelIds.length !== 1) bad('channels', 'exactly one channel is required')
  if (!channelsTable(store).get(channelId)) bad('channels', `channel ${channelId} was not found`)
  if (trees.find({ channel_id: channelId }).length > 0)
    bad('channels', `channel ${channelId} already has a category tree`)
  return trees.insert({ name, channel_id: channelId })
}

function upsertTrees({ store, body }: SandboxRequest): SandboxAnswer {
  if (!Array.isArray(body)) return refuse(422, 'JSON data is missing or invalid', { '': 'error.expected.jsarray' })
  if (body.length > MOST_TREES) return batchTooLarge(MOST_TREES, 'trees')
  const rows = store.transaction(() => body.map((tree: TreeInput, at) => upsert(store, treesTable(store), tree, at)))
  return ok(rows.map(shown), { total: rows.length, success: rows.length, failed: 0 })
}

function removeTrees({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  if (!ids) return refuse(422, 'A filter must be supplied with the endpoint.', { 'id:in': 'id:in is required' })
  const unknown = ids.find((id) => !treesTable(store).get(id))
  if (unknown !== undefined) return noSuchTree(unknown)
  store.transaction(() => {
    for (const id of ids) {
      removeCategories(store, categoriesTable(store).find({ tree_id: id }))
      treesTable(store).delete(id)
    }
  })
  return noContent()
}

function noSuchTree(id: unknown): SandboxAnswer {
  return notFound(`Entity with id tree [${id}] was not found `)
}

interface Node {
  id: number
  parent_id: number
  depth: number
  path: number[]
  name: unknown
  is_visible: unknown
  url: string
  children: Node[]
}

function nodesBelow(byParent: Map<number, Row[]>, parent: number, path: number[], maxDepth: number): Node[] {
  if (path.length > maxDepth) return []
  return (byParent.get(parent) ?? []).map((row) => ({
    id: row.id,
    parent_id: parent,
    depth: path.length,
    path: [...path, row.id],
    name: row.name,
    is_visible: row.is_visible,
    url: (row.url as { path: string }).path,
    children: nodesBelow(byParent, row.id, [...path, row.id], maxDepth),
  }))
}

function nestedTree({ store, params, query }: SandboxRequest): SandboxAnswer {
  const tree = treesTable(store).get(Number(params.treeId))
  if (!tree) return noSuchTree(params.treeId)
  const rows = categoriesTable(store).find({ tree_id: tree.id })
  const byParent = Map.groupBy(
    rows.sort((a, b) => Number(a.sort_order) - Number(b.sort_order) || a.id - b.id),
    (row) => Number(row.parent_id),
  )
  return ok(nodesBelow(byParent, 0, [], query.has('depth') ? Number(query.get('depth')) : Infinity))
}

export const categoryTrees: SandboxResource = {
  key: 'category-trees',
  routes: [
    { method: 'GET', path: '/v3/catalog/trees', scope: SCOPE, latency: 'read', handle: nestingRefusals(listTrees) },
    { method: 'PUT', path: '/v3/catalog/trees', scope: SCOPE, latency: 'write', handle: upsertTrees },
    {
      method: 'DELETE',
      path: '/v3/catalog/trees',
      scope: SCOPE,
      latency: 'write',
      handle: nestingRefusals(removeTrees),
    },
    {
      method: 'GET',
      path: '/v3/catalog/trees/:treeId/categories',
      scope: SCOPE,
      latency: 'heavy',
      // Source: the note on this endpoint in the published category trees specification.
      cap: 1,
      handle: nestedTree,
    },
  ],
}
