import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { channelsTable } from '../channels/channels.ts'
import { readFees, shippingMethodTable } from './shipping-rows.ts'
import { namedZone } from './shipping-zones.ts'
import { type Body, isObject, readV2, refuseMissing, refuseReadOnly, refuseV2, v2Body } from './v2-body.ts'

const SCOPE = 'store_v2_information'
const METHODS = '/v2/shipping/zones/:zoneId/methods'
const METHOD = `${METHODS}/:methodId`

/** Carriers that quote prices themselves, once connected to the store. */
const CARRIERS = ['auspost', 'canadapost', 'endicia', 'usps', 'fedex', 'royalmail', 'upsready']
const FLAT = ['perorder', 'peritem']
const RANGED = ['weight', 'total']

const RULES = {
  name: { kind: 'text', min: 1 },
  type: { kind: 'text', oneOf: [...FLAT, ...RANGED, ...CARRIERS, 'freeshipping'] },
  enabled: { kind: 'boolean' },
  is_fallback: { kind: 'boolean' },
  channel_ids: { kind: 'integers' },
} as const

const RATE = { rate: { kind: 'number', min: 0 } } as const
const DEFAULT_COST = {
  default_cost: { kind: 'number', min: 0, nullable: true },
  default_cost_type: { kind: 'text', oneOf: ['percentage_of_total', 'fixed_amount'] },
} as const
const RANGE = {
  lower_limit: { kind: 'number', min: 0 },
  upper_limit: { kind: 'number', min: 0 },
  shipping_cost: { kind: 'number', min: 0 },
} as const

/** In the order of ascending ids. Source: description of the published operation. */
function listMethods(request: SandboxRequest): SandboxAnswer {
  const { id } = namedZone(request)
  const rows = shippingMethodTable(request.store).find({ zone_id: id })
  return rows.length === 0 ? noContent() : { status: 200, body: rows.map(shown) }
}

function shown({ zone_id: _zone, ...method }: Row): Body {
  return method
}

function namedMethod(request: SandboxRequest): Row {
  const zone = namedZone(request)
  const own = shippingMethodTable(request.store).get(Number(request.params.methodId))
  return own?.zone_id === zone.id ? own : refuseV2(404, 'The shipping method is not found.')
}

function fieldsOf(store: SandboxStore, body: Body, own?: Row): Body {
  const values = readV2(RULES, body)
  const type = String(values.type ?? own?.type)
  // The settings of a method fit its type.
  if (body.settings !== undefined || type !== own?.type)
    values.settings = readSettings(type, body.settings ?? own?.settings)
  if (body.handling_fees !== undefined) values.handling_fees = readFees(body.handling_fees, { separate: false })
  for (const id of (values.channel_ids ?? []) as number[])
    if (!channelsTable(store).get(id))
      refuseV2(400, `The field 'channel_ids' names channel ${id}, which does not exist.`)
  return values
}

function readSettings(type: string, given: unknown): Body {
  if (given !== undefined && !isObject(given)) return refuseV2(400, 'settings must be an object')
  const settings = given ?? {}
  if (FLAT.includes(type)) {
    refuseMissing(['rate'], settings)
    return readV2(RATE, settings)
  }
  if (RANGED.includes(type)) return { ...readV2(DEFAULT_COST, settings), ...readRanges(settings.range) }
  // Settings of a carrier are stored as they are.
  return settings
}

/** Ranges may overlap (our choice: no refusal is documented). */
function readRanges(given: unknown): Body {
  if (given === undefined) return {}
  if (!Array.isArray(given) || !given.every(isObject)) return refuseV2(400, 'range must be an array of objects')
  return {
    range: given.map((one) => {
      refuseMissing(Object.keys(RANGE), one)
      return readV2(RANGE, one)
    }),
  }
}

const FRESH = { enabled: true, handling_fees: { fixed_surcharge: '0' }, is_fallback: false }

/** A method without `channel_ids` is for all channels. Source: description of `channel_ids`. */
function create(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const zone = namedZone(request)
  const given = v2Body(request.body)
  refuseReadOnly(given)
  refuseMissing(['name', 'type'], given)
  const fields = fieldsOf(store, given)
  const everywhere = channelsTable(store)
    .find({})
    .map(({ id }) => id)
  const row = shippingMethodTable(store).insert({ ...FRESH, channel_ids: everywhere, ...fields, zone_id: zone.id })
  return { status: 200, body: shown(row) }
}

function update(request: SandboxRequest): SandboxAnswer {
  const own = namedMethod(request)
  const fields = fieldsOf(request.store, v2Body(request.body), own)
  return { status: 200, body: shown(shippingMethodTable(request.store).update(own.id, fields)) }
}

function remove(request: SandboxRequest): SandboxAnswer {
  shippingMethodTable(request.store).delete(namedMethod(request).id)
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const shippingMethods: SandboxResource = {
  key: 'shipping-methods',
  routes: [
    { method: 'GET', path: METHODS, ...read, handle: listMethods },
    { method: 'POST', path: METHODS, ...write, handle: create },
    { method: 'GET', path: METHOD, ...read, handle: (request) => ({ status: 200, body: shown(namedMethod(request)) }) },
    { method: 'PUT', path: METHOD, ...write, handle: update },
    { method: 'DELETE', path: METHOD, ...write, handle: remove },
  ],
}
