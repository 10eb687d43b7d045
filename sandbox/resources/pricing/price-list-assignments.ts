import { errorBody, noContent, ok, Refusal, refuse } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import { numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerGroupTable } from '../../tables/group-tables.ts'
import {
  namedPriceList,
  priceAssignmentTable,
  priceListTable,
  PRICE_SCOPE as SCOPE,
} from '../../tables/price-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import { listBody, objectBody, refuseOversize } from '../../validation/body-checks.ts'
import { channelsTable } from '../channels/channels.ts'

type Body = Record<string, unknown>
type Complaints = Record<string, string>

const ASSIGNMENTS = '/v3/pricelists/assignments'
const OF_LIST = '/v3/pricelists/:priceListId/assignments'
const LARGEST_BATCH = 25
const FIELDS = ['id', 'price_list_id', 'customer_group_id', 'channel_id']

function filters(query: URLSearchParams): Where {
  const where: Where = {}
  for (const field of FIELDS) {
    const requested = numbersIn(query, `${field}:in`) ?? numbersIn(query, field)
    if (requested) where[field] = requested
  }
  return where
}

interface Assignment {
  price_list_id: number
  customer_group_id: number | null
  channel_id: number | null
}

function assignmentOf(row: Body): Assignment {
  const id = (value: unknown) => (value === undefined || value === null ? null : Number(value))
  return {
    price_list_id: Number(row.price_list_id),
    customer_group_id: id(row.customer_group_id),
    channel_id: id(row.channel_id),
  }
}

/** An assignment without a group or channel is returned without that field. */
function shown(row: Row): Body {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

/** The assignment of a customer group in a channel. There is at most one. */
function holder(store: SandboxStore, { customer_group_id, channel_id }: Assignment): Row | undefined {
  return priceAssignmentTable(store).find({ customer_group_id, channel_id })[0]
}

function groupExists(store: SandboxStore, id: number | null): boolean {
  return id === null || customerGroupTable(store).get(id) !== undefined
}

function complaintsAbout(store: SandboxStore, requested: Assignment): Complaints {
  const { price_list_id, customer_group_id, channel_id } = requested
  if (!priceListTable(store).get(price_list_id)) return { price_list_id: 'the price list does not exist' }
  if (customer_group_id === null && channel_id === null)
    return { customer_group_id: 'a customer group or a channel is required' }
  if (channel_id !== null && !channelsTable(store).get(channel_id)) return { channel_id: 'the channel does not exist' }
  if (!groupExists(store, customer_group_id)) return { customer_group_id: 'the customer group does not exist' }
  return holder(store, requested) ? { price_list_id: 'the group and channel have a price list already' } : {}
}

/** One invalid row fails the call (our choice), so a refusal always has 0 in `saved_records`. */
function createBatch({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_BATCH)
  return store.transaction(() => {
    const errors: Complaints = {}
    for (const [index, row] of rows.entries()) {
      const requested = assignmentOf(row)
      const complaints = Object.entries(complaintsAbout(store, requested))
      for (const [field, text] of complaints) errors[`${index}.${field}`] = text
      if (complaints.length === 0) priceAssignmentTable(store).insert({ ...requested })
    }
    if (Object.keys(errors).length > 0) throw new Refusal(batchFailed(errors))
    return { status: 200, body: {} }
  })
}

function batchFailed(errors: Complaints): SandboxAnswer {
  return { status: 422, body: { ...errorBody(422, 'Bulk operation has failed', errors), meta: { saved_records: 0 } } }
}

/** Replaces the assignment that the group has in the channel. */
function upsert(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const body = objectBody(request.body)
  const requested = assignmentOf({ ...body, price_list_id: namedPriceList(request).id })
  const isChannel = requested.channel_id !== null && channelsTable(store).get(requested.channel_id) !== undefined
  if (!isChannel || !groupExists(store, requested.customer_group_id))
    refuse(404, 'The customer group or the channel is not found.')
  const own = holder(store, requested)
  const table = priceAssignmentTable(store)
  return ok(shown(own ? table.update(own.id, { ...requested }) : table.insert({ ...requested })))
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const where = filters(query)
  if (Object.keys(where).length === 0)
    refuse(422, 'A filter must be supplied with the endpoint.', { id: 'at least one filter is required' })
  store.transaction(() => deleteRows(priceAssignmentTable(store), where))
  return noContent()
}

function listAssignments(request: SandboxRequest): SandboxAnswer {
  const where = filters(request.query)
  return cursorList(request, priceAssignmentTable(request.store), { where, show: shown })
}

export const priceListAssignments: SandboxResource = {
  key: 'price-list-assignments',
  routes: [
    { method: 'GET', path: ASSIGNMENTS, scope: SCOPE, latency: 'read', handle: listAssignments },
    { method: 'POST', path: ASSIGNMENTS, scope: SCOPE, latency: 'write', handle: createBatch },
    { method: 'DELETE', path: ASSIGNMENTS, scope: SCOPE, latency: 'write', handle: remove },
    // Source: the limit of this call in the published price lists specification.
    { method: 'PUT', path: OF_LIST, scope: SCOPE, latency: 'write', cap: 25, handle: upsert },
  ],
}
