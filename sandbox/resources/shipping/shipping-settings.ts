import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import type { FieldRules } from '../../validation/field-rules.ts'
import { readSettings, withSettingFallbacks } from '../settings/read-settings.ts'
import { channelOfPath } from '../settings/settings.ts'
import { GLOBAL, storedSettings, writeSettings } from '../settings/stored-settings.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const WHOLE = '/v3/shipping/settings'
const CHANNEL = `${WHOLE}/channels/:channelId`
const NAME = 'shipping'

const MESSAGE: FieldRules = { out_of_delivery_zone_message: { kind: 'text', fallback: '' } }
const COUNTRIES: FieldRules = {
  country_list_strategy: {
    kind: 'text',
    oneOf: ['DISPLAY_ALL_COUNTRIES', 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES'],
    fallback: 'DISPLAY_ALL_COUNTRIES',
  },
}
const FIELDS = { checkout: { part: { ...COUNTRIES, ...MESSAGE } } }
const CHANNEL_FIELDS = { checkout: { part: { out_of_delivery_zone_message: { kind: 'text' } as const } } }

/** A channel without its own message has none here, and inherits the store's (our choice). */
function shown(request: SandboxRequest, channelId: number): Body {
  const values = (storedSettings(request.store, NAME, channelId)?.values ?? {}) as Body
  return withSettingFallbacks(channelId === GLOBAL ? FIELDS : CHANNEL_FIELDS, values)
}

/** For the store, absent fields stay. A channel's are replaced as a whole, like its other settings (our choice). */
function save(request: SandboxRequest, channelId: number): SandboxAnswer {
  const { store } = request
  const kept = channelId === GLOBAL ? (storedSettings(store, NAME, GLOBAL)?.values as Body | undefined) : {}
  const fields = channelId === GLOBAL ? FIELDS : CHANNEL_FIELDS
  const { values, errors } = readSettings(fields, withoutNulls(objectBody(request.body)), kept)
  refuseIfAny(errors)
  writeSettings(store, { name: NAME, channel_id: channelId, values: { ...kept, ...values } })
  return ok(shown(request, channelId))
}

/** Drops nulls: a null removes the message of a channel. */
function withoutNulls(body: Body): Body {
  const inside = (value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
      : value
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, inside(value)]))
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const shippingSettings: SandboxResource = {
  key: 'shipping-settings',
  routes: [
    { method: 'GET', path: WHOLE, ...read, handle: (request) => ok(shown(request, GLOBAL)) },
    { method: 'PUT', path: WHOLE, ...write, handle: (request) => save(request, GLOBAL) },
    { method: 'GET', path: CHANNEL, ...read, handle: (request) => ok(shown(request, channelOfPath(request))) },
    { method: 'PUT', path: CHANNEL, ...write, handle: (request) => save(request, channelOfPath(request)) },
  ],
}
