import { PlatformError } from '../../bigcommerce/errors.ts'
import type { Lister, WalkOptions } from '../core/reading.ts'

/** A plan includes segments and shopper profiles, or neither. */
export const segmentsPath = '/v3/segments'
export const profilesPath = '/v3/shopper-profiles'

/**
 * The list, or an empty one if the store's plan does not include segments: the platform then refuses the call. If the
 * store returns the list at `other`, its plan does include segments, and the refusal is an error (G7).
 */
export function whereOffered(pages: Lister, other: string): Lister {
  return async function* (client, path, query, options) {
    let shown = false
    try {
      for await (const page of pages(client, path, query, options)) {
        shown = true
        yield page
      }
    } catch (error) {
      if (shown || !isNotOffered(error) || (await isShown(client, other, options))) throw error
      yield { items: [], total: 0, read: 0 }
    }
  }
}

async function isShown(client: Parameters<Lister>[0], path: string, { signal }: WalkOptions): Promise<boolean> {
  try {
    await client.get(path, { limit: 1 }, { signal })
    return true
  } catch (error) {
    if (isNotOffered(error)) return false
    throw error
  }
}

/** A token without the scope is refused with the same status, but then the message mentions the scope. */
function isNotOffered(error: unknown): boolean {
  return error instanceof PlatformError && [403, 404].includes(error.httpStatus) && !/scope/i.test(error.title)
}
