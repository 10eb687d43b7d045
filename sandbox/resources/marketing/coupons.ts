import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { mailDate, refuseV2, refuseV2IfAny, v2Money, v2Object } from '../../http/v2-body.ts'
import { filtersIn, refuseNoNumbers, v2ListOf } from '../../http/v2-list.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import { namesAreEqual } from '../../store/name-case.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { couponTable, refuseDuplicate, refuseTaken } from './coupon-rows.ts'
import { promotionCodeTable, promotionTable } from './promotion-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_marketing'
const COUPONS = '/v2/coupons'
const COUPON = `${COUPONS}/:couponId`

const OWN_TYPES = [
  'per_item_discount',
  'per_total_discount',
  'shipping_discount',
  'free_shipping',
  'percentage_discount',
]

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 100 },
  type: { kind: 'text', oneOf: OWN_TYPES },
  amount: { kind: 'number', min: 0 },
  min_purchase: { kind: 'number', min: 0 },
  expires: { kind: 'text' },
  enabled: { kind: 'boolean' },
  code: { kind: 'text', min: 1, max: 50 },
  max_uses: { kind: 'integer', min: 0 },
  max_uses_per_customer: { kind: 'integer', min: 0 },
  shipping_methods: { kind: 'texts' },
}
const REQUIRED = ['name', 'code', 'type', 'amount', 'applies_to']

/** Source: the pattern and the description of the published field. */
const CODE = /^[a-zA-Z0-9_ -]+$/

const FRESH = {
  min_purchase: 0,
  expires: '',
  enabled: true,
  num_uses: 0,
  max_uses: 0,
  max_uses_per_customer: 0,
  restricted_to: {},
  shipping_methods: [],
}

function shown(row: Row): Body {
  return { ...row, amount: v2Money(row.amount), min_purchase: v2Money(row.min_purchase) }
}

const SHADOW = 'promotion'

/** The list includes the codes of promotions, unless a parameter excludes them. */
function listCoupons(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const excluded = query.get('exclude_type')
  const type = query.get('type')
  if (excluded !== SHADOW && (type === null || type === SHADOW)) return listWithShadows(request)
  const where = filtersIn(query, { id: 'id', code: 'code_key', name: 'name_key', type: 'type' })
  return v2ListOf(query, couponTable(store), where, shown, excluded === null ? {} : { type: [excluded] })
}

/** The code of a promotion in the form of a coupon. Source: the description of the published operation. */
function shadowOf(store: SandboxStore, { id, code, max_uses, max_uses_per_customer, ...row }: Row): Body {
  const promotion = promotionTable(store).get(Number(row.promotion_id))
  return {
    ...{ id, name: promotion?.name ?? '', type: SHADOW, amount: v2Money(0), min_purchase: v2Money(0), expires: '' },
    ...{ enabled: promotion?.status === 'ENABLED', code, applies_to: { entity: 'categories', ids: [] } },
    ...{ num_uses: row.current_uses, max_uses, max_uses_per_customer, restricted_to: [], shipping_methods: null },
    date_created: mailDate(new Date(String(row.created))),
  }
}

function listWithShadows({ store, query }: SandboxRequest): SandboxAnswer {
  refuseNoNumbers(query)
  const { offset, limit } = v2PageOf(query)
  const same = (parameter: string, value: unknown) =>
    query.get(parameter) === null || query.get(parameter)?.toLowerCase() === String(value).toLowerCase()
  const all = [
    ...couponTable(store).find({}).map(shown),
    ...promotionCodeTable(store)
      .find({})
      .map((row) => shadowOf(store, row)),
  ]
  const rows = all
    .filter((row) => ['id', 'code', 'name', 'type'].every((field) => same(field, row[field])))
    .filter((row) => row.type !== query.get('exclude_type'))
    .filter(({ id }) => Number(id) >= Number(query.get('min_id') ?? 0))
    .filter(({ id }) => Number(id) <= Number(query.get('max_id') ?? Number.MAX_SAFE_INTEGER))
    .sort((one, other) => Number(one.id) - Number(other.id))
    .slice(offset, offset + limit)
  return rows.length === 0 ? noContent() : { status: 200, body: rows }
}

function named({ store, params }: SandboxRequest): Row {
  return couponTable(store).get(Number(params.couponId)) ?? refuseV2(404, 'The requested coupon was not found.')
}

