import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { refuseV2, refuseV2IfAny, v2Money, v2Object } from '../../http/v2-body.ts'
import { filtersIn, v2ListOf } from '../../http/v2-list.ts'
import { namesAreEqual } from '../../store/name-case.ts'
import { seedOf } from '../../store/random.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { currencyTable } from '../channels/currencies.ts'
import { refuseDuplicate } from './coupon-rows.ts'
import { freshCertificate, giftCertificateTable } from './gift-certificate-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_marketing'
const CERTIFICATES = '/v2/gift_certificates'
const CERTIFICATE = `${CERTIFICATES}/:certificateId`

const TEMPLATES = ['birthday.html', 'boy.html', 'girl.html', 'celebration.html', 'christmas.html', 'general.html']

const RULES: FieldRules = {
  to_name: { kind: 'text', min: 1 },
  to_email: { kind: 'text', min: 1 },
  from_name: { kind: 'text', min: 1 },
  from_email: { kind: 'text', min: 1 },
  amount: { kind: 'number', min: 0 },
  balance: { kind: 'number', min: 0 },
  customer_id: { kind: 'integer', min: 0 },
  template: { kind: 'text', oneOf: TEMPLATES },
  message: { kind: 'text', max: 250 },
  code: { kind: 'text', min: 1, max: 255 },
  status: { kind: 'text', oneOf: ['active', 'pending', 'expired', 'disabled'] },
  currency_code: { kind: 'text', min: 3, max: 3 },
}
const REQUIRED = ['to_name', 'to_email', 'from_name', 'from_email', 'amount']
const DATES = ['purchase_date', 'expiry_date']
const LONGEST_CODE = 20

function shown(row: Row): Body {
  return { ...row, amount: v2Money(row.amount), balance: v2Money(row.balance) }
}

function listCertificates({ store, query }: SandboxRequest): SandboxAnswer {
  const texts = ['code', 'to_name', 'to_email', 'from_name', 'from_email'].map((field) => [field, `${field}_key`])
  const where = filtersIn(query, { order_id: 'order_id', ...Object.fromEntries(texts) })
  return v2ListOf(query, giftCertificateTable(store), where, shown)
}

function named({ store, params }: SandboxRequest): Row {
  const row = giftCertificateTable(store).get(Number(params.certificateId))
  return row ?? refuseV2(404, 'The requested gift certificate was not found.')
}

/** Dates are sent as in mail headers, and returned in Unix time. A code that is too long is cut, not refused. */
function fieldsOf(store: SandboxStore, body: Body): Body {
  const { values, errors } = readFields(RULES, body)
  const dates = DATES.flatMap((field): [string, string][] => {
    const given = body[field]
    if (given === undefined || given === '') return []
    const moment = typeof given === 'string' ? Date.parse(given) : Number.NaN
    if (Number.isNaN(moment)) errors[field] = `${field} must be a date as in RFC 2822`
    return [[field, String(Math.floor(moment / 1000))]]
  })
  const { currency_code } = values
  if (currency_code !== undefined && currencyTable(store).count({ currency_code_key: String(currency_code) }) === 0)
    errors.currency_code = `the store has no currency ${String(currency_code)}`
  refuseV2IfAny(errors)
  const code = values.code === undefined ? {} : { code: String(values.code).slice(0, LONGEST_CODE) }
  return { ...values, ...Object.fromEntries(dates), ...code }
}

function refuseTakenCode(store: SandboxStore, code: unknown, own?: Row): void {
  if (code === undefined) return
  const holders = giftCertificateTable(store).find({ code_key: String(code) })
  if (holders.some((row) => row.id !== own?.id && namesAreEqual(store, row.code, code)))
    refuseDuplicate(store, 'The gift certificate', 'code')
}

/** Four groups of three, as in the published example. The same store always generates the same codes. */
function freshCode(store: SandboxStore): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  let left = seedOf(`${store.name} certificate ${giftCertificateTable(store).nextId()}`)
  const letters = Array.from({ length: 12 }, () => {
    left = (left * 1_103_515_245 + 12_345) % 2_147_483_648
    return digits[left % digits.length]
  })
  return [0, 3, 6, 9].map((at) => letters.slice(at, at + 3).join('')).join('-')
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const given = v2Object(body)
  refuseV2IfAny(complaintsAboutMissing(REQUIRED, given))
  const values = fieldsOf(store, given)
  refuseTakenCode(store, values.code)
  const fresh = { ...freshCertificate(store, values.amount), code: freshCode(store) }
  return { status: 201, body: shown(giftCertificateTable(store).insert({ ...fresh, ...values })) }
}

function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  const values = fieldsOf(store, v2Object(request.body))
  refuseTakenCode(store, values.code, own)
  return { status: 200, body: shown(giftCertificateTable(store).update(own.id, values)) }
}

function removeOne({ store, params }: SandboxRequest): SandboxAnswer {
  giftCertificateTable(store).delete(Number(params.certificateId))
  return noContent()
}

function removeAll({ store }: SandboxRequest): SandboxAnswer {
  store.transaction(() => {
    for (const { id } of giftCertificateTable(store).find({})) giftCertificateTable(store).delete(id)
  })
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const giftCertificates: SandboxResource = {
  key: 'gift-certificates',
  routes: [
    { method: 'GET', path: CERTIFICATES, ...read, handle: listCertificates },
    { method: 'POST', path: CERTIFICATES, ...write, handle: create },
    { method: 'DELETE', path: CERTIFICATES, ...write, handle: removeAll },
    {
      method: 'GET',
      path: CERTIFICATE,
      ...read,
      handle: (request) => ({ status: 200, body: shown(named(request)) }),
    },
    { method: 'PUT', path: CERTIFICATE, ...write, handle: update },
    { method: 'DELETE', path: CERTIFICATE, ...write, handle: removeOne },
  ],
}
