import type { StoreClient } from '../../bigcommerce/client.ts'

type Asks = Pick<StoreClient, 'get'>

/** The same store, and how many calls went to it this way. */
export function countingCalls(client: Asks): { client: Asks; calls(): number } {
  let calls = 0
  const counted: Asks = {
    get: (...asked) => {
      calls++
      return client.get(...asked)
    },
  }
  return { client: counted, calls: () => calls }
}
