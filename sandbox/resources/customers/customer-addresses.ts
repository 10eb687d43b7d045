import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, textsIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import {
  addressTable,
  customerTable,
  deleteAddress,
  formFieldTable,
  CUSTOMER_SCOPE as SCOPE,
} from '../../tables/customer-tables.ts'
import { groupBy } from '../../tables/rows.ts'
import { listBody, refuseIfAny } from '../../validation/body-checks.ts'
import { changeAddress, complaintsAboutAddress, insertAddress, REQUIRED_INSIDE, shownAddress } from './address-rows.ts'
import { fieldsOfAddress } from './form-field-rows.ts'

type Body = Record<string, unknown>

const PATH = '/v3/customers/addresses'
/** An address in a call of its own needs more fields than one inside a new customer. */
const REQUIRED = [...REQUIRED_INSIDE, 'state_or_province', 'postal_code']

function filters(query: URLSearchParams): Where {
  const ids = numbersIn(query, 'id:in')
  const customerIds = numbersIn(query, 'customer_id:in')
  return { ...(ids ? { id: ids } : {}), ...(customerIds ? { customer_id: customerIds } : {}) }
}

function textCondition(query: URLSearchParams): ((row: Row) => boolean) | undefined {
  const names = textsIn(query, 'name:in')?.map((name) => name.toLowerCase())
  const companies = textsIn(query, 'company:in')?.map((name) => name.toLowerCase())
  if (!names && !companies) return undefined
  return ({ first_name, last_name, company }) =>
    (names?.includes(`${first_name} ${last_name}`.toLowerCase()) ?? true) &&
    (companies?.includes(String(company).toLowerCase()) ?? true)
}

function listAddresses({ store, query }: SandboxRequest): SandboxAnswer {
  const keep = textCondition(query)
  const table = addressTable(store)
  const answer = list({ query, table, where: filters(query), idFilters: false, ...(keep ? { keep } : {}) })
  const { data, meta } = answer.body as { data: Row[]; meta: unknown }
  const withFields = textsIn(query, 'include')?.includes('formfields')
  const fields = withFields
    ? groupBy(formFieldTable(store).find({ address_id: data.map(({ id }) => id) }), 'address_id')
    : undefined
  const show = (row: Row) => ({
    ...shownAddress(row),
    ...(fields ? { form_fields: (fields.get(row.id) ?? []).map(fieldsOfAddress) } : {}),
  })
  return { status: 200, body: { data: data.map(show), meta } }
}

function refuseAny(complaints: string[], index: number): void {
  refuseIfAny(Object.fromEntries(complaints.map((complaint, at) => [`${index}.${at}`, complaint])))
}

/** The answer leaves out addresses that already existed. One invalid row fails the call (our choice). */
function create({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  return store.transaction(() =>
    ok(
      rows.flatMap((row, index) => {
        const customer = Number.isInteger(row.customer_id)
          ? customerTable(store).get(Number(row.customer_id))
          : undefined
        if (!customer)
          return refuse(422, 'The customer does not exist', { [`${index}.customer_id`]: 'no such customer' })
        refuseAny(complaintsAboutAddress(store, row, REQUIRED), index)
        const saved = insertAddress(store, customer.id, row)
        return saved ? [shownAddress(saved)] : []
      }),
    ),
  )
}

function update({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  const save = (row: Body, index: number) => {
    const own = Number.isInteger(row.id) ? addressTable(store).get(Number(row.id)) : undefined
    if (!own) return refuse(422, 'The address does not exist', { [`${index}.id`]: 'no such address' })
    refuseAny(complaintsAboutAddress(store, row, []), index)
    const saved = changeAddress(store, own, row)
    return saved ? [shownAddress(saved)] : []
  }
  return store.transaction(() => ok(rows.flatMap(save)))
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  if (!ids) return refuse(422, 'A filter must be supplied with the endpoint.', { 'id:in': 'id:in is required' })
  store.transaction(() => {
    for (const id of ids) deleteAddress(store, id)
  })
  return noContent()
}

export const customerAddresses: SandboxResource = {
  key: 'customer-addresses',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listAddresses },
    { method: 'POST', path: PATH, scope: SCOPE, latency: 'write', cap: 10, handle: create },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', cap: 3, handle: update },
    { method: 'DELETE', path: PATH, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
