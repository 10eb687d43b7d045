import { type CapSlots, endpointName } from '../../bigcommerce/cap-slots.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { isDatabaseAway } from '../../db/core/database-away.ts'
import { freeSlot, type Slot, takeSlot } from '../../db/runs/endpoint-slots.ts'

/** How often a waiting call tries again. Capped calls take hundreds of ms, so more would only load the database. */
const lookMs = 50
/**
 * How often freeing a slot is tried with a database that answers; after that, it stays taken until this process ends.
 */
const freeTries = 20
const freeAgainMs = 500

/** Slots in the database, shared by all processes of the installation. A consumer needs a quota claim on the store. */
export function createDatabaseSlots(options: {
  database: Database
  clock: Clock
  storeHash: string
  consumer: string
}): CapSlots {
  const { database, clock, storeHash, consumer } = options
  async function giveBack(slot: Slot): Promise<void> {
    for (let tries = 1; tries <= freeTries; ) {
      try {
        return await freeSlot(database, slot)
      } catch (error) {
        // A process that keeps its claim would keep the slot from all others.
        if (!isDatabaseAway(error)) tries++
      }
      await clock.sleep(freeAgainMs)
    }
  }
  return {
    take: async (cap, signal) => {
      for (;;) {
        signal?.throwIfAborted()
        const slot = await takeSlot(database, { storeHash, endpoint: endpointName(cap), limit: cap.limit, consumer })
        if (slot) return () => void giveBack(slot)
        await clock.sleep(lookMs, signal)
      }
    },
  }
}
