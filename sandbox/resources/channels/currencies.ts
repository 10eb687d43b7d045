import { noContent, Refusal, v2Error } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const CURRENCIES = '/v2/currencies'
const CURRENCY = `${CURRENCIES}/:currencyId`

const CODE: FieldRules = { currency_code: { kind: 'text', min: 3, max: 3 } }
const RULES: FieldRules = {
  is_default: { kind: 'boolean' },
  country_iso2: { kind: 'text', max: 2 },
  currency_exchange_rate: { kind: 'text', min: 1 },
  auto_update: { kind: 'boolean' },
  token_location: { kind: 'text', oneOf: ['left', 'right'] },
  token: { kind: 'text', min: 1 },
  decimal_token: { kind: 'text', min: 1, max: 1 },
  thousands_token: { kind: 'text', min: 1, max: 1 },
  decimal_places: { kind: 'integer', min: 0 },
  name: { kind: 'text', min: 1 },
  enabled: { kind: 'boolean' },
  is_transactional: { kind: 'boolean' },
}
const REQUIRED = [
  ...['name', 'currency_code', 'currency_exchange_rate', 'token_location', 'token'],
  ...['decimal_token', 'thousands_token', 'decimal_places'],
]

const defaultRate = '1.0000000000'

const FRESH = {
  is_default: false,
  country_iso2: '',
  default_for_country_codes: [],
  auto_update: false,
  enabled: true,
  is_transactional: false,
  use_default_name: false,
}

export function currencyTable(store: SandboxStore): Table {
  return store.table('currencies', ['currency_code_key', 'is_default'])
}

/** v2 writes times as in mail headers. */
function now(): string {
  return new Date().toUTCString().replace('GMT', '+0000')
}

export function defaultCurrency(store: SandboxStore): Row | undefined {
  return currencyTable(store).find({ is_default: true })[0]
}

/** Inserts the store's own currency, in which it accepts payments. */
export function plantDefaultCurrency(store: SandboxStore): void {
  currencyTable(store).insert({
    ...FRESH,
    is_default: true,
    is_transactional: true,
    country_iso2: 'US',
    default_for_country_codes: ['USA'],
    currency_code: 'USD',
    currency_exchange_rate: defaultRate,
    token_location: 'left',
    token: '$',
    decimal_token: '.',
    thousands_token: ',',
    decimal_places: 2,
    name: 'US Dollar',
    last_updated: now(),
  })
}

function refuse(status: number, message: string): never {
  throw new Refusal(v2Error(status, message))
}

function bodyOf(body: unknown): Body {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) refuse(400, 'The body must be an object.')
  return body as Body
}

/** A rate may be sent as a number, but is saved as a string. Source: description of the published field. */
function withRateAsText(body: Body): Body {
  const { currency_exchange_rate: rate } = body
  return typeof rate === 'number' ? { ...body, currency_exchange_rate: String(rate) } : body
}

function readCurrency(rules: FieldRules, body: Body): Body {
  const { values, errors } = readFields(rules, withRateAsText(body))
  const rate = values.currency_exchange_rate
  if (rate !== undefined && !(Number(rate) > 0)) refuse(400, 'currency_exchange_rate must be a number above 0')
  const complaints = Object.values(errors)
  if (complaints.length > 0) refuse(400, complaints.join('; '))
  return values
}

/** Refuses what the API cannot change: in which currencies a store accepts payments, and the rate of the default one. */
function refuseFixed(values: Body, own?: Row): void {
  if (values.is_transactional === true && own?.is_transactional !== true)
    refuse(400, 'A currency cannot be made transactional by the API.')
  if (values.auto_update === true && own?.is_transactional === true)
    refuse(400, 'Only a display currency can be updated automatically.')
  if (values.is_default === false && own?.is_default === true)
    refuse(400, 'The default currency cannot be unset, only overridden.')
  const { currency_exchange_rate: rate = defaultRate } = values
  if (own?.is_default === true && Number(rate) !== Number(defaultRate))
    refuse(400, 'The exchange rate of the default currency is always 1.')
}

/** There is always exactly one default, so a new one replaces the old. Its rate is 1. */
function keepOneDefault(store: SandboxStore, row: Row): Row {
  if (!row.is_default) return row
  for (const other of currencyTable(store).find({ is_default: true })) {
    if (other.id !== row.id) currencyTable(store).update(other.id, { is_default: false })
  }
  if (Number(row.currency_exchange_rate) === Number(defaultRate)) return row
  return currencyTable(store).update(row.id, { currency_exchange_rate: defaultRate })
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const given = bodyOf(body)
  const missing = Object.values(complaintsAboutMissing(REQUIRED, given))
  if (missing.length > 0) refuse(400, missing.join('; '))
  const values = readCurrency({ ...RULES, ...CODE }, given)
  refuseFixed(values)
  const currency_code = String(values.currency_code).toUpperCase()
  if (currencyTable(store).count({ currency_code_key: currency_code }) > 0)
    refuse(409, `The currency ${currency_code} exists already.`)
  const row = store.transaction(() =>
    keepOneDefault(store, currencyTable(store).insert({ ...FRESH, ...values, currency_code, last_updated: now() })),
  )
  return { status: 200, body: row }
}

/** A currency cannot change its code; one in the body is ignored. */
function update(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const own = named(request)
  const values = readCurrency(RULES, bodyOf(body))
  refuseFixed(values, own)
  const row = store.transaction(() =>
    keepOneDefault(store, currencyTable(store).update(own.id, { ...values, last_updated: now() })),
  )
  return { status: 200, body: row }
}

function named({ store, params }: SandboxRequest): Row {
  return currencyTable(store).get(Number(params.currencyId)) ?? refuse(404, 'The currency is not found.')
}

function removeOne(request: SandboxRequest): SandboxAnswer {
  const own = named(request)
  if (own.is_default) refuse(400, 'The default currency cannot be deleted.')
  currencyTable(request.store).delete(own.id)
  return noContent()
}

function removeOthers({ store }: SandboxRequest): SandboxAnswer {
  for (const { id } of currencyTable(store).find({ is_default: false })) currencyTable(store).delete(id)
  return noContent()
}

/** v2 lists are bare arrays, and an empty page has no body. */
function listCurrencies({ store, query }: SandboxRequest): SandboxAnswer {
  const { offset, limit } = v2PageOf(query)
  const { rows } = currencyTable(store).page({ offset, limit })
  return rows.length === 0 ? noContent() : { status: 200, body: rows }
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const currencies: SandboxResource = {
  key: 'currencies',
  routes: [
    { method: 'GET', path: CURRENCIES, ...read, handle: listCurrencies },
    { method: 'POST', path: CURRENCIES, ...write, handle: create },
    { method: 'DELETE', path: CURRENCIES, ...write, handle: removeOthers },
    { method: 'GET', path: CURRENCY, ...read, handle: (request) => ({ status: 200, body: named(request) }) },
    { method: 'PUT', path: CURRENCY, ...write, handle: update },
    { method: 'DELETE', path: CURRENCY, ...write, handle: removeOne },
  ],
}
