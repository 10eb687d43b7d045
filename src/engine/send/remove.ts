import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { recordPruned } from '../../db/ledger/ledger.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { everyDraft } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { sendUntilAnswered } from './repeat.ts'
import { intendedItem, type Sender } from './send.ts'
import type { Refusal, RemoveTarget } from './writes.ts'

/** Deletes an item with its children, and counts them if only the destination has them. */
export async function removeItem(
  sender: Sender,
  component: Component,
  existing: Draft,
  call: WriteCall,
  target: RemoveTarget,
  entry: (refusal: Refusal | null) => Entry,
): Promise<void> {
  const { context } = sender
  const items = [...everyDraft(existing)].map((draft) => ({
    ...intendedItem(context, draft, target),
    ...(target.prunes && { component: draft.component }),
  }))
  const write = { component, action: 'delete' as const, pass: target.pass, items, call }
  await sendUntilAnswered(sender, write, target, (answer) => {
    const refusal = answer?.httpStatus === 404 ? null : answer
    const recorded = entry(refusal)
    return async (tx, tally, bulk) => {
      if (!refusal) await countPruned(tx, tally, context.run.id, existing, target)
      await recorded(tx, tally, bulk)
    }
  })
}

/** Counts an item that only the destination had, and its children, once (E3). */
export async function countPruned(
  tx: InTransaction,
  tally: Tally,
  runId: string,
  existing: Draft,
  target: RemoveTarget,
): Promise<void> {
  if (!target.prunes) return
  const gone = [...everyDraft(existing)].map((draft) => ({
    component: draft.component,
    destinationId: componentOf(draft.component).knownAs?.(draft, target.parentId) ?? draft.id,
  }))
  for (const row of await recordPruned(tx, runId, target, gone)) tally.add(row.component, 'pruned')
}
