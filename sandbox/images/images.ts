import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const SIDE = 8

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** The name without its folder and the `__01234` that a store adds. */
function pictureName(file: string): string {
  return (file.split('/').pop() ?? file).replace(/__\d{5}/g, '')
}

/**
 * A valid 8x8 PNG that depends only on the picture's name, so that its copy in another store has the same bytes. A
 * resized name such as `shirt.1280.1280.png` is a different name with different bytes.
 */
export function pngFor(file: string): Buffer {
  const colours = createHash('sha512').update(pictureName(file)).digest()
  const rows = Buffer.alloc(SIDE * (1 + SIDE * 3))
  for (let at = 0; at < rows.length; at++)
    rows[at] = at % (1 + SIDE * 3) === 0 ? 0 : (colours[at % colours.length] ?? 0)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...parts])
}

export function isResized(file: string): boolean {
  return /\.\d+\.\d+\.[a-z]+$/i.test(file)
}

/** Sentinel: pictures whose names begin with `missing` do not exist. */
export function isMissing(file: string): boolean {
  return pictureName(file).startsWith('missing')
}

/** `shirt.png` becomes `shirt.1280.1280.png`. */
export function resizedName(file: string, side: number): string {
  return file.replace(/(\.[^./]+)?$/, (extension) => `.${side}.${side}${extension || '.png'}`)
}

/**
 * The file name that a store gives to an imported picture: a one-letter folder and five digits, as on the platform.
 * `salt` keeps two uses of the same picture apart, e.g. `brand 41`.
 */
export function storedName(url: string, salt: string): string {
  const base = decodeURIComponent(new URL(url).pathname.split('/').pop() || 'image.png').replace(/__\d{5}/g, '')
  const digest = createHash('sha256').update(`${salt} ${base}`).digest()
  const digits = String(digest.readUInt32BE(0) % 100_000).padStart(5, '0')
  const folder = String.fromCharCode(97 + ((digest[4] ?? 0) % 26))
  return `${folder}/${base.replace(/(\.[^.]+)?$/, (extension) => `__${digits}${extension || '.png'}`)}`
}

const found = new Set<string>()
const MOST_REMEMBERED = 200_000

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
}

/** Applies to pictures sent by address or by form. Source: the published image calls of products and categories. */
export const LARGEST_PICTURE_BYTES = 8 * 1024 * 1024

/**
 * The bytes of the picture at an address, or undefined. Only addresses on this machine are fetched, over http: a
 * sandbox makes no outside calls.
 */
export function fetchImage(address: string): Promise<Buffer | undefined> {
  if (!URL.canParse(address) || !isLoopback(new URL(address))) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const request = get(address, { timeout: 10_000 }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (part: Buffer) => chunks.push(part))
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => {
        const isPicture = answer.statusCode === 200 && String(answer.headers['content-type']).startsWith('image/')
        const bytes = Buffer.concat(chunks)
        resolve(isPicture && bytes.length <= LARGEST_PICTURE_BYTES ? bytes : undefined)
      })
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}

/** Called when pictures that could be downloaded may have disappeared. */
export function forgetImages(): void {
  found.clear()
}

/** Whether a picture can be downloaded. Successes are cached by address, because many products use the same picture. */
export async function imageExists(address: string): Promise<boolean> {
  if (found.has(address)) return true
  if (!(await fetchImage(address))) return false
  if (found.size >= MOST_REMEMBERED) found.clear()
  found.add(address)
  return true
}
