import type { PlatformItem } from './draft.ts'

/**
 * The body of a correction: the desired values of the given fields, or of all. Images are compared by file name but
 * sent by address; an empty address removes an image that is not desired.
 */
export function chosenFields(body: PlatformItem, fields: string[] | 'all'): PlatformItem {
  if (fields === 'all') return body
  return Object.fromEntries(
    fields.map((field) => (field === 'image_file' ? ['image_url', body.image_url ?? ''] : [field, body[field]])),
  )
}
