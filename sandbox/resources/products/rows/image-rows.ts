import type { UploadedFile } from '../../../http/resource.ts'
import { imageExists, resizedName, storedName } from '../../../images/images.ts'
import { keepPicture } from '../../../images/uploads.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { imageTable } from '../../../tables/product-tables.ts'
import { refuseIfAny } from '../../../validation/body-checks.ts'
import { now } from '../../../validation/dates.ts'
import { type FieldRules, readFields } from '../../../validation/field-rules.ts'
import { IMAGES_PER_PRODUCT } from '../../../validation/product-fields.ts'

type Answer = Record<string, unknown>

export const IMAGE_FIELDS: FieldRules = {
  is_thumbnail: { kind: 'boolean', fallback: false },
  sort_order: { kind: 'integer', min: -2_147_483_648, max: 2_147_483_647 },
  description: { kind: 'text', nullable: true, fallback: '' },
}

/** An image from a request, with a checked picture: an address that can be downloaded, or bytes. */
export type GivenImage = Record<string, unknown> & { image_url?: string; upload?: UploadedFile }

export function imageAnswer(store: SandboxStore, image: Row): Answer {
  const file = String(image.image_file)
  const sized = (side: number) => `${store.imageBase}/${resizedName(file, side)}`
  return {
    ...image,
    url_zoom: sized(1280),
    url_standard: sized(386),
    url_thumbnail: sized(220),
    url_tiny: sized(44),
  }
}

/** An image in the body of a product, which always has an address. */
export function imageByAddress({ upload: _upload, ...image }: Record<string, unknown>): GivenImage {
  // The address is a string, because it was downloaded.
  return image as GivenImage
}

/** Errors in the images of one body, with a key for each image. Downloads from every address. */
export async function complaintsAboutImages(images: Record<string, unknown>[]): Promise<Record<string, string>> {
  const complaints = await Promise.all(images.map(complaintAboutImage))
  return Object.fromEntries(
    complaints.flatMap((complaint, index) => (complaint ? [[`images.${index}.image_url`, complaint]] : [])),
  )
}

async function complaintAboutImage(image: Record<string, unknown>): Promise<string | undefined> {
  if (typeof image.image_url !== 'string' || image.image_url === '') {
    return 'image_url must be present if uploading by url'
  }
  return (await imageExists(image.image_url)) ? undefined : 'image could not be downloaded'
}

/**
 * Adds an image to a product. There is always exactly one thumbnail: the first image, until another one replaces it.
 */
export function insertImage(store: SandboxStore, productId: number, given: GivenImage): Row {
  const others = imageTable(store).find({ product_id: productId })
  if (others.length >= IMAGES_PER_PRODUCT)
    refuseIfAny({ images: `A product can have at most ${IMAGES_PER_PRODUCT} images` })
  const { values } = readFields(IMAGE_FIELDS, given)
  const image = imageTable(store).insert({
    product_id: productId,
    is_thumbnail: false,
    sort_order: values.sort_order ?? others.length,
    description: values.description ?? '',
    image_file: fileOf(store, given, `product ${productId} image ${others.length}`),
    date_modified: now(),
  })
  return values.is_thumbnail || others.length === 0 ? makeThumbnail(store, image) : image
}

/** The file name under which the store saves the picture. */
function fileOf(store: SandboxStore, { image_url, upload }: GivenImage, salt: string): string {
  return upload ? keepPicture(store, upload, salt) : storedName(String(image_url), salt)
}

function makeThumbnail(store: SandboxStore, image: Row): Row {
  for (const other of imageTable(store).find({ product_id: Number(image.product_id) })) {
    if (other.is_thumbnail && other.id !== image.id) imageTable(store).update(other.id, { is_thumbnail: false })
  }
  return imageTable(store).update(image.id, { is_thumbnail: true })
}

export function updateImage(store: SandboxStore, image: Row, given: GivenImage): Row {
  const { values, errors } = readFields(IMAGE_FIELDS, given)
  refuseIfAny(errors)
  const { is_thumbnail, ...fields } = values
  if (Number(fields.sort_order) > Number(image.sort_order)) makeRoom(store, image, Number(fields.sort_order))
  const isNewPicture = given.upload !== undefined || given.image_url !== undefined
  const file = isNewPicture ? { image_file: fileOf(store, given, `image ${image.id}`) } : {}
  const updated = imageTable(store).update(image.id, { ...fields, ...file, date_modified: now() })
  return is_thumbnail ? makeThumbnail(store, updated) : updated
}

/**
 * When an image moves in the list, those at and behind its new position move back by one. With the switch `image_order:
 * 'keep'` they stay. Source: `sort_order` of the published image PUT, which does not say by how much they move.
 */
function makeRoom(store: SandboxStore, image: Row, position: number): void {
  if (store.switches.image_order === 'keep') return
  for (const other of imageTable(store).find({ product_id: Number(image.product_id) })) {
    const order = Number(other.sort_order)
    if (other.id !== image.id && order >= position) imageTable(store).update(other.id, { sort_order: order + 1 })
  }
}

/** Deletes an image. If it was the thumbnail, the next image becomes the thumbnail. */
export function deleteImage(store: SandboxStore, image: Row): void {
  imageTable(store).delete(image.id)
  const next = imageTable(store).find({ product_id: Number(image.product_id) })[0]
  if (image.is_thumbnail && next) makeThumbnail(store, next)
}
