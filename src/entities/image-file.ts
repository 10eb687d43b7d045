/**
 * The part of an image's name that survives a copy: without folders, size suffix, the number the platform appends, and case.
 * `a/123/red-shirt__00045.1280.1280.jpg` and `red-shirt.jpg` are the same picture.
 */
export function imageFile(address: unknown): string {
  const name = String(address ?? '').split(/[?#]/)[0]?.split('/').pop() ?? ''
  const extension = name.match(/\.[a-z]+$/i)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length).replace(/(\.\d+){1,2}$/, '').replace(/(__\d+)+$/, '')
  return (stem + extension).toLowerCase()
}

/** An address the platform accepts: it takes 255 characters and query strings only make it longer. */
export function imageAddress(item: Record<string, unknown>): string {
  const address = item.url_zoom || item.url_standard || item.image_url
  return String(address ?? '').split('?')[0] ?? ''
}
