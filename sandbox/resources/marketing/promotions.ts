import { noContent, ok, Refusal } from '../../http/answers.ts'
import { list, numbersIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import {
  deletePromotion,
  namedPromotion,
  PROMOTION_SCOPE,
  promotionCodeTable,
  promotionDate,
  promotionTable,
  refusePromotion,
} from './promotion-rows.ts'
import { complaintsAboutRules } from './rule-checks.ts'

type Body = Record<string, unknown>

const PROMOTIONS = '/v3/promotions'
const PROMOTION = `${PROMOTIONS}/:promotionId`
const LARGEST_BATCH = 50

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 100 },
  display_name: { kind: 'text' },
  max_uses: { kind: 'integer', min: 0, nullable: true },
  status: { kind: 'text', oneOf: ['ENABLED', 'DISABLED'] },
  start_date: { kind: 'date' },
  end_date: { kind: 'date', nullable: true },
  stop: { kind: 'boolean' },
  can_be_used_with_other_promotions: { kind: 'boolean' },
  currency_code: { kind: 'text' },
  coupon_overrides_other_promotions: { kind: 'boolean' },
  coupon_overrides_automatic_when_offering_higher_discounts: { kind: 'boolean' },
}

const OBJECTS = ['customer', 'shipping_address', 'schedule'] as const
const LISTS = ['channels', 'notifications'] as const
const OF_COUPONS = [
  'coupon_type',
  'coupon_overrides_other_promotions',
  'coupon_overrides_automatic_when_offering_higher_discounts',
] as const

const FRESH = {
  display_name: '',
  created_from: 'api',
  channels: [],
  customer: { group_ids: [], minimum_order_count: 0, excluded_group_ids: [] },
  current_uses: 0,
  max_uses: null,
  status: 'ENABLED',
  end_date: null,
  stop: false,
  can_be_used_with_other_promotions: true,
  currency_code: 'USD',
  notifications: [],
}

const FRESH_COUPON = {
  coupon_type: 'SINGLE',
  coupon_overrides_other_promotions: false,
  coupon_overrides_automatic_when_offering_higher_discounts: false,
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

function shown(store: SandboxStore) {
  return (row: Row): Body => {
    const { max_uses, ...rest } = row
    // If there is no limit, the field is absent.
    const limited = max_uses === null ? rest : { ...rest, max_uses }
    if (row.redemption_type !== 'COUPON') return limited
    const codes = promotionCodeTable(store).count({ promotion_id: row.id })
    return { ...limited, multiple_codes: { has_multiple_codes: codes > 1 } }
  }
}

/** The requested sort order; undefined for ascending ids. */
function orderOf(query: URLSearchParams): ((a: Row, b: Row) => number) | undefined {
  const field = query.get('sort') ?? 'id'
  const sign = query.get('direction') === 'desc' ? -1 : 1
  if (!['id', 'name', 'start_date'].includes(field) || (field === 'id' && sign === 1)) return undefined
  return (a, b) => sign * (field === 'id' ? a.id - b.id : String(a[field]) < String(b[field]) ? -1 : 1)
}

function keeps({ store, query }: SandboxRequest): ((row: Row) => boolean) | undefined {
  const channels = numbersIn(query, 'channels')
  const code = query.get('code')
  const either = query.get('query')?.toLowerCase()
  if (!channels && code === null && either === undefined) return undefined
  const codesOf = (row: Row) =>
    promotionCodeTable(store)
      .find({ promotion_id: row.id })
      .map((one) => String(one.code).toLowerCase())
  return (row) => {
    const own = Array.isArray(row.channels) ? row.channels.map((channel: { id: number }) => channel.id) : []
    // A promotion without channels applies to all of them.
    if (channels && own.length > 0 && !own.some((id) => channels.includes(id))) return false
    if (code !== null && !codesOf(row).includes(code.toLowerCase())) return false
    return either === undefined || String(row.name).toLowerCase() === either || codesOf(row).includes(either)
  }
}

function listPromotions(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const where = Object.fromEntries(
    [
      ['redemption_type', query.get('redemption_type')?.toUpperCase()],
      ['status', query.get('status')?.toUpperCase()],
      ['currency_code', query.get('currency_code')],
      ['name_key', query.get('name')],
    ].flatMap(([field, value]) => (value === null || value === undefined ? [] : [[field, value]])),
  )
  const options = { keep: keeps(request), order: orderOf(query) }
  const given = Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined))
  return list({ query, table: promotionTable(store), where, show: shown(store), ...given })
}

function fieldsOf(body: unknown): Body {
  if (!isObject(body)) return refusePromotion(422, 'The body must be an object.')
  const { values, errors } = readFields(RULES, body)
  const complaints = Object.values(errors)
  for (const field of OBJECTS)
    if (body[field] !== undefined && !isObject(body[field])) complaints.push(`${field} must be an object`)
  for (const field of LISTS)
    if (body[field] !== undefined && !Array.isArray(body[field])) complaints.push(`${field} must be a list`)
  if (body.rules !== undefined) complaints.push(...complaintsAboutRules(body.rules))
  complaints.push(...complaintsAboutSegments(body.customer))
  if (complaints.length > 0) refusePromotion(422, ...complaints)
  const whole = [...OBJECTS, ...LISTS, 'rules'].filter((field) => body[field] !== undefined)
  return { ...values, ...Object.fromEntries(whole.map((field) => [field, body[field]])) }
}

/** Refuses an empty list of segments. Source: minItems of the published schema. */
function complaintsAboutSegments(customer: unknown): string[] {
  const segments = isObject(customer) ? customer.segments : undefined
  const empty = isObject(segments) && Array.isArray(segments.id) && segments.id.length === 0
  return empty ? ['customer.segments.id must have one segment at least'] : []
}

