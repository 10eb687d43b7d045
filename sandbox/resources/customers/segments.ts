import { errorBody, noContent, Refusal, refuse } from '../../http/answers.ts'
import { pageOf, paginationMeta, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource, SandboxRoute } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { customerTable, customerTime, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import {
  deleteSegment,
  deleteShopperProfile,
  insertSegment,
  insertShopperProfile,
  segmentMemberTable,
  segmentTable,
  shopperProfileTable,
} from '../../tables/segment-tables.ts'
import { listBody, refuseOversize } from '../../validation/body-checks.ts'

const SEGMENTS = '/v3/segments'
const MEMBERS = `${SEGMENTS}/:segmentId/shopper-profiles`
const PROFILES = '/v3/shopper-profiles'
const OF_PROFILE = `${PROFILES}/:shopperProfileId/segments`

/** Source: descriptions of the published segments specification. */
const MOST_SEGMENTS = 1_000
const LARGEST_BATCH = 50
const CAP = 10

function shown({ id: _id, uuid, ...row }: Row): Record<string, unknown> {
  return { id: uuid, ...row }
}

/**
 * Pages through all rows in memory: ids are UUIDs, which the shared lists cannot sort, and there are at most a
 * thousand.
 */
function page({ query }: SandboxRequest, rows: Row[]): SandboxAnswer {
  const at = pageOf(query)
  const data = rows.slice(at.offset, at.offset + at.limit).map(shown)
  return { status: 200, body: { data, meta: paginationMeta(query, at, data.length, rows.length) } }
}

function chosen({ query }: SandboxRequest, table: Table): Row[] {
  const ids = textsIn(query, 'id:in')
  return table.find(ids ? { uuid: ids } : {})
}

/** Saves nothing of the batch. Source: the 409 of the published segments specification. */
function conflict(total: number, errors: Record<string, string>): never {
  const error = errorBody(409, 'Conflict', errors)
  throw new Refusal({ status: 409, body: { data: [], errors: [error], meta: { total, success: 0, failed: total } } })
}

function created(rows: Row[]): SandboxAnswer {
  return { status: 201, body: { data: rows.map(shown), meta: {} } }
}

function namesOf(body: unknown): Record<string, unknown>[] {
  const rows = listBody(body)
  if (rows.length === 0) refuse(400, 'The batch is empty')
  refuseOversize(rows, LARGEST_BATCH)
  const wrong = rows.findIndex(({ name }) => name !== undefined && (typeof name !== 'string' || name.trim() === ''))
  if (wrong >= 0) refuse(400, 'Input is invalid', { [`${wrong}.name`]: 'name must be a text' })
  const odd = rows.findIndex(({ description }) => description !== undefined && typeof description !== 'string')
  if (odd >= 0) refuse(400, 'Input is invalid', { [`${odd}.description`]: 'description must be a text' })
  return rows
}

function createSegments({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = namesOf(body)
  const nameless = rows.findIndex(({ name }) => name === undefined)
  if (nameless >= 0) refuse(400, 'Input is invalid', { [`${nameless}.name`]: 'name is required' })
  if (segmentTable(store).count() + rows.length > MOST_SEGMENTS) refuse(400, `At most ${MOST_SEGMENTS} segments`)
  return store.transaction(() =>
    created(
      rows.map(({ name, description = '' }, at) => {
        refuseTakenName(store, String(name), at, rows.length)
        return insertSegment(store, { name: String(name), description: String(description) })
      }),
    ),
  )
}

function refuseTakenName(store: SandboxStore, name: string, at: number, total: number, own?: Row): void {
  const holder = segmentTable(store).find({ name_key: name })[0]
  if (holder && holder.id !== own?.id) conflict(total, { [at]: `Segment with the name ${name} already exists.` })
}

function updateSegments({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = namesOf(body)
  return store.transaction(() =>
    created(
      rows.map(({ id, name, description }, at) => {
        const own = segmentTable(store).find({ uuid: String(id) })[0]
        if (!own) refuse(400, 'Input is invalid', { [`${at}.id`]: 'there is no such segment' })
        if (name !== undefined) refuseTakenName(store, String(name), at, rows.length, own)
        const given = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
        return segmentTable(store).update(own.id, { ...given, updated_at: customerTime() })
      }),
    ),
  )
}

function remove(request: SandboxRequest, table: Table, each: (store: SandboxStore, id: number) => void): SandboxAnswer {
  const { store, query } = request
  if (!query.has('id:in')) refuse(400, 'The filter id:in is required')
  store.transaction(() => {
    for (const { id } of chosen(request, table)) each(store, id)
  })
  return noContent()
}

function namedSegment({ store, params }: SandboxRequest): Row {
  const own = segmentTable(store).find({ uuid: String(params.segmentId) })[0]
  return own ?? refuse(404, 'The segment is not found.')
}

function profilesIn(store: SandboxStore, segmentId: number): Row[] {
  const members = segmentMemberTable(store).find({ segment_id: segmentId })
  return members.flatMap(({ shopper_profile_id }) => shopperProfileTable(store).get(Number(shopper_profile_id)) ?? [])
}

function addMembers(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const segment = namedSegment(request)
  if (!Array.isArray(body) || body.length === 0) refuse(400, 'The body must be an array of shopper profile ids')
  const ids = body as unknown[]
  refuseOversize(ids, LARGEST_BATCH)
  return store.transaction(() => {
    const profiles = ids.map((id, at) => {
      const profile = shopperProfileTable(store).find({ uuid: String(id) })[0]
      if (!profile) refuse(400, 'Input is invalid', { [at]: `there is no shopper profile ${String(id)}` })
      const membership = { segment_id: segment.id, shopper_profile_id: profile.id }
      if (segmentMemberTable(store).count(membership) > 0)
        conflict(ids.length, { [at]: `Shopper profile ${String(id)} already exists for segment ${segment.uuid}.` })
      segmentMemberTable(store).insert(membership)
      return profile
    })
    return { status: 201, body: { data: profiles.map(shown) } }
  })
}

function removeMembers(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const segment = namedSegment(request)
  return remove(request, shopperProfileTable(store), (_store, id) => {
    for (const row of segmentMemberTable(store).find({ segment_id: segment.id, shopper_profile_id: id }))
      segmentMemberTable(store).delete(row.id)
  })
}

/** A customer has at most one profile. The status of the answer to a second one is our choice. */
function createProfiles({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_BATCH)
  return store.transaction(() =>
    created(
      rows.map(({ customer_id }, at) => {
        if (!Number.isInteger(customer_id) || !customerTable(store).get(Number(customer_id)))
          refuse(400, 'Input is invalid', { [`${at}.customer_id`]: 'there is no such customer' })
        if (shopperProfileTable(store).count({ customer_id: Number(customer_id) }) > 0)
          conflict(rows.length, { [at]: `The customer ${String(customer_id)} has a shopper profile already.` })
        return insertShopperProfile(store, Number(customer_id))
      }),
    ),
  )
}

function listOfProfile(request: SandboxRequest): SandboxAnswer {
  const { store, params } = request
  const own = shopperProfileTable(store).find({ uuid: String(params.shopperProfileId) })[0]
  if (!own) refuse(404, 'The shopper profile is not found.')
  const members = segmentMemberTable(store).find({ shopper_profile_id: own.id })
  return page(
    request,
    members.flatMap(({ segment_id }) => segmentTable(store).get(Number(segment_id)) ?? []),
  )
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write', cap: CAP } as const

/** If the switch `segments` is off, the store's plan has no segments. The platform's answer is not published. */
function withinPlan({ handle, ...route }: SandboxRoute): SandboxRoute {
  return {
    ...route,
    handle: (request) => {
      if (request.store.switches.segments === false) refuse(403, 'Customer segmentation is not part of the plan.')
      return handle(request)
    },
  }
}

const routes: SandboxRoute[] = [
  {
    method: 'GET',
    path: SEGMENTS,
    ...read,
    handle: (request) => page(request, chosen(request, segmentTable(request.store))),
  },
  { method: 'POST', path: SEGMENTS, ...write, handle: createSegments },
  { method: 'PUT', path: SEGMENTS, ...write, handle: updateSegments },
  {
    method: 'DELETE',
    path: SEGMENTS,
    ...write,
    handle: (request) => remove(request, segmentTable(request.store), deleteSegment),
  },
  {
    method: 'GET',
    path: MEMBERS,
    ...read,
    modifyOnly: true,
    handle: (request) => page(request, profilesIn(request.store, namedSegment(request).id)),
  },
  { method: 'POST', path: MEMBERS, ...write, handle: addMembers },
  { method: 'DELETE', path: MEMBERS, ...write, handle: removeMembers },
  {
    method: 'GET',
    path: PROFILES,
    ...read,
    handle: (request) => page(request, shopperProfileTable(request.store).find({})),
  },
  { method: 'POST', path: PROFILES, ...write, handle: createProfiles },
  {
    method: 'DELETE',
    path: PROFILES,
    ...write,
    handle: (request) => remove(request, shopperProfileTable(request.store), deleteShopperProfile),
  },
  { method: 'GET', path: OF_PROFILE, ...read, handle: listOfProfile },
]

export const segments: SandboxResource = { key: 'segments', routes: routes.map(withinPlan) }
