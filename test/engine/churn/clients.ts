import { StoreClient } from '../../../src/bigcommerce/client.ts'
import { Governor } from '../../../src/bigcommerce/governor.ts'
import { compressedClock } from '../../harness/compressed-clock.ts'
import type { World } from '../../harness/world.ts'
import type { Side, StoreName } from '../../harness/world-sandbox.ts'

/** Clients of both stores, for people who work in them. */
export function clientsOf(world: World): Record<Side, StoreClient> {
  return { source: clientOf(world, 'source'), destination: clientOf(world, 'destination') }
}

export function clientOf(world: World, store: StoreName): StoreClient {
  const clock = compressedClock((ms) => ms >= 8_000)
  const { hash, token } = world.address(store)
  const connection = { apiUrl: world.sandboxUrl, hash, token, readOnly: false, requestTimeoutMs: 30_000 }
  return new StoreClient(connection, new Governor({ clock }), { clock })
}
