import { forgetMappings, releaseClaims, saveMappings } from '../../db/ledger/mappings.ts'
import { destinationId } from '../../model/destination-id.ts'
import type { OpenRun } from '../context/open-run.ts'

/** Ids of the same thing in the source and at the destination. */
export type Pair = [sourceId: unknown, destinationId: unknown]

/**
 * Maps what exists in both stores and is never created, such as channels. Such mappings are never pending and never
 * compared. A channel that was made again takes over the counterpart of the one before it.
 *
 * @param unpaired items of the source without a counterpart: one that they had in earlier runs is gone
 */
export async function adoptPairs(
  context: OpenRun,
  component: string,
  pairs: Pair[],
  unpaired: readonly { id?: unknown }[],
): Promise<void> {
  const scope = context.mappings.scope(component)
  const gone = unpaired.map(({ id }) => ({ scope, component, sourceId: String(id) }))
  const mappings = pairs.map(([from, to]) => ({
    scope,
    component,
    sourceId: String(from),
    destinationId: destinationId(to),
    origin: 'adopted' as const,
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId: context.run.id,
  }))
  await context.recorder.record(async (tx) => {
    await forgetMappings(tx, context.pair, gone)
    await releaseClaims(tx, context.pair, mappings)
    await saveMappings(tx, context.pair, mappings)
  })
}
