import type { RunContext } from '../context/context.ts'
import { Turns } from '../core/turns.ts'
import { createItems, turnKeys } from './create-batch.ts'
import { KeptSales } from './kept-sales.ts'
import { removeItem } from './remove.ts'
import type { Sender } from './send.ts'
import { updateOne, updateSeveral } from './update.ts'
import type { Writes } from './writes.ts'

/** Writes to the destination. `park` waits without holding a slot of the worker pool. */
export function storeWriter(context: RunContext, park: Sender['park']): Writes {
  const sender: Sender = { context, park, accepted: new Map(), keptSales: new KeptSales(context) }
  const turns = new Turns()
  return {
    // Of two items with the same key, the second waits for the first: a lookup by key could not tell them apart.
    create: (component, requests) =>
      turns.take(turnKeys(component, requests), park, () => createItems(sender, component, requests)),
    update: (...args) => updateOne(sender, ...args),
    updateTogether: (component, requests) => updateSeveral(sender, component, requests),
    remove: (...args) => removeItem(sender, ...args),
  }
}
