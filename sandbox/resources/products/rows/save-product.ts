import { errorBody, ok, refuse } from '../../../http/answers.ts'
import type { SandboxAnswer } from '../../../http/resource.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { claimUrl, freeUrl, releaseUrl } from '../../../store/urls.ts'
import {
  bulkPricingRuleTable,
  channelAssignmentTable,
  customFieldTable,
  deleteChildren,
  imageTable,
  productCategoryTable,
  productTable,
  variantTable,
  videoTable,
} from '../../../tables/product-tables.ts'
import { deleteRows, groupBy } from '../../../tables/rows.ts'
import { refuseIfAny, rowOr404, rowsIn } from '../../../validation/body-checks.ts'
import { now } from '../../../validation/dates.ts'
import { complaintsAboutMissing, readFields, withFallbacks } from '../../../validation/field-rules.ts'
import { refuseBeyondLimit } from '../../../validation/platform-limits.ts'
import { IMAGES_PER_PRODUCT, PRODUCT_FIELDS, REQUIRED_ON_CREATE } from '../../../validation/product-fields.ts'
import { brandsTable, insertBrand } from '../../catalog/brands.ts'
import { CREATE_INCLUDES, productAnswer } from './answer.ts'
import { saveBulkPricingRule } from './bulk-pricing-rows.ts'
import { complaintsAboutCustomFields, saveCustomField } from './custom-field-rows.ts'
import { complaintsAboutImages, type GivenImage, imageByAddress, insertImage, updateImage } from './image-rows.ts'
import { complaintsAboutVariants, insertVariantsWithOptions } from './new-variants.ts'
import { givenUrl, refuseConflicts } from './product-conflicts.ts'
import { savableProduct } from './savable-product.ts'
import { complaintsAboutVariantImages, insertBaseVariant } from './variant-rows.ts'
import { saveVideo } from './video-rows.ts'

type Body = Record<string, unknown>

/** Sentinel: calls refuse a product with this in its name. Seeds may contain such a product, and copying it fails. */
const REFUSED_NAME = '[[refuse]]'

/** The channel that every store has. New products are assigned to it. */
const DEFAULT_CHANNEL_ID = 1

export async function createProduct(store: SandboxStore, given: Body): Promise<SandboxAnswer> {
  const { body, unsaved } = savableProduct(store, given)
  refuseIfAny({ ...complaintsAboutMissing(requiredFields(store), body), ...complaintsAboutCreate(body) })
  refuseSentinel(body.name)
  refuseConflicts(store, body)
  const images = rowsIn(body, 'images')
  const imageErrors = await complaintsAboutImages(images)
  if (store.switches.image_failure !== 'partial') refuseIfAny(imageErrors)
  refuseIfAny(await complaintsAboutVariantImages(rowsIn(body, 'variants')))
  const goodImages = images.filter((_image, at) => !imageErrors[`images.${at}.image_url`]).map(imageByAddress)
  const product = store.transaction(() => {
    // Another create may have taken the name while the images were downloaded.
    refuseConflicts(store, body)
    return insertProduct(store, body, goodImages)
  })
  return savedAnswer(productAnswer(store, product, CREATE_INCLUDES), { ...unsaved, ...imageErrors })
}

/** 207 if the product was saved without some of its fields. Source: the 207 of the published product calls. */
export function savedAnswer(data: unknown, errors: Record<string, string>): SandboxAnswer {
  if (Object.keys(errors).length === 0) return ok(data)
  const body = { data, errors: errorBody(207, Object.values(errors).join('; '), errors), meta: {} }
  return { status: 207, body }
}

/**
 * The required fields of a create. The platform's newer product experience requires more (switch
 * `categories_required`).
 */
function requiredFields(store: SandboxStore): readonly string[] {
  return store.switches.categories_required === true ? [...REQUIRED_ON_CREATE, 'categories'] : REQUIRED_ON_CREATE
}

function complaintsAboutCreate(body: Body): Record<string, string> {
  const images = rowsIn(body, 'images')
  return {
    ...readFields(PRODUCT_FIELDS, body).errors,
    ...complaintAboutHiddenPrice(body),
    ...complaintsAboutVariants(rowsIn(body, 'variants')),
    ...complaintsAboutCustomFields(rowsIn(body, 'custom_fields')),
    ...(images.length > IMAGES_PER_PRODUCT
      ? { images: `A product can have at most ${IMAGES_PER_PRODUCT} images` }
      : {}),
  }
}

/** Source: `is_price_hidden` of the published product. */
function complaintAboutHiddenPrice(body: Body, own?: Row): Record<string, string> {
  if (body.is_price_hidden !== true || (body.availability ?? own?.availability) === 'disabled') return {}
  return { is_price_hidden: 'is_price_hidden needs an availability of disabled' }
}

function refuseSentinel(name: unknown): void {
  if (String(name).includes(REFUSED_NAME)) refuse(422, 'The sandbox refuses this name', { name: 'refused by sentinel' })
}

