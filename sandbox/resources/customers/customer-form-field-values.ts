import { ok, refuse } from '../../http/answers.ts'
import { cursorList } from '../../http/cursor-list.ts'
import { numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { addressTable, customerTable, formFieldTable, CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { listBody, refuseIfAny } from '../../validation/body-checks.ts'
import {
  complaintsAboutFields,
  type FormOwner,
  fieldsOfAddress,
  fieldsOfCustomer,
  saveFormFields,
} from './form-field-rows.ts'

type Body = Record<string, unknown>

const PATH = '/v3/customers/form-field-values'

function shown(row: Row): Body {
  return row.address_id === null ? fieldsOfCustomer(row) : fieldsOfAddress(row)
}

/** The sandbox does not know the type that a field has in the control panel, so it uses that of the value. */
function typeOf({ value }: Row): string {
  if (Array.isArray(value)) return 'checkboxes'
  return typeof value === 'number' ? 'numbers' : 'text'
}

function listValues(request: SandboxRequest): SandboxAnswer {
  const { query, store } = request
  const customers = numbersIn(query, 'customer_id')
  const addresses = numbersIn(query, 'address_id')
  const name = query.get('field_name')
  const type = query.get('field_type')
  const where: Where = {
    ...(customers ? { customer_id: customers, address_id: null } : {}),
    ...(addresses ? { address_id: addresses } : {}),
    ...(name === null ? {} : { name }),
  }
  const keep = type === null ? {} : { keep: (row: Row) => typeOf(row) === type }
  return cursorList(request, formFieldTable(store), { where, show: shown, ...keep })
}

function ownerOf(store: SandboxStore, { customer_id, address_id }: Body, index: number): FormOwner {
  const address = Number.isInteger(address_id) ? addressTable(store).get(Number(address_id)) : undefined
  if (address) return { customer_id: Number(address.customer_id), address_id: address.id }
  const customer = Number.isInteger(customer_id) ? customerTable(store).get(Number(customer_id)) : undefined
  if (customer && address_id === undefined) return { customer_id: customer.id, address_id: null }
  return refuse(422, 'The customer or the address does not exist', { [`${index}.customer_id`]: 'not found' })
}

function upsert({ store, body }: SandboxRequest): SandboxAnswer {
  const save = (row: Body, index: number): Body => {
    const owner = ownerOf(store, row, index)
    const complaints = complaintsAboutFields(store, [row])
    refuseIfAny(Object.fromEntries(complaints.map((complaint) => [`${index}.value`, complaint])))
    saveFormFields(store, owner, [row])
    // Saved on the line above.
    return shown(formFieldTable(store).find({ ...owner, name: String(row.name) })[0] as Row)
  }
  return store.transaction(() => ok(listBody(body).map(save)))
}

export const customerFormFieldValues: SandboxResource = {
  key: 'customer-form-field-values',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listValues },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', cap: 10, handle: upsert },
  ],
}
