import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMissing, isResized, pngFor } from '../images/images.ts'
import { uploadedPicture } from '../images/uploads.ts'
import type { StoreHost } from './store-host.ts'

/** The API serves pictures from `images`; the storefront serves the originals from `product_images`. */
interface ImageRequest {
  folder: 'images' | 'product_images'
  path: string
}

/** Serves a public picture of the store: an uploaded file, or one generated from the name. */
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

/** undefined for a malformed percent sequence, because no picture has such a name. */
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