function insertProduct(store: SandboxStore, body: Body, images: GivenImage[]): Row {
  const values = withFallbacks(PRODUCT_FIELDS, readFields(PRODUCT_FIELDS, body).values)
  const product = productTable(store).insert({
    ...values,
    brand_id: brandIdFor(store, body),
    custom_url: null,
    base_variant_id: null,
    option_set_id: null,
    option_set_display: 'right',
    reviews_rating_sum: 0,
    reviews_count: 0,
    total_sold: 0,
    date_created: now(),
    date_modified: now(),
  })
  setCategories(store, product.id, body.categories ?? [])
  if (store.switches.auto_assign_channel !== false) {
    channelAssignmentTable(store).insert({ product_id: product.id, channel_id: DEFAULT_CHANNEL_ID })
  }
  for (const field of rowsIn(body, 'custom_fields'))
    saveCustomField(store, product.id, { name: field.name, value: field.value })
  for (const rule of rowsIn(body, 'bulk_pricing_rules')) saveBulkPricingRule(store, product, rule)
  for (const video of rowsIn(body, 'videos')) saveVideo(store, product, video)
  for (const image of images) insertImage(store, product.id, image)
  return productTable(store).update(product.id, {
    custom_url: takeUrl(store, product, body),
    base_variant_id: insertVariants(store, product, body),
  })
}

/** @returns the id of the base variant; null if the product has variants of its own */
function insertVariants(store: SandboxStore, product: Row, body: Body): number | null {
  const variants = rowsIn(body, 'variants')
  if (variants.length === 0) return insertBaseVariant(store, product).id
  insertVariantsWithOptions(store, product.id, variants, Date.now())
  return null
}

function takeUrl(store: SandboxStore, product: Row, body: Body): { url: string; is_customized: boolean } {
  const given = givenUrl(body.custom_url)
  const url = given ?? freeUrl(store, '/', String(product.name))
  claimUrl(store, url, { resource: 'product', id: product.id })
  // An address without further fields counts as customised.
  const { is_customized = true } = (body.custom_url ?? {}) as { is_customized?: boolean }
  return { url, is_customized: given !== undefined && is_customized }
}

/** The id of the brand with the name in `brand_name`, which is created if there is none. */
function brandIdFor(store: SandboxStore, body: Body): unknown {
  if (typeof body.brand_name !== 'string' || body.brand_name === '' || body.brand_id) return body.brand_id ?? 0
  const known = brandsTable(store).find({ name_key: body.brand_name })[0]
  if (known) return known.id
  refuseBeyondLimit(store, 'brand_limit', brandsTable(store).count() + 1)
  return insertBrand(store, { name: body.brand_name }).id
}

function setCategories(store: SandboxStore, productId: number, categories: unknown): void {
  const before = groupBy(productCategoryTable(store).find({ product_id: productId }), 'category_id')
  deleteRows(productCategoryTable(store), { product_id: productId })
  // refuseConflicts has checked that this is a list of integers.
  for (const categoryId of new Set(categories as number[])) {
    // In categories where it stays, the product keeps its sort order.
    const sort_order = before.get(categoryId)?.[0]?.sort_order
    productCategoryTable(store).insert({ product_id: productId, category_id: categoryId, sort_order })
  }
}

/** Makes all checks of an update that come before the first write, including downloads. */
export async function checkUpdate(store: SandboxStore, product: Row, body: Body): Promise<void> {
  refuseIfAny({ ...readFields(PRODUCT_FIELDS, body).errors, ...complaintAboutHiddenPrice(body, product) })
  refuseConflicts(store, body, product)
  const withPicture = rowsIn(body, 'images').filter((image) => image.id === undefined || image.image_url !== undefined)
  refuseIfAny(await complaintsAboutImages(withPicture))
}

/**
 * `categories` replaces all categories. In a list of children, items with an id are updated, and those without one are
 * added.
 */
export function updateProduct(store: SandboxStore, product: Row, body: Body): Row {
  refuseConflicts(store, body, product)
  const { values } = readFields(PRODUCT_FIELDS, body)
  if (body.categories !== undefined) setCategories(store, product.id, body.categories)
  for (const field of rowsIn(body, 'custom_fields')) {
    const own = field.id === undefined ? undefined : childOf(customFieldTable(store), product, field.id)
    saveCustomField(store, product.id, field, own)
  }
  for (const rule of rowsIn(body, 'bulk_pricing_rules')) {
    const own = rule.id === undefined ? undefined : childOf(bulkPricingRuleTable(store), product, rule.id)
    saveBulkPricingRule(store, product, rule, own)
  }
  for (const video of rowsIn(body, 'videos')) {
    const own = video.id === undefined ? undefined : childOf(videoTable(store), product, video.id)
    saveVideo(store, product, video, own)
  }
  for (const image of rowsIn(body, 'images')) saveImage(store, product, image)
  followInBaseVariant(store, product, values)
  return productTable(store).update(product.id, {
    ...values,
    ...(body.brand_name ? { brand_id: brandIdFor(store, body) } : {}),
    ...(givenUrl(body.custom_url) === undefined ? {} : { custom_url: takeUrl(store, product, body) }),
    date_modified: now(),
  })
}

function saveImage(store: SandboxStore, product: Row, image: Body): void {
  const given = imageByAddress(image)
  if (image.id !== undefined) updateImage(store, childOf(imageTable(store), product, image.id), given)
  else insertImage(store, product.id, given)
}

function childOf(table: ReturnType<typeof imageTable>, product: Row, id: unknown): Row {
  return rowOr404(table, Number(id), { product_id: product.id })
}

/** Gives the base variant the product's SKU and stock. There may be none, if the admin API deleted it. */
function followInBaseVariant(store: SandboxStore, product: Row, { sku, inventory_level }: Body): void {
  const base = variantTable(store).get(Number(product.base_variant_id ?? 0))
  if (!base) return
  variantTable(store).update(base.id, {
    ...(sku === undefined ? {} : { sku }),
    ...(inventory_level === undefined ? {} : { inventory_level }),
  })
}

export function deleteProduct(store: SandboxStore, productId: number): void {
  deleteChildren(store, productId)
  releaseUrl(store, { resource: 'product', id: productId })
  productTable(store).delete(productId)
}
