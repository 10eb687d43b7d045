import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { carrierConnectionTable } from './shipping-rows.ts'
import { type Body, isObject, readV2, refuseMissing, refuseReadOnly, refuseV2, v2Body } from './v2-body.ts'

const SCOPE = 'store_v2_information'
const PATH = '/v2/shipping/carrier/connection'

/**
 * The credentials that each carrier requires. The specification does not describe those of other carriers, so any are
 * accepted.
 */
const CREDENTIALS: Record<string, readonly string[]> = {
  auspost: ['auth_key', 'test_mode'],
  endicia: ['account_id', 'pass_phrase'],
  fedex: ['key', 'password', 'account_number', 'meter_number'],
  zoom2u: ['auth_key', 'test_mode'],
}

function carrierOf(body: unknown): { given: Body; carrier: string } {
  const given = v2Body(body)
  refuseReadOnly(given)
  refuseMissing(['carrier_id'], given)
  return { given, carrier: String(readV2({ carrier_id: { kind: 'text', min: 1 } }, given).carrier_id) }
}

/** Answers 204 whether or not the carrier accepts the credentials. Source: notes of the published operation. */
function save({ store, body }: SandboxRequest): SandboxAnswer {
  const { given, carrier } = carrierOf(body)
  const { connection = {} } = given
  if (!isObject(connection)) refuseV2(400, 'connection must be an object')
  refuseMissing(CREDENTIALS[carrier] ?? [], connection as Body)
  const own = carrierConnectionTable(store).find({ carrier_id: carrier })[0]
  const row = { carrier_id: carrier, connection }
  if (own) carrierConnectionTable(store).update(own.id, row)
  else carrierConnectionTable(store).insert(row)
  return noContent()
}

function remove({ store, body }: SandboxRequest): SandboxAnswer {
  const { carrier } = carrierOf(body)
  const own = carrierConnectionTable(store).find({ carrier_id: carrier })[0]
  if (own) carrierConnectionTable(store).delete(own.id)
  return noContent()
}

const write = { path: PATH, scope: SCOPE, latency: 'write' } as const

/** Connections can be written but not read. */
export const carrierConnections: SandboxResource = {
  key: 'carrier-connections',
  routes: [
    { method: 'POST', ...write, handle: save },
    { method: 'PUT', ...write, handle: save },
    { method: 'DELETE', ...write, handle: remove },
  ],
}
