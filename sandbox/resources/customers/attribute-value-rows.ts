import type { Row, SandboxStore } from '../../store/store.ts'
import { attributeTable, attributeValueTable, customerTime } from '../../tables/customer-tables.ts'

/**
 * A value is always a string; its format depends on the type of its attribute. Source: the published customers
 * specification.
 */
export function complaintsAboutValue(store: SandboxStore, attributeId: unknown, value: unknown): string[] {
  const attribute = Number.isInteger(attributeId) ? attributeTable(store).get(Number(attributeId)) : undefined
  if (!attribute) return [`attribute_id ${String(attributeId)} does not exist`]
  if (typeof value !== 'string') return ['the value of an attribute must be a string']
  if (value.length > 255) return ['the value of an attribute must have at most 255 characters']
  return isOfType(attribute.type, value) ? [] : [`the value of an attribute of the type ${attribute.type} is not one`]
}

/**
 * Our choice, because it is not documented how strictly the platform checks. An empty string means no value, and is
 * valid.
 */
function isOfType(type: unknown, value: string): boolean {
  if (value === '') return true
  if (type === 'number') return Number.isFinite(Number(value))
  return type !== 'date' || !Number.isNaN(Date.parse(value))
}

export function saveAttributeValue(store: SandboxStore, customer_id: number, attribute_id: number, value: string): Row {
  const table = attributeValueTable(store)
  const own = table.find({ customer_id, attribute_id })[0]
  const fields = { attribute_value: value, date_modified: customerTime() }
  if (own) return table.update(own.id, fields)
  return table.insert({ customer_id, attribute_id, date_created: customerTime(), ...fields })
}
