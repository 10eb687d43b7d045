import type { Row, SandboxStore } from '../../../store/store.ts'
import { customFieldTable } from '../../../tables/product-tables.ts'
import { refuseIfAny } from '../../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../../validation/field-rules.ts'
import { CUSTOM_FIELDS_PER_PRODUCT } from '../../../validation/product-fields.ts'

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 250 },
  value: { kind: 'text', min: 1, max: 250 },
}

/** Errors in the custom fields of a new product. A pair of name and value must not occur twice. */
export function complaintsAboutCustomFields(given: Record<string, unknown>[]): Record<string, string> {
  const errors: Record<string, string> = {}
  if (given.length > CUSTOM_FIELDS_PER_PRODUCT) {
    errors.custom_fields = `A product can have at most ${CUSTOM_FIELDS_PER_PRODUCT} custom fields`
  }
  const pairs = new Set<string>()
  for (const [index, field] of given.entries()) {
    const complaint = complaintAboutCustomField(field) ?? (pairs.has(pairOf(field)) ? 'is a duplicate' : undefined)
    if (complaint) errors[`custom_fields.${index}`] = `custom field ${String(field.name)} ${complaint}`
    pairs.add(pairOf(field))
  }
  return errors
}

function complaintAboutCustomField(field: Record<string, unknown>): string | undefined {
  const { values, errors } = readFields(RULES, field)
  const complaint = Object.values(errors)[0]
  if (complaint) return `is not valid: ${complaint}`
  return values.name === undefined || values.value === undefined ? 'needs a name and a value' : undefined
}

function pairOf(field: Record<string, unknown>): string {
  return JSON.stringify([field.name, field.value])
}

/** Adds a custom field, or updates `own`. Used by the product PUT and by the single calls. */
export function saveCustomField(
  store: SandboxStore,
  productId: number,
  field: Record<string, unknown>,
  own?: Row,
): Row {
  const table = customFieldTable(store)
  const requested = { name: own?.name, value: own?.value, ...readFields(RULES, field).values }
  const others = table.find({ product_id: productId }).filter((row) => row.id !== own?.id)
  const complaint = complaintAboutCustomField({ ...requested, ...field })
  if (complaint) refuseIfAny({ custom_fields: `custom field ${String(field.name)} ${complaint}` })
  if (others.some((row) => pairOf(row) === pairOf(requested)))
    refuseIfAny({ custom_fields: 'custom field is a duplicate' })
  if (!own && others.length >= CUSTOM_FIELDS_PER_PRODUCT) {
    refuseIfAny({ custom_fields: `A product can have at most ${CUSTOM_FIELDS_PER_PRODUCT} custom fields` })
  }
  return own ? table.update(own.id, requested) : table.insert({ product_id: productId, ...requested })
}
