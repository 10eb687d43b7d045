import type { Row, SandboxStore } from '../../store/store.ts'
import { formFieldTable } from '../../tables/customer-tables.ts'

type Body = Record<string, unknown>

/** Who the values belong to: a customer, or one of the customer's addresses. */
export interface FormOwner {
  customer_id: number
  address_id: number | null
}

/**
 * Errors in form field values. The fields themselves are defined in the control panel; here the switch `form_fields`
 * lists their names, or names with the values that a field offers. If it is not set, any field is accepted.
 */
export function complaintsAboutFields(store: SandboxStore, given: unknown): string[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) return ['form_fields must be an array']
  return given.flatMap((one: unknown) => complaintsAboutOne(store, one))
}

function complaintsAboutOne(store: SandboxStore, one: unknown): string[] {
  const { name, value } = (one ?? {}) as Body
  if (typeof name !== 'string' || name === '') return ['form_fields.name is required']
  const { form_fields: defined } = store.switches
  if (Array.isArray(defined)) {
    const field = defined.find((one) => one === name || one.name === name)
    if (!field) return [`form field ${name} does not exist`]
    if (field.values && [value].flat().some((one) => !field.values.includes(one)))
      return [`form field ${name} does not offer this value`]
  }
  return isAnswer(value) ? [] : [`form field ${name} must be a text, a number or an array of texts`]
}

function isAnswer(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return typeof value === 'string' || typeof value === 'number'
}

/** Values that are not in the list stay (our choice). */
export function saveFormFields(store: SandboxStore, owner: FormOwner, given: unknown): void {
  const table = formFieldTable(store)
  for (const { name, value } of (given ?? []) as Body[]) {
    const own = table.find({ ...owner, name: String(name) })[0]
    if (own) table.update(own.id, { value })
    else table.insert({ ...owner, name, value })
  }
}

/** A form field value as an answer about customers has it. */
export function fieldsOfCustomer(row: Row): Body {
  return { name: row.name, value: row.value, customer_id: row.customer_id }
}

export function fieldsOfAddress(row: Row): Body {
  return { name: row.name, value: row.value, address_id: row.address_id }
}