/** Refuses fields that only the other kind of promotion has, or that need another field. */
function refuseMisplaced(row: Body, given: Body): void {
  const isCoupon = row.redemption_type === 'COUPON'
  const overrides = [
    'coupon_overrides_other_promotions',
    'coupon_overrides_automatic_when_offering_higher_discounts',
  ].filter((field) => given[field] === true)
  if (overrides.length > 0 && (!isCoupon || row.can_be_used_with_other_promotions === true))
    refusePromotion(422, `${overrides.join(', ')} needs a coupon promotion that is used alone`)
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const values = fieldsOf(body)
  const given = body as Body
  const type = given.redemption_type
  if (type !== 'AUTOMATIC' && type !== 'COUPON') refusePromotion(422, 'redemption_type must be AUTOMATIC or COUPON')
  const missing = ['name', 'rules'].filter((field) => values[field] === undefined)
  if (missing.length > 0) refusePromotion(422, ...missing.map((field) => `${field} is required`))
  const couponType = given.coupon_type ?? 'SINGLE'
  if (couponType !== 'SINGLE' && couponType !== 'BULK') refusePromotion(422, 'coupon_type must be SINGLE or BULK')
  const ofCoupon = type === 'COUPON' ? { ...FRESH_COUPON, coupon_type: couponType } : {}
  const plain = type === 'COUPON' ? values : without(values, OF_COUPONS)
  const row = {
    redemption_type: type,
    ...FRESH,
    start_date: promotionDate(new Date()),
    ...ofCoupon,
    ...plain,
    customer: { ...FRESH.customer, ...(plain.customer as Body | undefined) },
  }
  refuseMisplaced(row, given)
  return { status: 201, body: { data: shown(store)(promotionTable(store).insert(row)), meta: {} } }
}

function without(values: Body, fields: readonly string[]): Body {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)))
}

/** Absent fields stay unchanged. */
function update({ store, params, body }: SandboxRequest): SandboxAnswer {
  const own = namedPromotion(store, params.promotionId)
  const values = fieldsOf(body)
  const given = body as Body
  for (const field of ['redemption_type', 'coupon_type'])
    if (given[field] !== undefined && own[field] !== undefined && given[field] !== own[field])
      refusePromotion(422, `${field} cannot be changed`)
  const plain = own.redemption_type === 'COUPON' ? values : without(values, OF_COUPONS)
  refuseMisplaced({ ...own, ...plain }, given)
  const customer = { ...(own.customer as Body), ...(plain.customer as Body | undefined) }
  return ok(shown(store)(promotionTable(store).update(own.id, { ...plain, customer })))
}

function hasCodes(store: SandboxStore, id: number): boolean {
  return promotionCodeTable(store).count({ promotion_id: id }) > 0
}

/**
 * A promotion with codes cannot be deleted. No answer is documented: using the shape of a refused list is our choice.
 */
function removeOne({ store, params }: SandboxRequest): SandboxAnswer {
  const id = Number(params.promotionId)
  if (hasCodes(store, id)) refusePromotion(422, `Failed for id=${id}. Error: some relating codes are still present.`)
  deletePromotion(store, id)
  return noContent()
}

/** Deletes what can be deleted and lists the rest. Source: the published examples of the answer. */
export function bulkDelete(
  query: URLSearchParams,
  most: number,
  remove: (id: number) => string | undefined,
): SandboxAnswer {
  const ids = query.get('id:in') === null ? [] : (numbersIn(query, 'id:in') ?? [])
  const type = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'
  const refused = (title: string, errors: Record<string, string>, meta: Body) =>
    new Refusal({ status: 422, body: { errors: [{ status: 422, title, type, errors }], meta } })
  const nothing = { total: 0, success: 0, failed: 0 }
  if (ids.length === 0) throw refused('Parameter id:in is required', {}, nothing)
  if (ids.length > most) throw refused(`At most ${most} items are deleted at once`, {}, nothing)
  const errors = ids.flatMap((id, at) => {
    const complaint = remove(id)
    return complaint === undefined ? [] : [[`${at}.code`, `Failed for id=${id}. Error: ${complaint}`]]
  })
  if (errors.length === 0) return noContent()
  const meta = { total: ids.length, success: ids.length - errors.length, failed: errors.length }
  throw refused('Errors occurred in bulk delete action.', Object.fromEntries(errors), meta)
}

function removeMany({ store, query }: SandboxRequest): SandboxAnswer {
  return bulkDelete(query, LARGEST_BATCH, (id) => {
    if (hasCodes(store, id)) return 'some relating codes are still present.'
    deletePromotion(store, id)
    return undefined
  })
}

const read = { scope: PROMOTION_SCOPE, latency: 'read', cap: 40 } as const
const write = { scope: PROMOTION_SCOPE, latency: 'write', cap: 40 } as const

export const promotions: SandboxResource = {
  key: 'promotions',
  routes: [
    { method: 'GET', path: PROMOTIONS, ...read, handle: listPromotions },
    { method: 'POST', path: PROMOTIONS, ...write, handle: create },
    { method: 'DELETE', path: PROMOTIONS, ...write, handle: removeMany },
    {
      method: 'GET',
      path: PROMOTION,
      ...read,
      handle: ({ store, params }) => ok(shown(store)(namedPromotion(store, params.promotionId))),
    },
    { method: 'PUT', path: PROMOTION, ...write, handle: update },
    { method: 'DELETE', path: PROMOTION, ...write, handle: removeOne },
  ],
}
