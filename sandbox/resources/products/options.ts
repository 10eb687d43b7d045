import { refuse } from '../../http/answers.ts'
import type { SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { optionTable, optionValueTable } from '../../tables/product-tables.ts'
import { refuseIfAny, rowsIn } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { ATTRIBUTE_FIELDS } from './attribute-fields.ts'
import { attributeRoutes } from './attribute-routes.ts'
import {
  CHOICE_TYPES,
  insertOption,
  optionAnswer,
  optionValueAnswer,
  refuseTakenDisplayName,
} from './rows/option-rows.ts'
import { deleteVariantsWith } from './rows/save-variant.ts'

const FIELDS: FieldRules = { ...ATTRIBUTE_FIELDS, type: { kind: 'text', oneOf: CHOICE_TYPES } }

/** Inserts an option without variants, which have calls of their own. */
function insert(store: SandboxStore, product: Row, body: Record<string, unknown>): Row {
  const { values, errors } = readFields(FIELDS, body)
  refuseIfAny({ ...complaintsAboutMissing(['display_name', 'type'], body), ...errors })
  if (rowsIn(body, 'option_values').length === 0)
    refuseIfAny({ option_values: 'option_values needs at least one value' })
  refuseOptionSet(product)
  refuseTakenDisplayName(store, product.id, String(values.display_name))
  // complaintsAboutMissing and FIELDS have already checked the two fields that the table requires.
  const fields = { ...values, config: body.config } as Parameters<typeof insertOption>[2]
  return insertOption(store, product.id, fields, Date.now())
}

/** Some old products share an option set, which they keep. Source: the platform's guide to the older catalogue. */
function refuseOptionSet(product: Row): void {
  if (product.option_set_id) refuseIfAny({ option_set_id: 'The options of the product come from an option set' })
}

function refuseOwnId(_option: Row, body: Record<string, unknown>): void {
  if (body.id !== undefined) refuse(422, 'id is read-only', { id: 'id is read-only' })
}

export const options: SandboxResource = {
  key: 'options',
  routes: attributeRoutes({
    folder: 'options',
    parameter: 'optionId',
    table: optionTable,
    fields: FIELDS,
    values: { table: optionValueTable, ownerField: 'option_id', more: () => ({}) },
    shown: optionAnswer,
    valueShown: optionValueAnswer,
    insert,
    checkNewValue: refuseOwnId,
    afterDelete: (store, product, option) =>
      deleteVariantsWith(store, product, (choice) => choice.option_id === option.id),
    afterValueDelete: (store, product, value) => deleteVariantsWith(store, product, (choice) => choice.id === value.id),
  }),
}
