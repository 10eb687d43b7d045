import { noContent, ok } from '../../http/answers.ts'
import { list } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxRoute } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { productTable } from '../../tables/product-tables.ts'
import { groupBy } from '../../tables/rows.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { refuseTakenDisplayName } from './rows/option-rows.ts'
import { touchingProduct } from './rows/touch-product.ts'
import { saveValue, saveValues, type ValueKind, valueById, valuesOf } from './rows/values.ts'

type Body = Record<string, unknown>

/** Options or modifiers of a product. Both have a name, a type, an order, and values with calls of their own. */
export interface AttributeKind {
  /** Last segment of the path, such as `options`. */
  folder: string
  /** Name of the path parameter. */
  parameter: string
  table(store: SandboxStore): Table
  fields: FieldRules
  values: ValueKind
  shown(row: Row, values: Row[]): Body
  valueShown(value: Row): Body
  /** Checks a new row and inserts it without its values. Called in a transaction; refuses by throwing. */
  insert(store: SandboxStore, product: Row, body: Body): Row
  /** Refuses an update that options or modifiers in particular do not allow. */
  checkUpdate?(attribute: Row, body: Body): void
  /** Refuses a value that is created by a call of its own. */
  checkNewValue(attribute: Row, body: Body): void
  afterDelete?(store: SandboxStore, product: Row, attribute: Row): void
  afterValueDelete?(store: SandboxStore, product: Row, value: Row): void
}

const SCOPE = 'store_v2_products'

export function attributeRoutes(kind: AttributeKind): SandboxRoute[] {
  const all = `/v3/catalog/products/:productId/${kind.folder}`
  const one = `${all}/:${kind.parameter}`
  const [values, value] = [`${one}/values`, `${one}/values/:valueId`]
  const read = { scope: SCOPE, latency: 'read' } as const
  const write = { scope: SCOPE, latency: 'write' } as const
  return touchingProduct([
    { method: 'GET', path: all, ...read, handle: (request) => listAll(kind, request) },
    { method: 'POST', path: all, ...write, handle: (request) => create(kind, request) },
    {
      method: 'GET',
      path: one,
      ...read,
      handle: (request) => answerOf(kind, request.store, namedAttribute(kind, request)),
    },
    { method: 'PUT', path: one, ...write, handle: (request) => update(kind, request) },
    { method: 'DELETE', path: one, ...write, handle: (request) => remove(kind, request) },
    { method: 'GET', path: values, ...read, handle: (request) => listValues(kind, request) },
    { method: 'POST', path: values, ...write, handle: (request) => createValue(kind, request) },
    { method: 'GET', path: value, ...read, handle: (request) => ok(kind.valueShown(namedValue(kind, request))) },
    { method: 'PUT', path: value, ...write, handle: (request) => updateValue(kind, request) },
    { method: 'DELETE', path: value, ...write, handle: (request) => removeValue(kind, request) },
  ])
}

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

/** The option or modifier named by the path. */
function namedAttribute(kind: AttributeKind, request: SandboxRequest): Row {
  const product_id = namedProduct(request).id
  return rowOr404(kind.table(request.store), numberParam(request, kind.parameter), { product_id })
}

export function namedValue(kind: AttributeKind, request: SandboxRequest): Row {
  return valueById(request.store, kind.values, namedAttribute(kind, request), numberParam(request, 'valueId'))
}

function answerOf(kind: AttributeKind, store: SandboxStore, attribute: Row): SandboxAnswer {
  return ok(kind.shown(attribute, valuesOf(store, kind.values, attribute)))
}

function listAll(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const where = { product_id: namedProduct(request).id }
  const values = groupBy(kind.values.table(store).find(where), kind.values.ownerField)
  return list({ query, table: kind.table(store), where, show: (row) => kind.shown(row, values.get(row.id) ?? []) })
}

function create(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const product = namedProduct(request)
  const body = objectBody(request.body)
  return store.transaction(() => {
    const attribute = kind.insert(store, product, body)
    saveValues(store, kind.values, attribute, body)
    return answerOf(kind, store, attribute)
  })
}

function update(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const attribute = namedAttribute(kind, request)
  const body = objectBody(request.body)
  const { values, errors } = readFields(kind.fields, body)
  refuseIfAny(errors)
  kind.checkUpdate?.(attribute, body)
  return store.transaction(() => {
    if (values.display_name)
      refuseTakenDisplayName(store, Number(attribute.product_id), String(values.display_name), attribute)
    saveValues(store, kind.values, { ...attribute, ...values }, body)
    const config = body.config === undefined ? {} : { config: body.config }
    return answerOf(kind, store, kind.table(store).update(attribute.id, { ...values, ...config }))
  })
}

function remove(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const attribute = namedAttribute(kind, request)
  return store.transaction(() => {
    for (const value of valuesOf(store, kind.values, attribute)) kind.values.table(store).delete(value.id)
    kind.table(store).delete(attribute.id)
    kind.afterDelete?.(store, namedProduct(request), attribute)
    return noContent()
  })
}

function listValues(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const where = { [kind.values.ownerField]: namedAttribute(kind, request).id }
  return list({ query, table: kind.values.table(store), where, show: kind.valueShown })
}

function createValue(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const attribute = namedAttribute(kind, request)
  const body = objectBody(request.body)
  kind.checkNewValue(attribute, body)
  return ok(kind.valueShown(store.transaction(() => saveValue(store, kind.values, attribute, body))))
}

function updateValue(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const [attribute, value] = [namedAttribute(kind, request), namedValue(kind, request)]
  const body = objectBody(request.body)
  return ok(kind.valueShown(store.transaction(() => saveValue(store, kind.values, attribute, body, value))))
}

function removeValue(kind: AttributeKind, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const value = namedValue(kind, request)
  return store.transaction(() => {
    kind.values.table(store).delete(value.id)
    kind.afterValueDelete?.(store, namedProduct(request), value)
    return noContent()
  })
}
