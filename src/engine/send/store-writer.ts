import type { Component } from '../../entities/core/component.ts'
import type { RunContext } from '../context/context.ts'
import { Turns } from '../core/turns.ts'
import { createItems } from './create-batch.ts'
import { KeptSales } from './kept-sales.ts'
import { refusedAsTwin, twinsIn } from './merged-items.ts'
import { removeItem } from './remove.ts'
import type { Sender } from './send.ts'
import { TriedParts } from './tried-parts.ts'
import { updateOne, updateSeveral } from './update.ts'
import type { CreateRequest, Outcome, Writes } from './writes.ts'

/** Writes to the destination. `park` waits without holding a slot of the worker pool. */
export function storeWriter(context: RunContext, park: Sender['park']): Writes {
  const sender: Sender = {
    context,
    park,
    accepted: new Map(),
    tried: new TriedParts(),
    keptSales: new KeptSales(context),
  }
  const turns = new Turns()
  return {
    create: async (component, all) => {
      const twins = await twinsIn(context, component, all)
      const requests = all.filter((request) => !twins.has(request))
      const keys = [...turnKeys(component, requests), ...sender.tried.unknownIn(requests)]
      const outcomes = (await turns.take(keys, park, () => createItems(sender, component, requests))).values()
      return all.map((request) => {
        const first = twins.get(request)
        // The others have the outcomes, in their order.
        return first ? refusedAsTwin(`source item ${first}`) : (outcomes.next().value as Outcome)
      })
    },
    update: (...args) => updateOne(sender, ...args),
    updateTogether: (component, requests) => updateSeveral(sender, component, requests),
    remove: (...args) => removeItem(sender, ...args),
  }
}

/**
 * Calls that share one of these keys are sent one after the other. Natural keys are unique among the children of a
 * parent: of two items with the same one, the second waits, because a lookup by key could not tell them apart.
 */
function turnKeys(component: Component, requests: CreateRequest[]): string[] {
  const keys = requests.flatMap(({ draft, parentId }) =>
    draft.keys.map((key) => `${component.key} ${draft.parentId ?? parentId} ${key}`),
  )
  return component.create?.finish ? [...keys, `${component.key} one after the other`] : keys
}
