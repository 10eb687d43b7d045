import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMissing, isResized, pngFor } from '../images/images.ts'
import { uploadedPicture } from '../images/uploads.ts'
import type { StoreHost } from './store-host.ts'

/** `images` is what the API names, `product_images` where the storefront has the originals. */
interface ImageRequest {
  folder: 'images' | 'product_images'
  path: string
}

/** A picture of the store, which anybody may see: what was uploaded, else one that is made from its name. */
export function serveImage(
  host: StoreHost,
  request: IncomingMessage,
  response: ServerResponse,
  picture: ImageRequest,
): void {
  const file = decoded(picture.path)
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !file || !isServed(host, file, picture)) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found')
    return
  }
  const { bytes, contentType } = uploadedPicture(host.store, file) ?? { bytes: pngFor(file), contentType: 'image/png' }
  response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length }).end(bytes)
}

/** undefined for a stray percent sign: no picture has such a name. */
function decoded(path: string): string | undefined {
  try {
    return decodeURI(path)
  } catch {
    return undefined
  }
}

function isServed({ faults, store }: StoreHost, file: string, { folder }: ImageRequest): boolean {
  if (isMissing(file) || faults.truncates(file)) return false
  if (store.switches.serve_originals === 'images' && folder === 'product_images') return false
  return store.switches.serve_originals !== false || isResized(file)
}
