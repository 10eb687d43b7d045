import { noContent, ok } from '../answers.ts'
import { list } from '../listing.ts'
import { ATTRIBUTE_FIELDS } from '../products/attribute-fields.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404, rowsIn } from '../products/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../products/field-rules.ts'
import {
  failOnBadDates,
  insertCheckboxValues,
  MODIFIER_TYPES,
  modifierValues,
  refuseValuesFor,
} from '../products/modifier-rules.ts'
import { internalName, modifierAnswer, modifierValueAnswer, refuseTakenDisplayName } from '../products/option-rows.ts'
import { groupBy, modifierTable, modifierValueTable, productTable } from '../products/tables.ts'
import { saveValue, saveValues, valueById, valuesOf } from '../products/values.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row, SandboxStore } from '../store.ts'

const SCOPE = 'store_v2_products'
const MODIFIERS = '/v3/catalog/products/:productId/modifiers'
const MODIFIER = `${MODIFIERS}/:modifierId`
const VALUES = `${MODIFIER}/values`
const VALUE = `${VALUES}/:valueId`

const MODIFIER_FIELDS: FieldRules = {
  ...ATTRIBUTE_FIELDS,
  type: { kind: 'text', oneOf: MODIFIER_TYPES },
  required: { kind: 'boolean' },
}

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function namedModifier(request: SandboxRequest): Row {
  const productId = namedProduct(request).id
  return rowOr404(modifierTable(request.store), numberParam(request, 'modifierId'), { product_id: productId })
}

function namedValue(request: SandboxRequest): Row {
  return valueById(request.store, modifierValues, namedModifier(request), numberParam(request, 'valueId'))
}

function answer(store: SandboxStore, modifier: Row): Record<string, unknown> {
  return modifierAnswer(modifier, valuesOf(store, modifierValues, modifier))
}

function listModifiers(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const productId = namedProduct(request).id
  const values = groupBy(modifierValueTable(store).find({ product_id: productId }), 'modifier_id')
  return list({
    query,
    table: modifierTable(store),
    where: { product_id: productId },
    show: (modifier) => modifierAnswer(modifier, values.get(modifier.id) ?? []),
  })
}

function createModifier(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const product = namedProduct(request)
  const body = objectBody(request.body)
  const { values, errors } = readFields(MODIFIER_FIELDS, body)
  refuseIfAny({ ...complaintsAboutMissing(['display_name', 'type', 'required'], body), ...errors })
  refuseValuesFor(String(values.type), rowsIn(body, 'option_values'))
  failOnBadDates(values.type, body.config)
  return store.transaction(() => {
    refuseTakenDisplayName(store, product.id, String(values.display_name))
    const modifier = modifierTable(store).insert({
      product_id: product.id,
      name: internalName(String(values.display_name), product.id, Date.now()),
      sort_order: 0,
      ...values,
      config: body.config ?? [],
    })
    if (modifier.type === 'checkbox') insertCheckboxValues(store, modifier)
    saveValues(store, modifierValues, modifier, body)
    return ok(answer(store, modifier))
  })
}

/** Values without an id are added, except to a checkbox: that keeps its two. */
function updateModifier(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const modifier = namedModifier(request)
  const body = objectBody(request.body)
  const { values, errors } = readFields(MODIFIER_FIELDS, body)
  refuseIfAny(errors)
  refuseValuesFor(
    String(modifier.type),
    rowsIn(body, 'option_values').filter((value) => value.id === undefined),
  )
  failOnBadDates(modifier.type, body.config)
  return store.transaction(() => {
    if (values.display_name) {
      refuseTakenDisplayName(store, Number(modifier.product_id), String(values.display_name), modifier)
    }
    saveValues(store, modifierValues, modifier, body)
    const config = body.config === undefined ? {} : { config: body.config }
    return ok(answer(store, modifierTable(store).update(modifier.id, { ...values, ...config })))
  })
}

function deleteModifier(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const modifier = namedModifier(request)
  return store.transaction(() => {
    for (const value of valuesOf(store, modifierValues, modifier)) modifierValueTable(store).delete(value.id)
    modifierTable(store).delete(modifier.id)
    return noContent()
  })
}

function listValues(request: SandboxRequest): SandboxAnswer {
  const where = { modifier_id: namedModifier(request).id }
  return list({ query: request.query, table: modifierValueTable(request.store), where, show: modifierValueAnswer })
}

function createValue(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const modifier = namedModifier(request)
  const body = objectBody(request.body)
  refuseValuesFor(String(modifier.type), [body])
  return ok(modifierValueAnswer(store.transaction(() => saveValue(store, modifierValues, modifier, body))))
}

function updateValue(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const modifier = namedModifier(request)
  const value = namedValue(request)
  const body = objectBody(request.body)
  return ok(modifierValueAnswer(store.transaction(() => saveValue(store, modifierValues, modifier, body, value))))
}

function deleteValue(request: SandboxRequest): SandboxAnswer {
  modifierValueTable(request.store).delete(namedValue(request).id)
  return noContent()
}

export const modifiers: SandboxResource = {
  key: 'modifiers',
  routes: [
    { method: 'GET', path: MODIFIERS, scope: SCOPE, latency: 'read', handle: listModifiers },
    { method: 'POST', path: MODIFIERS, scope: SCOPE, latency: 'write', handle: createModifier },
    {
      method: 'GET',
      path: MODIFIER,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(answer(request.store, namedModifier(request))),
    },
    { method: 'PUT', path: MODIFIER, scope: SCOPE, latency: 'write', handle: updateModifier },
    { method: 'DELETE', path: MODIFIER, scope: SCOPE, latency: 'write', handle: deleteModifier },
    { method: 'GET', path: VALUES, scope: SCOPE, latency: 'read', handle: listValues },
    { method: 'POST', path: VALUES, scope: SCOPE, latency: 'write', handle: createValue },
    {
      method: 'GET',
      path: VALUE,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(modifierValueAnswer(namedValue(request))),
    },
    { method: 'PUT', path: VALUE, scope: SCOPE, latency: 'write', handle: updateValue },
    { method: 'DELETE', path: VALUE, scope: SCOPE, latency: 'write', handle: deleteValue },
  ],
}
