import { refuse } from '../http/answers.ts'
import type { SandboxRequest, UploadedFile } from '../http/resource.ts'
import type { SandboxStore, Table } from '../store/store.ts'
import { LARGEST_PICTURE_BYTES, storedName } from './images.ts'
import { contentTypeOf, type PictureKind, pictureKind } from './picture-kind.ts'

/** Types of pictures accepted for products. Source: the published image POST. */
export const PRODUCT_PICTURES: readonly PictureKind[] = ['bmp', 'gif', 'jpeg', 'png', 'wbmp', 'xbm', 'webp']
/**
 * Types of pictures accepted for categories and brands. For brands this is our choice, because their specification
 * names none.
 */
export const CATEGORY_PICTURES: readonly PictureKind[] = ['jpeg', 'gif', 'png', 'ico']

/** Uploaded pictures. All others are generated on request from their names. */
function uploadTable(store: SandboxStore): Table {
  return store.table('uploads', ['file'])
}

/**
 * The `image_file` of a form.
 *
 * @throws 422 if it is absent, too large, or of a type that is not accepted
 */
export function pictureIn({ files }: SandboxRequest, kinds: readonly PictureKind[]): UploadedFile {
  const file = files.get('image_file')
  if (!file || file.bytes.length === 0)
    return refuse(422, 'image_file must be present if uploading by form', { image_file: 'image_file is required' })
  if (file.bytes.length > LARGEST_PICTURE_BYTES)
    refuse(422, 'The image is too large', { image_file: 'image_file must not be larger than 8 MB' })
  const kind = pictureKind(file.bytes)
  if (!kind || !kinds.includes(kind))
    refuse(422, 'The image is not of a supported type', {
      image_file: `image_file must be one of: ${kinds.join(', ')}`,
    })
  return file
}

/**
 * Stores the bytes under a new name.
 *
 * @param salt keeps two uses of one file name apart, e.g. `brand 41`
 * @returns the path below the store's images
 */
export function keepPicture(store: SandboxStore, { fileName, bytes }: UploadedFile, salt: string): string {
  const file = storedName(new URL(encodeURIComponent(fileName || 'image'), 'http://upload/').href, salt)
  const before = uploadTable(store).find({ file })[0]
  const fields = { file, bytes: bytes.toString('base64') }
  if (before) uploadTable(store).update(before.id, fields)
  else uploadTable(store).insert(fields)
  return file
}

/** The bytes of an uploaded picture; undefined if there is none with this name. */
export function uploadedPicture(store: SandboxStore, file: string): { bytes: Buffer; contentType: string } | undefined {
  const row = uploadTable(store).find({ file })[0]
  if (!row) return undefined
  const bytes = Buffer.from(String(row.bytes), 'base64')
  const kind = pictureKind(bytes)
  return { bytes, contentType: kind ? contentTypeOf(kind) : 'application/octet-stream' }
}
