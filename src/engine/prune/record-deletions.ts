import { type DeletionToWrite, forgetPlannedDeletions, saveDeletions } from '../../db/ledger/deletions.ts'
import type { RunContext } from '../context/context.ts'
import { inParts } from '../core/in-parts.ts'
import type { Candidate, Doomed } from './pruner.ts'

/** Rows that are written in one statement. */
const atOnce = 500

/** Makes the list of deletions that can be read before the first of them is made (G4). */
export async function recordPlanned(context: RunContext, doomed: readonly Doomed[]): Promise<void> {
  await context.recorder.record((tx) => forgetPlannedDeletions(tx, context.run))
  for (const one of doomed) {
    await save(context, one, one.items, 'planned')
    await save(context, one, one.never, 'kept')
  }
}

async function save(
  context: RunContext,
  { entity, pass }: Pick<Doomed, 'entity' | 'pass'>,
  items: readonly Candidate[],
  state: 'planned' | 'kept',
): Promise<void> {
  const rows = items.map(
    ({ id, parentId, sourceId, listed }): DeletionToWrite => ({
      phase: entity.key,
      component: pass.root,
      destinationId: id,
      parentId: parentId ?? '',
      item: listed.item,
      reason: sourceId === null ? 'destination_only' : 'source_deleted',
    }),
  )
  for (const some of inParts(rows, atOnce))
    await context.recorder.record((tx) => saveDeletions(tx, context.run, some, state))
}
