import type { StoreClient } from '../../bigcommerce/client.ts'
import { completePages } from '../../bigcommerce/complete-pages.ts'
import { asRecord } from '../../bigcommerce/errors.ts'
import { itemsIn, offsetPages } from '../../bigcommerce/pages.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { PlatformItem } from '../core/draft.ts'
import type { Lister, WalkOptions } from '../core/reading.ts'

const path = '/v3/settings/search/filters'

type StoreReader = Pick<StoreClient, 'get'>
type Options = Pick<WalkOptions, 'signal' | 'once' | 'onChanging'>

/** Almost every store has filters, and these lists have no total, so an empty list is read a second time. */
async function listAt(client: StoreReader, at: string, { signal }: Options): Promise<PlatformItem[]> {
  const ask = async () => itemsIn<PlatformItem>(await client.get(at, {}, { signal }), at)
  const found = await ask()
  return found.length > 0 ? found : ask()
}

function whole(items: PlatformItem[]) {
  return { items, total: items.length, read: items.length }
}

/** The filters of the store as one item, because they are written as a whole, in the order that shoppers see. */
export const everyList: Lister = async function* (client, _path, _query, options) {
  yield whole([{ id: 'filters', filters: await listAt(client, path, options) }])
}

/** Every filter that a store could use. */
export const filtersThere: Lister = async function* (client, _path, _query, options) {
  yield whole(await listAt(client, `${path}/available`, options))
}

/** Filters in use anywhere, under their own names: shoppers may see other names. */
export const filtersUsed: Lister = async function* (client, _path, _query, options) {
  const [ofStore, contexts, available] = await Promise.all([
    listAt(client, path, options),
    contextsOf(client, options),
    listAt(client, `${path}/available`, options),
  ])
  const chosen = [...ofStore, ...contexts.flatMap(filtersIn)]
  const named = new Map(available.map((filter) => [filter.id, filter]))
  const used = new Map(chosen.map((filter) => [filter.id, named.get(filter.id) ?? asShown(filter)]))
  yield whole([...used.values()])
}

/** A filter that is in use, although no product of its store has it any more. */
function asShown({ id, type, display_name }: PlatformItem): PlatformItem {
  return { id, type, name: display_name }
}

function filtersIn({ data }: PlatformItem): PlatformItem[] {
  return Array.isArray(data) ? (data as PlatformItem[]) : []
}

async function contextsOf(client: StoreReader, { signal, once, onChanging }: Options): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  const options = { signal, once, onChanging, idOf: (one: unknown) => contextId(contextOf(asRecord(one))) }
  for await (const { items } of completePages<PlatformItem>(client, `${path}/contexts`, {}, options))
    found.push(...items)
  return found
}

/** Builds an id for a context. */
export function contextId({ channel_id = '', category_id = '' }: PlatformItem): string {
  return `${channel_id}/${category_id}`
}

function contextOf({ context }: PlatformItem): PlatformItem {
  return (context ?? {}) as PlatformItem
}

/** All contexts; for one storefront, its own and those of the categories in its tree. */
export const everyContext: Lister = async function* (client, _path, query, options) {
  const all = await contextsOf(client, options)
  const own = query.channel_id === undefined ? all : await inStorefront(client, all, query, options)
  yield whole(own.map((one) => ({ ...one, id: contextId(contextOf(one)) })))
}

async function inStorefront(client: StoreReader, all: PlatformItem[], query: Query, options: Options) {
  const ids = all
    .map(contextOf)
    .flatMap(({ channel_id, category_id }) => (channel_id === undefined ? [category_id] : []))
  const inTree = await categoriesInTree(client, [...new Set(ids)], query.tree_id, options)
  return all.filter((one) => {
    const { channel_id, category_id } = contextOf(one)
    return channel_id === undefined ? inTree.has(category_id) : channel_id === query.channel_id
  })
}

/** Ids per call: more would make the URL too long, and would not fit on a page. */
const idsAtOnce = 100

async function categoriesInTree(
  client: StoreReader,
  ids: unknown[],
  tree: unknown,
  { signal }: Options,
): Promise<Set<unknown>> {
  const found = new Set<unknown>()
  for (let at = 0; tree !== undefined && at < ids.length; at += idsAtOnce) {
    const query = { 'tree_id:in': Number(tree), 'category_id:in': ids.slice(at, at + idsAtOnce).join(',') }
    for await (const { items } of offsetPages<PlatformItem>(client, '/v3/catalog/trees/categories', query, { signal }))
      for (const { category_id } of items) found.add(category_id)
  }
  return found
}
