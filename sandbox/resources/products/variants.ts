import { errorBody, noContent, ok, Refusal, refuse } from '../../http/answers.ts'
import { idBounds, numbersIn, pageOf, paginationMeta, selectFields } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { keepPicture, PRODUCT_PICTURES, pictureIn } from '../../images/uploads.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { deleteVariant, productTable, variantTable } from '../../tables/product-tables.ts'
import {
  listBody,
  numberParam,
  objectBody,
  refuseIfAny,
  refuseLongFilters,
  refuseOversize,
  rowOr404,
} from '../../validation/body-checks.ts'
import { complaintsAboutMissing } from '../../validation/field-rules.ts'
import { savedAnswer } from './rows/save-product.ts'
import { createVariant, keepOneVariant, updateVariant } from './rows/save-variant.ts'
import { touchingProduct } from './rows/touch-product.ts'
import { complaintsAboutVariantImages, variantAnswers } from './rows/variant-rows.ts'
import { savableVariantStock } from './rows/variant-stock.ts'

const SCOPE = 'store_v2_products'
const ALL = '/v3/catalog/variants'
const VARIANTS = '/v3/catalog/products/:productId/variants'
const VARIANT = `${VARIANTS}/:variantId`
const LARGEST_BATCH = 50

type Where = NonNullable<Parameters<ReturnType<typeof variantTable>['count']>[0]>

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function namedVariant(request: SandboxRequest): Row {
  const productId = namedProduct(request).id
  return rowOr404(variantTable(request.store), numberParam(request, 'variantId'), { product_id: productId })
}

function page(request: SandboxRequest, where: Where): SandboxAnswer {
  const { store, query } = request
  refuseLongFilters(request)
  const at = pageOf(query)
  const { where: idWhere, ...bounds } = idBounds(query)
  const { rows, total } = variantTable(store).page({ where: { ...where, ...idWhere }, ...bounds, ...at })
  const data = variantAnswers(store, rows).map((answer) => selectFields(answer, query))
  return { status: 200, body: { data, meta: paginationMeta(query, at, data.length, total) } }
}

function listAll(request: SandboxRequest): SandboxAnswer {
  const { query } = request
  const productIds = numbersIn(query, 'product_id:in') ?? numbersIn(query, 'product_id')
  const [sku, upc] = [query.get('sku'), query.get('upc')]
  return page(request, {
    ...(productIds ? { product_id: productIds } : {}),
    ...(sku === null ? {} : { sku_key: sku }),
    ...(upc === null ? {} : { upc }),
  })
}

function answer(store: SandboxStore, variant: Row): Record<string, unknown> {
  // The product exists, because the variant was found through it or has just been written.
  return variantAnswers(store, [variant])[0] as Record<string, unknown>
}

async function create(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  const { id } = namedProduct(request)
  const { body, unsaved } = savableVariantStock(store, id, objectBody(request.body))
  refuseIfAny({ ...complaintsAboutMissing(['sku'], body), ...(await complaintsAboutVariantImages([body])) })
  const variant = store.transaction(() => createVariant(store, namedProduct(request), body))
  return savedAnswer(answer(store, variant), unsaved)
}

async function update(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  const { id, product_id } = namedVariant(request)
  const { body, unsaved } = savableVariantStock(store, Number(product_id), objectBody(request.body), id)
  refuseIfAny(await complaintsAboutVariantImages([body]))
  const variant = store.transaction(() => updateVariant(store, namedVariant(request), body))
  return savedAnswer(answer(store, variant), unsaved)
}

function remove(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const variant = namedVariant(request)
  return store.transaction(() => {
    deleteVariant(store, variant.id)
    keepOneVariant(store, namedProduct(request))
    return noContent()
  })
}

/**
 * Updates rows with an id, and creates those without. One invalid row fails the batch (our choice: the documentation
 * does not say). With the switch `variant_batch: 'partial'`, the valid rows are saved instead.
 */
