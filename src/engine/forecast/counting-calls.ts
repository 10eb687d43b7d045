import type { StoreClient } from '../../bigcommerce/client.ts'

type StoreReader = Pick<StoreClient, 'get'>

/** Wraps a client and counts the calls made through it. */
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
