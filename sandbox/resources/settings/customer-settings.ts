import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerSettingTable, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { channelOfPath } from './settings.ts'

type Body = Record<string, unknown>

const PATH = '/v3/customers/settings'
const OF_CHANNEL = `${PATH}/channels/:channelId`

/** The channel id for the whole store. */
const WHOLE_STORE = 0

const PRIVACY: FieldRules = {
  ask_shopper_for_tracking_consent: { kind: 'boolean', nullable: true },
  ask_shopper_for_tracking_consent_on_checkout: { kind: 'boolean', nullable: true },
  policy_url: { kind: 'text', nullable: true },
}
const GROUPS: FieldRules = {
  guest_customer_group_id: { kind: 'integer', min: 0, nullable: true },
  default_customer_group_id: { kind: 'integer', min: 0, nullable: true },
}
const LOGINS: FieldRules = { allow_global_logins: { kind: 'boolean', nullable: true } }

const DEFAULTS = {
  privacy_settings: {
    ask_shopper_for_tracking_consent: false,
    ask_shopper_for_tracking_consent_on_checkout: false,
    policy_url: '',
  },
  customer_group_settings: { guest_customer_group_id: 0, default_customer_group_id: 0 },
}

/** Null is inherited from the store. Only the default storefront is open to all customers (our choice). */
const CHANNEL_DEFAULTS = {
  privacy_settings: {
    ask_shopper_for_tracking_consent: null,
    ask_shopper_for_tracking_consent_on_checkout: null,
    policy_url: null,
  },
  customer_group_settings: { guest_customer_group_id: null, default_customer_group_id: null },
}

function current(store: SandboxStore, channel_id: number): Body {
  const row: Row = customerSettingTable(store).find({ channel_id })[0] ?? { id: 0 }
  const defaults =
    channel_id === WHOLE_STORE ? DEFAULTS : { ...CHANNEL_DEFAULTS, allow_global_logins: channel_id === 1 }
  const { id: _id, channel_id: _channel, ...own } = row
  return { ...defaults, ...own }
}

function write({ store, body }: SandboxRequest, channel_id: number): SandboxAnswer {
  const given = objectBody(body)
  const before = current(store, channel_id)
  const parts = { privacy_settings: PRIVACY, customer_group_settings: GROUPS }
  const fields: Body = {}
  for (const [name, rules] of Object.entries(parts)) {
    if (given[name] === undefined) continue
    const { values, errors } = readFields(rules, objectBody(given[name]))
    refuseIfAny(errors)
    fields[name] = { ...(before[name] as Body), ...values }
  }
  if (channel_id !== WHOLE_STORE) {
    const { values, errors } = readFields(LOGINS, given)
    refuseIfAny(errors)
    Object.assign(fields, values)
  }
  const table = customerSettingTable(store)
  const own = table.find({ channel_id })[0]
  if (own) table.update(own.id, fields)
  else table.insert({ channel_id, ...fields })
  return ok(current(store, channel_id))
}

const read = { method: 'GET', scope: SCOPE, latency: 'read' } as const
const put = { method: 'PUT', scope: SCOPE, latency: 'write' } as const

export const customerSettings: SandboxResource = {
  key: 'customer-settings',
  routes: [
    { ...read, path: PATH, handle: ({ store }) => ok(current(store, WHOLE_STORE)) },
    { ...put, path: PATH, handle: (request) => write(request, WHOLE_STORE) },
    { ...read, path: OF_CHANNEL, handle: (request) => ok(current(request.store, channelOfPath(request))) },
    { ...put, path: OF_CHANNEL, handle: (request) => write(request, channelOfPath(request)) },
  ],
}