/** The fields of a body as stored. An update without `applies_to` clears it. */
function fieldsOf(body: Body): Body {
  const { values, errors } = readFields(RULES, body)
  const code = values.code
  if (code !== undefined && !CODE.test(String(code)))
    errors.code = 'code may have letters, digits, spaces, underscores and hyphens only'
  const { expires } = values
  if (typeof expires === 'string' && expires !== '' && !isMailDate(expires))
    refuseV2(400, "The field 'expires' is invalid.", {
      invalid_reason: `The provided value '${expires}' is not a valid RFC-2822 date.`,
    })
  refuseV2IfAny({ ...errors, ...complaintAboutScope(body.applies_to), ...complaintAboutLocations(body.restricted_to) })
  const dated = typeof expires === 'string' && expires !== '' ? { expires: mailDate(new Date(expires)) } : {}
  const restricted = body.restricted_to === undefined ? {} : { restricted_to: body.restricted_to }
  return { ...values, ...dated, ...restricted, applies_to: body.applies_to ?? { entity: 'categories', ids: [] } }
}

/** A date as in mail headers, with or without its weekday. */
function isMailDate(text: string): boolean {
  return /^([A-Za-z]{3}, )?\d{1,2} [A-Za-z]{3} \d{4}\b/.test(text) && !Number.isNaN(Date.parse(text))
}

/** Categories must exist; 0 means all of them. Not checking products is our choice. */
function refuseUnknownCategories(store: SandboxStore, given: unknown): void {
  const { entity, ids } = (given ?? {}) as { entity?: unknown; ids?: number[] }
  if (entity !== 'categories') return
  const unknown = (ids ?? []).find((id) => id !== 0 && !categoriesTable(store).get(id))
  if (unknown !== undefined) refuseV2(400, `Category id ${unknown} does not exist.`)
}

function complaintAboutScope(given: unknown): Record<string, string> {
  if (given === undefined) return {}
  const { entity, ids } = (typeof given === 'object' && given !== null ? given : {}) as Body
  const good = ['products', 'categories'].includes(String(entity)) && Array.isArray(ids) && ids.every(Number.isInteger)
  return good ? {} : { applies_to: 'applies_to must name products or categories and their ids' }
}

function complaintAboutLocations(given: unknown): Record<string, string> {
  if (given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given))) return {}
  return { restricted_to: 'restricted_to must be an object' }
}

/** A code is unique among coupons and promotions. */
function refuseCodeOfPromotion(store: SandboxStore, code: unknown): void {
  const holders = promotionCodeTable(store).find({ code_key: String(code) })
  if (holders.some((row) => namesAreEqual(store, row.code, code))) refuseDuplicate(store, 'The coupon', 'code')
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const given = v2Object(body)
  refuseV2IfAny(complaintsAboutMissing(REQUIRED, given))
  const values = fieldsOf(given)
  refuseUnknownCategories(store, given.applies_to)
  refuseTaken(store, values)
  refuseCodeOfPromotion(store, values.code)
  const row = couponTable(store).insert({ ...FRESH, date_created: mailDate(new Date()), ...values })
  return { status: 201, body: shown(row) }
}

function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  const given = v2Object(request.body)
  const values = fieldsOf(given)
  refuseUnknownCategories(store, given.applies_to)
  refuseTaken(store, values, own)
  return { status: 200, body: shown(couponTable(store).update(own.id, values)) }
}

/** The code of a promotion is deleted without the promotion, as documented. */
function remove(store: SandboxStore, id: number): void {
  if (!couponTable(store).delete(id)) promotionCodeTable(store).delete(id)
}

/** Deleting an unknown coupon is no error (our choice: no refusal is documented). */
function removeOne({ store, params }: SandboxRequest): SandboxAnswer {
  remove(store, Number(params.couponId))
  return noContent()
}

/** Without a filter, all coupons are deleted. */
function removeMany({ store, query }: SandboxRequest): SandboxAnswer {
  const text = query.get('id:in')
  const ids =
    text === null
      ? couponTable(store)
          .find({})
          .map(({ id }) => id)
      : text.split(',').map(Number)
  if (ids.some((id) => !Number.isInteger(id))) refuseV2(400, "The parameter 'id:in' must be a list of numbers.")
  store.transaction(() => {
    for (const id of ids) remove(store, id)
  })
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const coupons: SandboxResource = {
  key: 'coupons',
  routes: [
    { method: 'GET', path: COUPONS, ...read, handle: listCoupons },
    { method: 'POST', path: COUPONS, ...write, handle: create },
    { method: 'DELETE', path: COUPONS, ...write, handle: removeMany },
    {
      method: 'GET',
      path: `${COUPONS}/count`,
      ...read,
      handle: ({ store }) => ({
        status: 200,
        body: { count: couponTable(store).count() + promotionCodeTable(store).count() },
      }),
    },
    { method: 'PUT', path: COUPON, ...write, handle: update },
    { method: 'DELETE', path: COUPON, ...write, handle: removeOne },
  ],
}
