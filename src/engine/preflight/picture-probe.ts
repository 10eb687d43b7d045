import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { imageAddress, originalAddress } from '../../entities/core/image-file.ts'
import type { OutboundAnswer } from '../../outbound.ts'
import type { OpenRun } from '../context/open-run.ts'

/** The largest picture that the platform accepts. Source: the published image POST. */
const largestPictureBytes = 8 * 1024 * 1024
/** The platform, too, would give up on a picture that takes longer. */
const patienceMs = 10_000

/** Where a storefront keeps the originals of its pictures. This is not documented, so it is always probed. */
export function originalsOf({ secure_url, domain }: StoreInformation): string {
  return `${(secure_url || `https://${domain}`).replace(/\/+$/, '')}/product_images`
}

/** @returns how many of the pictures can be fetched at all, and for how many of those the original can be */
export async function probeOriginals(
  context: OpenRun,
  originals: string,
  images: PlatformItem[],
): Promise<{ looked: number; served: number }> {
  const seen = await Promise.all(images.map((image) => served(context, originals, image)))
  return { looked: seen.filter((one) => one !== null).length, served: seen.filter((one) => one).length }
}

/** Null for a picture that is broken in every size, which proves nothing about originals. */
async function served(context: OpenRun, originals: string, image: PlatformItem): Promise<boolean | null> {
  const original = originalAddress(originals, image)
  if (original !== undefined && (await pictureSize(context, original)) !== null) return true
  return (await pictureSize(context, imageAddress(image))) === null ? null : false
}

/**
 * The size in bytes of the picture at an address: -1 when its server does not say, null when the platform could not
 * fetch it. Redirects are not followed, because the platform does not follow them.
 */
export async function pictureSize(context: OpenRun, url: string): Promise<number | null> {
  const signal = context.lease.stop
  const request = (method: 'HEAD' | 'GET') =>
    context.outbound({ url, method, maxBytes: largestPictureBytes, timeoutMs: patienceMs, signal })
  try {
    const answer = await request('HEAD')
    // Some servers do not support HEAD.
    return sizeOf(answer.httpStatus === 405 || answer.httpStatus === 501 ? await request('GET') : answer)
  } catch (error) {
    signal.throwIfAborted()
    context.log.info({ err: error }, 'a picture could not be fetched')
    return null
  }
}

function sizeOf({ httpStatus, headers }: OutboundAnswer): number | null {
  const isPicture = httpStatus === 200 && (headers['content-type'] ?? '').startsWith('image/')
  const bytes = Number(headers['content-length'] ?? -1)
  return isPicture && bytes <= largestPictureBytes ? bytes : null
}