function saveBatch({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  refuseOversize(rows, LARGEST_BATCH)
  return store.transaction(() => {
    const outcomes = rows.map((row) => outcomeOf(store, row))
    const errors = outcomes.flatMap((outcome) => (outcome instanceof Refusal ? [outcome.answer.body] : []))
    if (errors.length === 0) return ok(variantAnswers(store, outcomes.filter(isRow)))
    const refusal = new Refusal({ status: 422, body: { batch_errors: errors } })
    if (store.switches.variant_batch !== 'partial') throw refusal
    return refusal.answer
  })
}

function isRow(outcome: Row | Refusal): outcome is Row {
  return !(outcome instanceof Refusal)
}

function outcomeOf(store: SandboxStore, row: Record<string, unknown>): Row | Refusal {
  try {
    return store.transaction(() => saveRow(store, row))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function saveRow(store: SandboxStore, row: Record<string, unknown>): Row {
  if (row.id !== undefined) {
    const variant = variantTable(store).get(Number(row.id))
    return variant ? updateVariant(store, variant, row) : refuseRow('id', `There is no variant ${String(row.id)}`)
  }
  const product = productTable(store).get(Number(row.product_id))
  if (!product) return refuseRow('product_id', `There is no product ${String(row.product_id)}`)
  if (!row.sku) return refuseRow('sku', 'sku is required')
  return createVariant(store, product, row)
}

function refuseRow(field: string, message: string): never {
  throw new Refusal({ status: 422, body: { ...errorBody(422, message, { [field]: message }), instance: '' } })
}

/** Sets the picture from a form or an address. Source: the published variant image POST. */
async function setImage(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store, files } = request
  namedVariant(request)
  if (files.size > 0) return ok({ image_url: takeUpload(request) })
  const { image_url } = objectBody(request.body)
  if (!image_url) refuse(422, 'image_url must be present if uploading by url', { image_url: 'image_url is required' })
  const unreachable = Object.keys(await complaintsAboutVariantImages([{ image_url }])).length > 0
  if (unreachable)
    refuse(400, 'The resource could not be downloaded', { image_url: 'resource could not be downloaded' })
  const variant = store.transaction(() => updateVariant(store, namedVariant(request), { image_url }))
  return ok({ image_url: answer(store, variant).image_url })
}

/** Source: the 500 of the published variant image POST. A picture from an address may have 8 MB. */
const LARGEST_UPLOAD_BYTES = 1024 * 1024

function takeUpload(request: SandboxRequest): unknown {
  const { store, files } = request
  const isTooLarge = [...files.values()].some((file) => file.bytes.length > LARGEST_UPLOAD_BYTES)
  if (isTooLarge) refuse(500, 'Internal Server Error', { image_file: 'image_file is larger than 1 MB' })
  const picture = pictureIn(request, PRODUCT_PICTURES)
  return store.transaction(() => {
    const { id } = namedVariant(request)
    const row = variantTable(store).update(id, { image_url: keepPicture(store, picture, `variant ${id}`) })
    return answer(store, row).image_url
  })
}

export const variants: SandboxResource = {
  key: 'variants',
  routes: touchingProduct([
    { method: 'GET', path: ALL, scope: SCOPE, latency: 'read', handle: listAll },
    { method: 'PUT', path: ALL, scope: SCOPE, latency: 'heavy', handle: saveBatch },
    {
      method: 'GET',
      path: VARIANTS,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => page(request, { product_id: namedProduct(request).id }),
    },
    { method: 'POST', path: VARIANTS, scope: SCOPE, latency: 'write', handle: create },
    {
      method: 'GET',
      path: VARIANT,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(selectFields(answer(request.store, namedVariant(request)), request.query)),
    },
    { method: 'PUT', path: VARIANT, scope: SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: VARIANT, scope: SCOPE, latency: 'write', handle: remove },
    { method: 'POST', path: `${VARIANT}/image`, scope: SCOPE, latency: 'write', form: 'also', handle: setImage },
  ]),
}
