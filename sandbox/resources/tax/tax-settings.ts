import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { readSettings, withSettingFallbacks } from '../settings/read-settings.ts'
import { GLOBAL, storedSettings, writeSettings } from '../settings/stored-settings.ts'
import { DEFAULT_TAX_ZONE_ID, taxZoneTable } from './tax-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const PATH = '/v3/tax/settings'
const NAME = 'tax'

const text = (...oneOf: [string, ...string[]]) => ({ kind: 'text', oneOf, fallback: oneOf[0] }) as const
const flag = (fallback: boolean) => ({ kind: 'boolean', fallback }) as const
const zone = { kind: 'integer', fallback: DEFAULT_TAX_ZONE_ID } as const

/**
 * Source: the published tax settings. Fields without a documented default start with their first value (our choice).
 */
const FIELDS = {
  tax_entered_with_prices: flag(false),
  price_display_settings: {
    part: {
      control_panel_price_display_strategy: text('ZONE', 'INCLUSIVE', 'EXCLUSIVE'),
      invoice_price_display_strategy: text('ZONE', 'INCLUSIVE', 'EXCLUSIVE'),
    },
  },
  fallback_strategy: text('FIXED', 'BASIC', 'DISABLE'),
  should_subtract_store_tax: flag(true),
  should_use_geolocation_to_determine_guest_shopper_tax_zone: flag(false),
  guest_shopper_tax_zone_id: zone,
  store_tax_zone_id: zone,
  document_submission_strategy: text('ON_PAYMENT_CAPTURE', 'ON_ORDER_CREATION'),
  rounding_strategy: text('RATE_ROUNDING', 'NO_ROUNDING'),
}

function shown(store: SandboxStore): Body {
  return withSettingFallbacks(FIELDS, (storedSettings(store, NAME, GLOBAL)?.values ?? {}) as Body)
}

/** Absent fields stay (our choice). */
function save({ store, body }: SandboxRequest): SandboxAnswer {
  const kept = storedSettings(store, NAME, GLOBAL)?.values as Body | undefined
  const { values, errors } = readSettings(FIELDS, objectBody(body), kept)
  for (const field of ['guest_shopper_tax_zone_id', 'store_tax_zone_id'])
    if (values[field] !== undefined && !taxZoneTable(store).get(Number(values[field])))
      errors[field] = `there is no tax zone ${String(values[field])}`
  refuseIfAny(errors)
  writeSettings(store, { name: NAME, channel_id: GLOBAL, values: { ...kept, ...values } })
  return ok(shown(store))
}

export const taxSettings: SandboxResource = {
  key: 'tax-settings',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: ({ store }) => ok(shown(store)) },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', handle: save },
  ],
}
