import { noContent, ok, refuse } from '../answers.ts'
import { list } from '../listing.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404 } from '../products/body-checks.ts'
import { readFields } from '../products/field-rules.ts'
import {
  complaintsAboutImages,
  deleteImage,
  type GivenImage,
  IMAGE_FIELDS,
  imageAnswer,
  insertImage,
  updateImage,
} from '../products/image-rows.ts'
import { IMAGES_PER_PRODUCT } from '../products/product-fields.ts'
import { imageTable, productTable } from '../products/tables.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import type { Row } from '../store.ts'

const SCOPE = 'store_v2_products'
const IMAGES = '/v3/catalog/products/:productId/images'
const IMAGE = `${IMAGES}/:imageId`

/** The platform cuts nothing here: a longer address is refused. Source: the published image POST. */
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
  return list({ query, table: imageTable(store), where, show: (image) => imageAnswer(store, image) })
}

async function create(request: SandboxRequest): Promise<SandboxAnswer> {
  const { store } = request
  const product = namedProduct(request)
  const body = objectBody(request.body)
  await refuseBadImage(body)
  return store.transaction(() => {
    if (imageTable(store).count({ product_id: product.id }) >= IMAGES_PER_PRODUCT) {
      refuseIfAny({ images: `A product can have at most ${IMAGES_PER_PRODUCT} images` })
    }
    // refuseBadImage has fetched its address.
    return ok(imageAnswer(store, insertImage(store, namedProduct(request).id, body as GivenImage)))
  })
}

/** 422 for what is missing or too long, 400 for an address that does not answer with a picture. */
async function refuseBadImage(body: Record<string, unknown>): Promise<void> {
  refuseIfAny(readFields(IMAGE_FIELDS, body).errors)
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

function update(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const image = namedImage(request)
  const body = objectBody(request.body)
  return ok(
    imageAnswer(
      store,
      store.transaction(() => updateImage(store, image, body)),
    ),
  )
}

function remove(request: SandboxRequest): SandboxAnswer {
  const image = namedImage(request)
  request.store.transaction(() => deleteImage(request.store, image))
  return noContent()
}

export const productImages: SandboxResource = {
  key: 'product-images',
  routes: [
    { method: 'GET', path: IMAGES, scope: SCOPE, latency: 'read', handle: listImages },
    { method: 'POST', path: IMAGES, scope: SCOPE, latency: 'heavy', handle: create },
    {
      method: 'GET',
      path: IMAGE,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(imageAnswer(request.store, namedImage(request))),
    },
    { method: 'PUT', path: IMAGE, scope: SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: IMAGE, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
