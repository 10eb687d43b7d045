import type { Answer } from '../../bigcommerce/client.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { StoreReader } from './list-totals.ts'

/**
 * Wraps a client and sends equal requests only once: several passes of a survey ask for the same. A request for one item
 * only asks how many there are, which any earlier first page of the list says, too.
 */
export function distinctRequests(client: StoreReader): StoreReader {
  const answers = new Map<string, Promise<Answer<unknown>>>()
  return {
    get: <Body>(path: string, query: Query = {}, options?: Parameters<StoreReader['get']>[2]) => {
      const { page = 1, ...asked } = query
      const request = keyOf(path, page === 1 ? asked : query)
      const { limit, include: _, include_fields: __, ...filters } = asked
      const list = keyOf(path, { ...filters, page: 'first' })
      const known = answers.get(request) ?? (limit === 1 && page === 1 ? answers.get(list) : undefined)
      const answer = known ?? client.get(path, query, options)
      answers.set(request, answer)
      if (page === 1) answers.set(list, answer)
      // The same request has the same body, of which the caller names the shape.
      return answer as Promise<Answer<Body>>
    },
  }
}

function keyOf(path: string, query: Query): string {
  return JSON.stringify([
    path,
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(),
  ])
}
