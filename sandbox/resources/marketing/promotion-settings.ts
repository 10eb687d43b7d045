import { Refusal, v3Error } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore, Table } from '../../store/store.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { PROMOTION_SCOPE } from './promotion-rows.ts'

const PATH = '/v3/promotions/settings'

const RULES: FieldRules = {
  promotions_triggered_by_products_with_zero_product_price: { kind: 'boolean' },
  promotions_apply_on_products_with_custom_product_price: { kind: 'boolean' },
  number_of_coupons_allowed_at_checkout: { kind: 'integer', min: 1, max: 5 },
  promotions_applied_on_original_product_price: { kind: 'boolean' },
}

const FRESH = {
  promotions_triggered_by_products_with_zero_product_price: false,
  promotions_apply_on_products_with_custom_product_price: false,
  number_of_coupons_allowed_at_checkout: 1,
  promotions_applied_on_original_product_price: true,
}

/** The table has at most one row per store. Without a row the defaults apply. */
export function promotionSettingsTable(store: SandboxStore): Table {
  return store.table('promotion_settings')
}

function settingsOf(store: SandboxStore): Record<string, unknown> {
  const [row] = promotionSettingsTable(store).find({})
  const { id: _own, ...fields } = row ?? { id: 0 }
  return { ...FRESH, ...fields }
}

/** Source: the notes of the published promotion settings. The status 403 was seen on real stores. */
const OF_ENTERPRISE = [
  'promotions_triggered_by_products_with_zero_product_price',
  'promotions_apply_on_products_with_custom_product_price',
  'number_of_coupons_allowed_at_checkout',
]

function refuseOtherPlan(store: SandboxStore, values: Record<string, unknown>): void {
  if (store.switches.enterprise !== false) return
  const own = settingsOf(store)
  if (OF_ENTERPRISE.every((field) => values[field] === own[field])) return
  throw new Refusal(v3Error(403, 'This setting needs another plan.'))
}

/** Answers have no envelope, and errors are a list by field. */
function put({ store, body }: SandboxRequest): SandboxAnswer {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
  const { values, errors } = readFields(RULES, given)
  const complaints = { ...complaintsAboutMissing(Object.keys(RULES), given), ...errors }
  if (Object.keys(complaints).length > 0) {
    const listed = Object.entries(complaints).map(([field, message]) => ({ field, message }))
    throw new Refusal({ status: 422, body: { status: 422, title: 'Unprocessable Entity', errors: listed } })
  }
  refuseOtherPlan(store, values)
  const table = promotionSettingsTable(store)
  const [row] = table.find({})
  if (row) table.update(row.id, values)
  else table.insert(values)
  return { status: 200, body: settingsOf(store) }
}

export const promotionSettings: SandboxResource = {
  key: 'promotion-settings',
  routes: [
    {
      method: 'GET',
      path: PATH,
      scope: PROMOTION_SCOPE,
      latency: 'read',
      handle: ({ store }) => ({ status: 200, body: settingsOf(store) }),
    },
    { method: 'PUT', path: PATH, scope: PROMOTION_SCOPE, latency: 'write', handle: put },
  ],
}
