import { pngFor } from '../../sandbox/images/images.ts'

/** A multipart form with a picture in `image_file`; the bytes are a PNG unless others are given. */
export function pictureForm(
  fileName: string,
  bytes: Uint8Array = pngFor(fileName),
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image_file', new Blob([new Uint8Array(bytes)]), fileName)
  return form
}

/** The body of a call and the header that goes with it; a form brings its own. */
export function sentBody(body: unknown): { headers: Record<string, string>; body?: string | FormData } {
  if (body === undefined) return { headers: {} }
  if (body instanceof FormData) return { headers: {}, body }
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
