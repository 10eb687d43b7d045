import type { StoreClient } from '../../bigcommerce/client.ts'

type StoreReader = Pick<StoreClient, 'get'>

/** The same store, and how many calls went to it this way. */
export function countingCalls(client: StoreReader): { client: StoreReader; calls(): number } {
  let calls = 0
  const counted: StoreReader = {
    get: (...args) => {
      calls++
      return client.get(...args)
    },
  }
  return { client: counted, calls: () => calls }
}
