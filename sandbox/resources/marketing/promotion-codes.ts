import { noContent } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { seededRandom, seedOf } from '../../store/random.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import {
  namedPromotion,
  PROMOTION_SCOPE,
  promotionCodeTable,
  promotionDate,
  refusePromotion,
  refuseTakenCode,
} from './promotion-rows.ts'
import { bulkDelete } from './promotions.ts'

type Body = Record<string, unknown>

const ALL = '/v3/promotions/codes'
const CODES = '/v3/promotions/:promotionId/codes'
const LARGEST_BATCH = 250

const RULES: FieldRules = {
  code: { kind: 'text', min: 1, max: 50 },
  max_uses: { kind: 'integer', min: 0 },
  max_uses_per_customer: { kind: 'integer', min: 0 },
}
/** Source: the pattern and the description of the published field. */
const CODE = /^[a-zA-Z0-9_ -]+$/

function shown({ promotion_id: _promotion, ...row }: Row): Body {
  return row
}

function bodyOf(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refusePromotion(422, 'The body must be an object.')
  return body as Body
}

function listCodes(request: SandboxRequest): SandboxAnswer {
  const { store, query, params } = request
  const { id } = namedPromotion(store, params.promotionId)
  const code = query.get('code')
  const where = { promotion_id: id, ...(code === null ? {} : { code_key: code }) }
  return cursorList(request, promotionCodeTable(store), { where, show: shown })
}

function codeIn(query: URLSearchParams): string {
  return query.get('code') ?? refusePromotion(422, 'Parameter code is required')
}

function findCode(request: SandboxRequest): SandboxAnswer {
  const where = { code_key: codeIn(request.query) }
  return cursorList(request, promotionCodeTable(request.store), { where, show: shown })
}

function removeByCode({ store, query }: SandboxRequest): SandboxAnswer {
  for (const { id } of promotionCodeTable(store).find({ code_key: codeIn(query) })) promotionCodeTable(store).delete(id)
  return noContent()
}

/**
 * Only coupon promotions have codes, and those with a single code have just one (our choice: no refusal is documented).
 */
function refuseFurther(store: SandboxStore, promotion: Row): void {
  if (promotion.redemption_type !== 'COUPON') refusePromotion(422, 'Only a coupon promotion has codes.')
  if (promotion.coupon_type !== 'BULK' && promotionCodeTable(store).count({ promotion_id: promotion.id }) > 0)
    refusePromotion(422, 'A promotion of the type SINGLE has one code.')
}

function create({ store, params, body }: SandboxRequest): SandboxAnswer {
  const promotion = namedPromotion(store, params.promotionId)
  const { values, errors } = readFields(RULES, bodyOf(body))
  const { code } = values
  const complaints = Object.values(errors)
  if (code === undefined && complaints.length === 0) complaints.push('code is required')
  if (code !== undefined && !CODE.test(String(code)))
    complaints.push('code may have letters, digits, spaces, underscores and hyphens only')
  if (complaints.length > 0) refusePromotion(422, ...complaints)
  refuseFurther(store, promotion)
  refuseTakenCode(store, String(code))
  return { status: 201, body: { data: shown(insertCode(store, promotion.id, values)), meta: {} } }
}

export function insertCode(store: SandboxStore, promotionId: number, fields: Body): Row {
  return promotionCodeTable(store).insert({
    promotion_id: promotionId,
    max_uses: 0,
    max_uses_per_customer: 0,
    current_uses: 0,
    created: promotionDate(new Date()),
    ...fields,
  })
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Generates random codes: the caller cannot choose them. */
function generate({ store, params, body }: SandboxRequest): SandboxAnswer {
  const promotion = namedPromotion(store, params.promotionId)
  const { batch_size, max_uses = 1, max_uses_per_customer = 1 } = bodyOf(body)
  if (!Number.isInteger(batch_size) || Number(batch_size) < 1 || Number(batch_size) > LARGEST_BATCH)
    refusePromotion(422, `batch_size must be a number from 1 to ${LARGEST_BATCH}`)
  if (promotion.coupon_type !== 'BULK') refusePromotion(422, 'Only a promotion of the type BULK has codes made.')
  const limits = { max_uses, max_uses_per_customer }
  if (Object.values(limits).some((limit) => !Number.isInteger(limit)))
    refusePromotion(422, 'max_uses and max_uses_per_customer must be integers')
  const random = seededRandom(seedOf(`${store.name} codes ${promotionCodeTable(store).nextId()}`))
  const codes = Array.from({ length: Number(batch_size) }, () =>
    Array.from({ length: 16 }, () => DIGITS[Math.floor(random() * DIGITS.length)]).join(''),
  )
  const created = promotionDate(new Date())
  store.transaction(() => {
    for (const code of codes) insertCode(store, promotion.id, { code, ...limits, created })
  })
  const data = { created, ...limits, batch_size, codes: codes.map((code) => ({ code })) }
  return { status: 201, body: { data, meta: {} } }
}

function removeMany({ store, query, params }: SandboxRequest): SandboxAnswer {
  const { id: promotionId } = namedPromotion(store, params.promotionId)
  return bulkDelete(query, LARGEST_BATCH, (id) => {
    const row = promotionCodeTable(store).get(id)
    if (row?.promotion_id !== promotionId) return 'constraint reference error.'
    promotionCodeTable(store).delete(id)
    return undefined
  })
}

function removeOne({ store, params }: SandboxRequest): SandboxAnswer {
  const row = promotionCodeTable(store).get(Number(params.codeId))
  if (row && row.promotion_id === Number(params.promotionId)) promotionCodeTable(store).delete(row.id)
  return noContent()
}

const read = { scope: PROMOTION_SCOPE, latency: 'read' } as const
const write = { scope: PROMOTION_SCOPE, latency: 'write', cap: 40 } as const

export const promotionCodes: SandboxResource = {
  key: 'promotion-codes',
  routes: [
    { method: 'GET', path: ALL, ...read, cap: 40, handle: findCode },
    { method: 'DELETE', path: ALL, ...write, handle: removeByCode },
    { method: 'GET', path: CODES, ...read, cap: 10, handle: listCodes },
    { method: 'POST', path: CODES, ...write, handle: create },
    { method: 'DELETE', path: CODES, ...write, handle: removeMany },
    { method: 'DELETE', path: `${CODES}/:codeId`, ...write, handle: removeOne },
    { method: 'POST', path: '/v3/promotions/:promotionId/codegen', ...write, cap: 10, handle: generate },
  ],
}
