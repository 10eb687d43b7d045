import type { PlatformItem } from './draft.ts'

/**
 * The desired values of the fields named, or of all: what a call that corrects an item sends. Pictures are compared by their
 * file and sent by their address; one that is not desired is emptied.
 */
export function chosenFields(body: PlatformItem, fields: string[] | 'all'): PlatformItem {
  if (fields === 'all') return body
  return Object.fromEntries(
    fields.map((field) => (field === 'image_file' ? ['image_url', body.image_url ?? ''] : [field, body[field]])),
  )
}
