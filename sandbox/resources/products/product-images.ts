import { noContent, ok, refuse } from '../../http/answers.ts'
import { list } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { PRODUCT_PICTURES, pictureIn } from '../../images/uploads.ts'
import type { Row } from '../../store/store.ts'
import { imageTable, productTable } from '../../tables/product-tables.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { readFields } from '../../validation/field-rules.ts'
import {
  complaintsAboutImages,
  deleteImage,
  type GivenImage,
  IMAGE_FIELDS,
  imageAnswer,
  insertImage,
  updateImage,
} from './rows/image-rows.ts'
import { touchingProduct } from './rows/touch-product.ts'

const SCOPE = 'store_v2_products'
const IMAGES = '/v3/catalog/products/:productId/images'
const IMAGE = `${IMAGES}/:imageId`

/** A longer address is refused, not cut. Source: the published image POST. */
const LONGEST_URL = 255

function namedProduct(request: SandboxRequest): Row {
  return rowOr404(productTable(request.store), numberParam(request, 'productId'))
}

function namedImage(request: SandboxRequest): Row {
  const productId = namedProduct(request).id
  return rowOr404(imageTable(request.store), numberParam(request, 'imageId'), { product_id: productId })
}

function listImages(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const where = { product_id: namedProduct(request).id }
  // 204 if there are no images. Source: the published image list.
  if (imageTable(store).count(where) === 0) return noContent()
  return list({ query, table: imageTable(store), where, show: (image) => imageAnswer(store, image) })
}

async function create(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  namedProduct(request)
  const given = await imageOf(request, true)
  return store.transaction(() => ok(imageAnswer(store, insertImage(store, namedProduct(request).id, given))))
}

/** The checked picture of a request: the bytes from a form, or an address that can be downloaded. */
async function imageOf(request: SandboxRequest, isNew: boolean): Promise<GivenImage> {
  const body = objectBody(request.body)
  if (request.files.size > 0) {
    const fields = fieldsOfForm(body)
    refuseIfAny(readFields(IMAGE_FIELDS, fields).errors)
    return { ...fields, upload: pictureIn(request, PRODUCT_PICTURES) }
  }
  const { upload: _upload, ...fields } = body
  refuseIfAny(readFields(IMAGE_FIELDS, fields).errors)
  if (isNew || fields.image_url !== undefined) await refuseBadAddress(fields)
  // refuseBadAddress has checked that the address is a string.
  return fields as GivenImage
}

/** Converts the fields of a form, which are all strings. */
function fieldsOfForm({ is_thumbnail, sort_order, description }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...(is_thumbnail === undefined ? {} : { is_thumbnail: is_thumbnail === 'true' || is_thumbnail === '1' }),
    ...(sort_order === undefined ? {} : { sort_order: Number(sort_order) }),
    ...(description === undefined ? {} : { description }),
  }
}

/** Answers 422 if the address is missing or too long, and 400 if it does not return a picture. */
async function refuseBadAddress(body: Record<string, unknown>): Promise<void> {
  if (typeof body.image_url !== 'string' || body.image_url === '') {
    return refuseIfAny({ image_url: 'image_url must be present if uploading by url' })
  }
  if (body.image_url.length > LONGEST_URL) {
    return refuseIfAny({ image_url: `image_url must have at most ${LONGEST_URL} characters` })
  }
  const unreachable = Object.keys(await complaintsAboutImages([body])).length > 0
  if (unreachable)
    refuse(400, 'The resource could not be downloaded', { image_url: 'resource could not be downloaded' })
}

async function update(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  namedImage(request)
  const given = await imageOf(request, false)
  return store.transaction(() => ok(imageAnswer(store, updateImage(store, namedImage(request), given))))
}

function remove(request: SandboxRequest): SandboxAnswer {
  const image = namedImage(request)
  request.store.transaction(() => deleteImage(request.store, image))
  return noContent()
}

export const productImages: SandboxResource = {
  key: 'product-images',
  routes: touchingProduct([
    { method: 'GET', path: IMAGES, scope: SCOPE, latency: 'read', handle: listImages },
    { method: 'POST', path: IMAGES, scope: SCOPE, latency: 'heavy', form: 'also', handle: create },
    {
      method: 'GET',
      path: IMAGE,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(imageAnswer(request.store, namedImage(request))),
    },
    { method: 'PUT', path: IMAGE, scope: SCOPE, latency: 'write', form: 'also', handle: update },
    { method: 'DELETE', path: IMAGE, scope: SCOPE, latency: 'write', handle: remove },
  ]),
}
