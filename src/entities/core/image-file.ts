/**
 * The part of an image's name that survives a copy: without folders, size suffix, capitals and the number that the
 * platform appends. `a/123/red-shirt__00045.1280.1280.jpg` and `red-shirt.jpg` are the same image.
 */
export function imageFile(address: unknown): string {
  const name =
    String(address ?? '')
      .split(/[?#]/)[0]
      ?.split('/')
      .pop() ?? ''
  const extension = name.match(/\.[a-z]+$/i)?.[0] ?? ''
  let stem = name.slice(0, name.length - extension.length)
  // A copy of a copy has the suffix twice.
  for (let shorter = withoutMark(stem); shorter !== stem; shorter = withoutMark(stem)) stem = shorter
  return (stem + extension).toLowerCase()
}

function withoutMark(stem: string): string {
  return stem.replace(/\.\d{2,4}\.\d{2,4}$/, '').replace(/__\d+$/, '')
}

/** The platform refuses longer addresses. Source: `image_url` of the published image POST. */
const longestAddress = 255

/**
 * The address of the original image in its storefront's folder of originals (`<storefront>/product_images`); undefined
 * if it is too long for the platform. BigCommerce does not document where originals are, so callers first check that
 * they are served.
 */
export function originalAddress(originals: string, { image_file }: Record<string, unknown>): string | undefined {
  if (typeof image_file !== 'string' || image_file === '') return undefined
  const address = `${originals}/${encodeURI(image_file).replace(/[?#]/g, encodeURIComponent)}`
  return address.length <= longestAddress ? address : undefined
}

/**
 * The address of the largest picture in the API's response (at most 1280 pixels). Query strings only make it longer.
 */
export function imageAddress(item: Record<string, unknown>): string {
  const address = item.url_zoom || item.url_standard || item.image_url
  return String(address ?? '').split('?')[0] ?? ''
}

/**
 * The field for the picture of an item that has at most one: the platform downloads it from this address. Without a
 * picture the field is not sent.
 */
export function pictureOf(item: Record<string, unknown>): { image_url?: string } {
  const address = imageAddress(item)
  return address === '' ? {} : { image_url: address }
}
