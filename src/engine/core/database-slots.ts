import { type CapSlots, endpointName } from '../../bigcommerce/cap-slots.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { freeSlot, type Slot, takeSlot } from '../../db/runs/endpoint-slots.ts'

/** How often somebody who waits looks again. A capped call takes a few hundred milliseconds; more looks would only load the database. */
const lookMs = 50
/** A slot that cannot be given back is tried again for so long; then it is held until this process ends. */
const freeTries = 20
const freeAgainMs = 500

/** Slots in the database, which every process of the installation shares; a consumer must have claimed its part of the shop. */
export function createDatabaseSlots(options: {
  database: Database
  clock: Clock
  storeHash: string
  consumer: string
}): CapSlots {
  const { database, clock, storeHash, consumer } = options
  async function giveBack(slot: Slot): Promise<void> {
    for (let tries = 1; tries <= freeTries; tries++) {
      const freed = await freeSlot(database, slot).then(
        () => true,
        () => false,
      )
      if (freed) return
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
