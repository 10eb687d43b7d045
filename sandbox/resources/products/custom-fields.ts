import { noContent, ok } from '../../http/answers.ts'
import { list } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { customFieldTable, productTable } from '../../tables/product-tables.ts'
import { numberParam, objectBody, rowOr404 } from '../../validation/body-checks.ts'
import { saveCustomField } from './rows/custom-field-rows.ts'
import { touchingProduct } from './rows/touch-product.ts'

const SCOPE = 'store_v2_products'
const CUSTOM_FIELDS = '/v3/catalog/products/:productId/custom-fields'
const CUSTOM_FIELD = `${CUSTOM_FIELDS}/:customFieldId`

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function namedField(request: SandboxRequest): Row {
  const productId = namedProduct(request).id
  return rowOr404(customFieldTable(request.store), numberParam(request, 'customFieldId'), { product_id: productId })
}

function shown({ id, name, value }: Row): Record<string, unknown> {
  return { id, name, value }
}

function listFields(request: SandboxRequest): SandboxAnswer {
  const where = { product_id: namedProduct(request).id }
  return list({ query: request.query, table: customFieldTable(request.store), where, show: shown })
}

function save(request: SandboxRequest, own?: Row): SandboxAnswer {
  const { store } = request
  const product = namedProduct(request)
  const body = objectBody(request.body)
  return ok(shown(store.transaction(() => saveCustomField(store, product.id, body, own))))
}

export const customFields: SandboxResource = {
  key: 'custom-fields',
  routes: touchingProduct([
    { method: 'GET', path: CUSTOM_FIELDS, scope: SCOPE, latency: 'read', handle: listFields },
    { method: 'POST', path: CUSTOM_FIELDS, scope: SCOPE, latency: 'write', handle: (request) => save(request) },
    {
      method: 'GET',
      path: CUSTOM_FIELD,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(shown(namedField(request))),
    },
    {
      method: 'PUT',
      path: CUSTOM_FIELD,
      scope: SCOPE,
      latency: 'write',
      handle: (request) => save(request, namedField(request)),
    },
    {
      method: 'DELETE',
      path: CUSTOM_FIELD,
      scope: SCOPE,
      latency: 'write',
      handle: (request) => {
        customFieldTable(request.store).delete(namedField(request).id)
        return noContent()
      },
    },
  ]),
}
