import { ok } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { listBody, objectBody, refuseIfAny, rowsIn } from '../../validation/body-checks.ts'
import { channelsTable } from '../channels/channels.ts'
import { availableFilters, type FilterContext } from './available-filters.ts'
import { contextTable } from './filter-contexts.ts'
import { firstFilters, readFilters, type ShownFilter } from './shown-filters.ts'
import { GLOBAL, storedSettings, writeSettings } from './stored-settings.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const FILTERS = '/v3/settings/search/filters'
const NAME = 'search/filters'

function filtersOf(store: SandboxStore): ShownFilter[] {
  return (storedSettings(store, NAME, GLOBAL)?.filters as ShownFilter[] | undefined) ?? firstFilters(store)
}

/** Replaces the whole list: shoppers no longer see filters that are left out. */
function put({ store, body }: SandboxRequest): SandboxAnswer {
  const filters = readFilters(store, listBody(body))
  writeSettings(store, { name: NAME, channel_id: GLOBAL, filters })
  return ok(filters)
}

function contextIn(query: URLSearchParams): FilterContext {
  const [channel_id] = numbersIn(query, 'channel_id') ?? []
  const [category_id] = numbersIn(query, 'category_id') ?? []
  return { ...(channel_id === undefined ? {} : { channel_id }), ...(category_id === undefined ? {} : { category_id }) }
}

function readContext(store: SandboxStore, given: unknown, index: number): FilterContext {
  const { channel_id, category_id } = objectBody(given ?? {})
  const isKnown = (table: Table, id: unknown) => id === undefined || (Number.isInteger(id) && table.get(Number(id)))
  refuseIfAny({
    ...(isKnown(channelsTable(store), channel_id)
      ? {}
      : { [`${index}.context.channel_id`]: 'there is no such channel' }),
    ...(isKnown(categoriesTable(store), category_id)
      ? {}
      : { [`${index}.context.category_id`]: 'there is no such category' }),
    ...(channel_id === undefined && category_id === undefined
      ? { [`${index}.context`]: 'context needs a channel_id or a category_id' }
      : {}),
  })
  // Checked above: whole numbers, or absent.
  return { channel_id, category_id } as FilterContext
}

/** An empty list gives the context the store's filters again (our choice: no call deletes a context). */
function putContext(store: SandboxStore, row: Body, index: number): Body {
  const context = readContext(store, row.context, index)
  const data = readFilters(store, rowsIn(row, 'data'), `${index}.data.`)
  const { channel_id = null, category_id = null } = context
  const table = contextTable(store)
  const own = table.find({ channel_id, category_id })[0]
  if (own && data.length === 0) table.delete(own.id)
  else if (own) table.update(own.id, { data })
  else if (data.length > 0) table.insert({ channel_id, category_id, data })
  return { context, data }
}

function putContexts({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  return store.transaction(() => ok(rows.map((row, index) => putContext(store, row, index))))
}

function shownContext({ channel_id, category_id, data }: Row): Body {
  const context = { ...(channel_id === null ? {} : { channel_id }), ...(category_id === null ? {} : { category_id }) }
  return { context, data }
}

function listContexts({ store, query }: SandboxRequest): SandboxAnswer {
  const where: Where = { ...contextIn(query) }
  return list({ query, table: contextTable(store), where, idFilters: false, show: shownContext })
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const searchFilters: SandboxResource = {
  key: 'search-filters',
  routes: [
    { method: 'GET', path: FILTERS, ...read, handle: ({ store }) => ok(filtersOf(store)) },
    { method: 'PUT', path: FILTERS, ...write, handle: put },
    { method: 'GET', path: `${FILTERS}/contexts`, ...read, handle: listContexts },
    { method: 'PUT', path: `${FILTERS}/contexts`, ...write, handle: putContexts },
    {
      method: 'GET',
      path: `${FILTERS}/available`,
      scope: SCOPE,
      latency: 'heavy',
      handle: ({ store, query }) => ok(availableFilters(store, contextIn(query))),
    },
  ],
}
