import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import {
  attributeTable,
  attributeValueTable,
  customerTable,
  CUSTOMER_SCOPE as SCOPE,
} from '../../tables/customer-tables.ts'
import { listBody, refuseIfAny, refuseOversize } from '../../validation/body-checks.ts'
import { isWithinDates } from '../../validation/date-filters.ts'
import { complaintsAboutValue, saveAttributeValue } from './attribute-value-rows.ts'

type Body = Record<string, unknown>

const PATH = '/v3/customers/attribute-values'
/** The specification limits customers, not values. */
const MOST_CUSTOMERS = 10

function listValues({ store, query }: SandboxRequest): SandboxAnswer {
  const customers = numbersIn(query, 'customer_id:in')
  const attributes = numbersIn(query, 'attribute_id:in')
  const name = query.get('name')
  const named =
    name === null
      ? undefined
      : attributeTable(store)
          .find({ name_key: name })
          .map(({ id }) => id)
  const requested = named?.filter((id) => attributes?.includes(id) ?? true) ?? attributes
  const where: Where = {
    ...(customers ? { customer_id: customers } : {}),
    ...(requested ? { attribute_id: requested } : {}),
  }
  const keep = (row: Row) => isWithinDates(row, query)
  return list({ query, table: attributeValueTable(store), where, keep, idFilters: false })
}

function upsert({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  const customers = new Set(rows.map((row) => row.customer_id))
  refuseOversize([...customers], MOST_CUSTOMERS)
  const save = ({ customer_id, attribute_id, value }: Body, index: number): Row => {
    const customer = Number.isInteger(customer_id) ? customerTable(store).get(Number(customer_id)) : undefined
    if (!customer) return refuse(422, 'The customer does not exist', { [`${index}.customer_id`]: 'no such customer' })
    const complaints = complaintsAboutValue(store, attribute_id, value)
    refuseIfAny(Object.fromEntries(complaints.map((complaint) => [`${index}.value`, complaint])))
    return saveAttributeValue(store, customer.id, Number(attribute_id), String(value))
  }
  return store.transaction(() => ok(rows.map(save)))
}

function remove({ store, query }: SandboxRequest): SandboxAnswer {
  const ids = numbersIn(query, 'id:in')
  if (!ids) return refuse(422, 'A filter must be supplied with the endpoint.', { 'id:in': 'id:in is required' })
  for (const id of ids) attributeValueTable(store).delete(id)
  return noContent()
}

export const customerAttributeValues: SandboxResource = {
  key: 'customer-attribute-values',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listValues },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', cap: 3, handle: upsert },
    { method: 'DELETE', path: PATH, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
