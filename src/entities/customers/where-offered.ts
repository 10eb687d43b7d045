import { PlatformError } from '../../bigcommerce/errors.ts'
import type { Lister } from '../core/reading.ts'

/** A list that is empty where the store's plan lacks what it is of: the platform refuses to show it. */
export function whereOffered(pages: Lister): Lister {
  return async function* (client, path, query, options) {
    let shown = false
    try {
      for await (const page of pages(client, path, query, options)) {
        shown = true
        yield page
      }
    } catch (error) {
      if (shown || !isNotOffered(error)) throw error
      yield { items: [], total: 0, read: 0 }
    }
  }
}

/** A token without the scope is refused with the same status, in words that say so. */
function isNotOffered(error: unknown): boolean {
  return error instanceof PlatformError && [403, 404].includes(error.httpStatus) && !/scope/i.test(error.title)
}
