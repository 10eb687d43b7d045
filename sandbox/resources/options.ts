import { noContent, ok, refuse } from '../answers.ts'
import { list } from '../listing.ts'
import { ATTRIBUTE_FIELDS } from '../products/attribute-fields.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404, rowsIn } from '../products/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../products/field-rules.ts'
import {
  CHOICE_TYPES,
  insertOption,
  optionAnswer,
  optionValueAnswer,
  refuseTakenDisplayName,
} from '../products/option-rows.ts'
import { deleteVariantsWith } from '../products/save-variant.ts'
import { groupBy, optionTable, optionValueTable, productTable } from '../products/tables.ts'
import { saveValue, saveValues, type ValueKind, valueById, valuesOf } from '../products/values.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row, SandboxStore } from '../store.ts'

const SCOPE = 'store_v2_products'
const OPTIONS = '/v3/catalog/products/:productId/options'
const OPTION = `${OPTIONS}/:optionId`
const VALUES = `${OPTION}/values`
const VALUE = `${VALUES}/:valueId`

const OPTION_FIELDS: FieldRules = { ...ATTRIBUTE_FIELDS, type: { kind: 'text', oneOf: CHOICE_TYPES } }

const optionValues: ValueKind = { table: optionValueTable, ownerField: 'option_id', more: () => ({}) }

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function namedOption(request: SandboxRequest): Row {
  return rowOr404(optionTable(request.store), numberParam(request, 'optionId'), {
    product_id: namedProduct(request).id,
  })
}

function namedValue(request: SandboxRequest): Row {
  return valueById(request.store, optionValues, namedOption(request), numberParam(request, 'valueId'))
}

function answer(store: SandboxStore, option: Row): Record<string, unknown> {
  return optionAnswer(option, valuesOf(store, optionValues, option))
}

function listOptions(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const productId = namedProduct(request).id
  const values = groupBy(optionValueTable(store).find({ product_id: productId }), 'option_id')
  return list({
    query,
    table: optionTable(store),
    where: { product_id: productId },
    show: (option) => optionAnswer(option, values.get(option.id) ?? []),
  })
}

/** Makes the option and its values; variants are not made, they have calls of their own. */
function createOption(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const product = namedProduct(request)
  const body = objectBody(request.body)
  const { values, errors } = readFields(OPTION_FIELDS, body)
  refuseIfAny({ ...complaintsAboutMissing(['display_name', 'type'], body), ...errors })
  if (rowsIn(body, 'option_values').length === 0)
    refuseIfAny({ option_values: 'option_values needs at least one value' })
  return store.transaction(() => {
    refuseTakenDisplayName(store, product.id, String(values.display_name))
    // The two fields that the table needs are there: complaintsAboutMissing and OPTION_FIELDS have seen to it.
    const fields = { ...values, config: body.config } as Parameters<typeof insertOption>[2]
    const option = insertOption(store, product.id, fields, Date.now())
    saveValues(store, optionValues, option, body)
    return ok(answer(store, option))
  })
}

function updateOption(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const option = namedOption(request)
  const body = objectBody(request.body)
  const { values, errors } = readFields(OPTION_FIELDS, body)
  refuseIfAny(errors)
  return store.transaction(() => {
    if (values.display_name)
      refuseTakenDisplayName(store, Number(option.product_id), String(values.display_name), option)
    saveValues(store, optionValues, option, body)
    const config = body.config === undefined ? {} : { config: body.config }
    return ok(answer(store, optionTable(store).update(option.id, { ...values, ...config })))
  })
}

function deleteOption(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const option = namedOption(request)
  return store.transaction(() => {
    for (const value of valuesOf(store, optionValues, option)) optionValueTable(store).delete(value.id)
    optionTable(store).delete(option.id)
    deleteVariantsWith(store, namedProduct(request), (choice) => choice.option_id === option.id)
    return noContent()
  })
}

function listValues(request: SandboxRequest): SandboxAnswer {
  const where = { option_id: namedOption(request).id }
  return list({ query: request.query, table: optionValueTable(request.store), where, show: optionValueAnswer })
}

function createValue(request: SandboxRequest): SandboxAnswer {
  const body = objectBody(request.body)
  if (body.id !== undefined) refuse(422, 'id is read-only', { id: 'id is read-only' })
  const option = namedOption(request)
  return ok(optionValueAnswer(request.store.transaction(() => saveValue(request.store, optionValues, option, body))))
}

function updateValue(request: SandboxRequest): SandboxAnswer {
  const body = objectBody(request.body)
  const value = namedValue(request)
  const option = namedOption(request)
  return ok(
    optionValueAnswer(request.store.transaction(() => saveValue(request.store, optionValues, option, body, value))),
  )
}

function deleteValue(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const value = namedValue(request)
  return store.transaction(() => {
    optionValueTable(store).delete(value.id)
    deleteVariantsWith(store, namedProduct(request), (choice) => choice.id === value.id)
    return noContent()
  })
}

export const options: SandboxResource = {
  key: 'options',
  routes: [
    { method: 'GET', path: OPTIONS, scope: SCOPE, latency: 'read', handle: listOptions },
    { method: 'POST', path: OPTIONS, scope: SCOPE, latency: 'write', handle: createOption },
    {
      method: 'GET',
      path: OPTION,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(answer(request.store, namedOption(request))),
    },
    { method: 'PUT', path: OPTION, scope: SCOPE, latency: 'write', handle: updateOption },
    { method: 'DELETE', path: OPTION, scope: SCOPE, latency: 'write', handle: deleteOption },
    { method: 'GET', path: VALUES, scope: SCOPE, latency: 'read', handle: listValues },
    { method: 'POST', path: VALUES, scope: SCOPE, latency: 'write', handle: createValue },
    {
      method: 'GET',
      path: VALUE,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(optionValueAnswer(namedValue(request))),
    },
    { method: 'PUT', path: VALUE, scope: SCOPE, latency: 'write', handle: updateValue },
    { method: 'DELETE', path: VALUE, scope: SCOPE, latency: 'write', handle: deleteValue },
  ],
}
