import { noContent } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { refuseV2, refuseV2IfAny, v2Object } from '../../http/v2-body.ts'
import { v2ListOf } from '../../http/v2-list.ts'
import type { Row } from '../../store/store.ts'
import { deleteRows } from '../../tables/rows.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { bannerTable, insertBanner } from './banner-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_marketing'
const BANNERS = '/v2/banners'
const BANNER = `${BANNERS}/:bannerId`

/** Source: `banner_Base` of the published marketing specification. */
const RULES: FieldRules = {
  name: { kind: 'text', min: 1 },
  content: { kind: 'text', min: 1 },
  page: { kind: 'text', oneOf: ['home_page', 'category_page', 'brand_page', 'search_page'] },
  location: { kind: 'text', oneOf: ['top', 'bottom'] },
  date_type: { kind: 'text', oneOf: ['always', 'custom'] },
  date_from: { kind: 'text' },
  date_to: { kind: 'text' },
  visible: { kind: 'text', oneOf: ['0', '1'] },
  item_id: { kind: 'text' },
}
const REQUIRED = ['name', 'content', 'page', 'location', 'date_type']

/** An update must contain the required fields too. */
function fieldsOf(body: Body): Body {
  const { values, errors } = readFields(RULES, body)
  for (const field of ['item_id', 'date_from', 'date_to'])
    if (values[field] !== undefined && !/^\d+$/.test(String(values[field]))) errors[field] = `${field} must be a number`
  refuseV2IfAny({ ...complaintsAboutMissing(REQUIRED, body), ...errors })
  return values
}

function named({ store, params }: SandboxRequest): Row {
  return bannerTable(store).get(Number(params.bannerId)) ?? refuseV2(404, 'The requested banner was not found.')
}

/** Does not check whether the category or brand exists (our choice). */
function create({ store, body }: SandboxRequest): SandboxAnswer {
  const seconds = String(Math.floor(Date.now() / 1000))
  return { status: 200, body: insertBanner(store, fieldsOf(v2Object(body)), seconds) }
}

function update(request: SandboxRequest): SandboxAnswer {
  const { id } = named(request)
  return { status: 200, body: bannerTable(request.store).update(id, fieldsOf(v2Object(request.body))) }
}

/** Deleting an unknown banner is no error (our choice: no refusal is documented). */
function removeOne({ store, params }: SandboxRequest): SandboxAnswer {
  bannerTable(store).delete(Number(params.bannerId))
  return noContent()
}

/** Deletes all banners, because the call has no filter. */
function removeAll({ store }: SandboxRequest): SandboxAnswer {
  store.transaction(() => deleteRows(bannerTable(store), {}))
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const banners: SandboxResource = {
  key: 'banners',
  routes: [
    {
      method: 'GET',
      path: BANNERS,
      ...read,
      handle: ({ store, query }) => v2ListOf(query, bannerTable(store), {}, (row) => row),
    },
    { method: 'POST', path: BANNERS, ...write, handle: create },
    { method: 'DELETE', path: BANNERS, ...write, handle: removeAll },
    {
      method: 'GET',
      path: `${BANNERS}/count`,
      ...read,
      handle: ({ store }) => ({ status: 200, body: { count: bannerTable(store).count() } }),
    },
    { method: 'GET', path: BANNER, ...read, handle: (request) => ({ status: 200, body: named(request) }) },
    { method: 'PUT', path: BANNER, ...write, handle: update },
    { method: 'DELETE', path: BANNER, ...write, handle: removeOne },
  ],
}
