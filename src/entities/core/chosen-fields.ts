import type { PlatformItem } from './draft.ts'

/**
 * The desired values of the given fields, or of all: the body of a correction. Images are compared by file name and
 * sent by address; an image that is not desired is set to an empty address.
 */
export function chosenFields(body: PlatformItem, fields: string[] | 'all'): PlatformItem {
  if (fields === 'all') return body
  return Object.fromEntries(
    fields.map((field) => (field === 'image_file' ? ['image_url', body.image_url ?? ''] : [field, body[field]])),
  )
}
