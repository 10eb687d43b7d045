import { noContent, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customsInformationTable, productTable } from '../../tables/product-tables.ts'
import { listBody, refuseIfAny, refuseOversize } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_products'
const PATH = '/v3/shipping/products/customs-information'
const LARGEST_BATCH = 50

const RULES: FieldRules = {
  product_id: { kind: 'integer', min: 1 },
  country_of_origin: { kind: 'text', min: 2, max: 2 },
  commodity_description: { kind: 'text', max: 100 },
  international_shipping: { kind: 'boolean' },
}

/** The description is not here, because it may be empty: the rule below checks that it is present. */
const REQUIRED = ['product_id', 'country_of_origin', 'international_shipping']

/** Source: the description of the published `hs_codes`. In its example `ALL` means every country. */
const COUNTRY = /^([A-Z]{2}|ALL)$/
const HS_CODE = /^[0-9A-Za-z]{6,14}$/

function complaintsAbout(store: SandboxStore, row: Body): Record<string, string> {
  const isNobodys = row.product_id !== undefined && !productTable(store).get(Number(row.product_id))
  return {
    ...complaintsAboutMissing(REQUIRED, row),
    ...(isNobodys ? { product_id: `there is no product ${String(row.product_id)}` } : {}),
    ...readFields(RULES, { ...row, commodity_description: row.commodity_description ?? null }).errors,
    ...complaintsAboutCodes(row.hs_codes),
  }
}

function complaintsAboutCodes(codes: unknown): Record<string, string> {
  if (typeof codes !== 'object' || codes === null || Array.isArray(codes))
    return { hs_codes: 'hs_codes must be an object' }
  const wrong = Object.entries(codes).filter(([country, code]) => !COUNTRY.test(country) || !HS_CODE.test(String(code)))
  return Object.fromEntries(
    wrong.map(([country]) => [`hs_codes.${country}`, 'must be a country with 6 to 14 letters or digits']),
  )
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

/** A product has at most one, so the row's own id is not part of the API. */
function shown({ id: _id, ...row }: Row): Body {
  return row
}

/** One invalid row fails the call (our choice: the specification documents no refusal). */
function put({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_BATCH)
  const save = (row: Body, index: number): Body => {
    const complaints = Object.entries(complaintsAbout(store, row))
    refuseIfAny(Object.fromEntries(complaints.map(([field, text]) => [`${index}.${field}`, text])))
    const table = customsInformationTable(store)
    const own = table.find({ product_id: Number(row.product_id) })[0]
    const fields = { ...readFields(RULES, row).values, hs_codes: row.hs_codes, updated_at: now() }
    return shown(own ? table.update(own.id, fields) : table.insert({ ...fields, created_at: now() }))
  }
  // Without the usual `meta`. Source: the published shipping specification.
  return store.transaction(() => ({ status: 200, body: { data: rows.map(save) } }))
}

function listInformation({ store, query }: SandboxRequest): SandboxAnswer {
  const productIds = numbersIn(query, 'product_id:in')
  const where: Where = productIds ? { product_id: productIds } : {}
  const table = customsInformationTable(store)
  return list({ query, table, where, idFilters: false, idField: 'product_id', show: shown })
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const productIds = numbersIn(query, 'product_id:in')
  if (!productIds || productIds.length === 0)
    return refuse(422, 'A filter must be supplied with the endpoint.', { 'product_id:in': 'product_id:in is required' })
  const table = customsInformationTable(store)
  for (const { id } of table.find({ product_id: productIds })) table.delete(id)
  return noContent()
}

export const customsInformation: SandboxResource = {
  key: 'customs-information',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listInformation },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', handle: put },
    { method: 'DELETE', path: PATH, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
