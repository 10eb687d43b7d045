import type { FormFile } from '../../bigcommerce/form.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { RunContext } from '../context/context.ts'

/** Source: "Favicon Image". No limit is documented for the logo. */
const largestBytes = 10 * 1024 * 1024
/** Our choice, for the whole download: as long as the platform waits for the picture of a product. */
const patienceMs = 20_000

/** Fetches the picture at an address of the source; null when it cannot be fetched or is not a picture. */
export async function fetchPicture(
  { outbound, lease, log }: Pick<RunContext, 'outbound' | 'log'> & { lease: { stop: AbortSignal } },
  { field, address, fileName }: NonNullable<WriteCall['picture']>,
): Promise<FormFile | null> {
  const signal = lease.stop
  try {
    const args = { url: address, maxBytes: largestBytes, timeoutMs: patienceMs, redirects: 3, signal }
    const { httpStatus, headers, body } = await outbound(args)
    const contentType = headers['content-type'] ?? ''
    if (httpStatus !== 200 || !contentType.startsWith('image/')) return null
    return { field, fileName, contentType, bytes: body }
  } catch (error) {
    signal.throwIfAborted()
    log.info({ err: error }, 'a picture could not be fetched')
    return null
  }
}
