import type { Answer } from '../../bigcommerce/client.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { StoreReader } from './list-totals.ts'

/** Wraps a client and sends equal requests only once: several passes of a survey ask for the same. */
export function distinctRequests(client: StoreReader): StoreReader {
  const answers = new Map<string, Promise<Answer<unknown>>>()
  return {
    get: <Body>(path: string, query: Query = {}, options?: Parameters<StoreReader['get']>[2]) => {
      const request = JSON.stringify([
        path,
        Object.entries(query)
          .filter(([, value]) => value !== undefined)
          .sort(),
      ])
      const answer = answers.get(request) ?? client.get(path, query, options)
      answers.set(request, answer)
      // The same request has the same body, of which the caller names the shape.
      return answer as Promise<Answer<Body>>
    },
  }
}
