import { refuse } from '../../../http/answers.ts'
import type { Row, SandboxStore, Table } from '../../../store/store.ts'
import { refuseIfAny, rowOr404, rowsIn } from '../../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../../validation/field-rules.ts'
import { VALUES_PER_OPTION } from '../../../validation/product-fields.ts'
import { sameText } from './option-rows.ts'

type Body = Record<string, unknown>

const VALUE_FIELDS: FieldRules = {
  label: { kind: 'text', min: 1, max: 255 },
  sort_order: { kind: 'integer', min: -2_147_483_648, max: 2_147_483_647 },
  is_default: { kind: 'boolean' },
}

/** The values of options or of modifiers. Both behave alike, except that those of modifiers have adjusters. */
export interface ValueKind {
  table(store: SandboxStore): Table
  /** The field with the option or modifier that a value belongs to. */
  ownerField: 'option_id' | 'modifier_id'
  /** Further fields besides label, order, data and default, from a body and the current row. */
  more(body: Body, row: Row | undefined): Body
}

/**
 * Saves the `option_values` of a PUT: those with an id are updated, those without one are ADDED to the existing values.
 */
export function saveValues(store: SandboxStore, kind: ValueKind, owner: Row, body: Body): void {
  for (const value of rowsIn(body, 'option_values')) {
    const own = value.id === undefined ? undefined : valueById(store, kind, owner, Number(value.id))
    saveValue(store, kind, owner, value, own)
  }
}

export function valueById(store: SandboxStore, kind: ValueKind, owner: Row, id: number): Row {
  return rowOr404(kind.table(store), id, { [kind.ownerField]: owner.id })
}

export function valuesOf(store: SandboxStore, kind: ValueKind, owner: Row): Row[] {
  return kind.table(store).find({ [kind.ownerField]: owner.id })
}

export function saveValue(store: SandboxStore, kind: ValueKind, owner: Row, body: Body, own?: Row): Row {
  const { values, errors } = readFields(VALUE_FIELDS, body)
  refuseIfAny(errors)
  const others = valuesOf(store, kind, owner).filter((row) => row.id !== own?.id)
  const label = values.label ?? own?.label
  if (label === undefined) refuseIfAny({ label: 'label is required' })
  if (others.some((row) => sameText(row.label, label)))
    refuseIfAny({ label: `the label ${String(label)} is a duplicate` })
  refuseIfAny(complaintAboutProduct(owner, body, own))
  if (!own && others.length >= VALUES_PER_OPTION) {
    refuse(422, `An option can have at most ${VALUES_PER_OPTION} values`, { option_values: 'too many values' })
  }
  if (values.is_default)
    for (const other of others) if (other.is_default) kind.table(store).update(other.id, { is_default: false })
  const fields = {
    ...values,
    ...(body.value_data === undefined ? {} : { value_data: body.value_data }),
    ...kind.more(body, own),
  }
  if (own) return kind.table(store).update(own.id, fields)
  const fresh = { label, sort_order: others.length, value_data: null, is_default: false }
  return kind.table(store).insert({ [kind.ownerField]: owner.id, product_id: owner.product_id, ...fresh, ...fields })
}

/** The value of a product list needs its product. Source: `value_data` of the published options and modifiers. */
function complaintAboutProduct({ type }: Row, { value_data }: Body, own?: Row): Record<string, string> {
  if (!String(type).startsWith('product_list') || (own && value_data === undefined)) return {}
  const { product_id } = (value_data ?? {}) as Body
  return Number.isInteger(product_id) ? {} : { value_data: 'value_data of a product list needs a product_id' }
}
