import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { deleteRows } from '../../tables/rows.ts'
import {
  insertZone,
  LOCATION_FIELDS,
  numbered,
  readFees,
  readLocations,
  shippingMethodTable,
  shippingZoneTable,
} from './shipping-rows.ts'
import { type Body, isObject, readV2, refuseMissing, refuseReadOnly, refuseV2, v2Body } from './v2-body.ts'

const SCOPE = 'store_v2_information'
const ZONES = '/v2/shipping/zones'
const ZONE = `${ZONES}/:zoneId`

const RULES = {
  name: { kind: 'text', min: 1 },
  type: { kind: 'text', oneOf: Object.keys(LOCATION_FIELDS) },
  enabled: { kind: 'boolean' },
} as const

const FREE_SHIPPING = {
  enabled: { kind: 'boolean' },
  minimum_sub_total: { kind: 'number', min: 0 },
  exclude_fixed_shipping_products: { kind: 'boolean' },
} as const

/** The list has neither pages nor filters. Source: the published operation has no parameters. */
function listZones({ store }: SandboxRequest): SandboxAnswer {
  const rows = shippingZoneTable(store).find({})
  return rows.length === 0 ? noContent() : { status: 200, body: rows }
}

export function namedZone({ store, params }: Pick<SandboxRequest, 'store' | 'params'>): Row {
  return shippingZoneTable(store).get(Number(params.zoneId)) ?? refuseV2(404, 'The shipping zone is not found.')
}

function fieldsOf(body: Body, own?: Row): Body {
  const values = readV2(RULES, body)
  const type = String(values.type ?? own?.type)
  if (body.locations !== undefined) values.locations = readLocations(type, body.locations)
  if (body.free_shipping !== undefined) values.free_shipping = readFreeShipping(body.free_shipping, own)
  if (body.handling_fees !== undefined) values.handling_fees = readFees(body.handling_fees, { separate: true })
  const locations = values.locations ?? own?.locations ?? []
  if (type !== 'global' && (locations as Body[]).length === 0) refuseV2(400, `A ${type} zone needs locations`)
  return values
}

function readFreeShipping(given: unknown, own?: Row): Body {
  if (!isObject(given)) return refuseV2(400, 'free_shipping must be an object')
  const { minimum_sub_total: least, ...values } = readV2(FREE_SHIPPING, given)
  const before = (own?.free_shipping ?? { enabled: false, exclude_fixed_shipping_products: false }) as Body
  const minimum = least === undefined ? (before.minimum_sub_total ?? '0.0000') : Number(least).toFixed(4)
  return { ...before, ...values, minimum_sub_total: minimum }
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const given = v2Body(body)
  refuseReadOnly(given)
  refuseMissing(['name', 'type'], given)
  return { status: 201, body: store.transaction(() => insertZone(store, fieldsOf(given))) }
}

/** Absent fields stay, but the list of locations is replaced as a whole. */
function update(request: SandboxRequest): SandboxAnswer {
  const own = namedZone(request)
  const given = v2Body(request.body)
  refuseMissing(['name'], given)
  const fields = fieldsOf(given, own)
  if (fields.locations) fields.locations = numbered(own.id, fields.locations as Body[])
  return { status: 200, body: shippingZoneTable(request.store).update(own.id, fields) }
}

/** Deletes a zone with its methods. */
function remove(request: SandboxRequest): SandboxAnswer {
  const { id } = namedZone(request)
  removeZone(request.store, id)
  return noContent()
}

function removeZone(store: SandboxStore, id: number): void {
  store.transaction(() => {
    deleteRows(shippingMethodTable(store), { zone_id: id })
    shippingZoneTable(store).delete(id)
  })
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const shippingZones: SandboxResource = {
  key: 'shipping-zones',
  routes: [
    { method: 'GET', path: ZONES, ...read, handle: listZones },
    { method: 'POST', path: ZONES, ...write, handle: create },
    { method: 'GET', path: ZONE, ...read, handle: (request) => ({ status: 200, body: namedZone(request) }) },
    { method: 'PUT', path: ZONE, ...write, handle: update },
    { method: 'DELETE', path: ZONE, ...write, handle: remove },
  ],
}
