import { saveMappings } from '../../db/ledger/mappings.ts'
import type { RunContext } from '../context/context.ts'

/** Ids of the same thing in the source and at the destination. */
export type Pair = [sourceId: unknown, destinationId: unknown]

/** Notes what belongs together in both stores and is never created: channels. They owe nothing and are never compared. */
export async function adoptPairs(context: RunContext, component: string, pairs: Pair[]): Promise<void> {
  const mappings = pairs.map(([from, to]) => ({
    scope: context.references.scope(component),
    component,
    sourceId: String(from),
    destinationId: String(to),
    origin: 'adopted' as const,
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId: context.run.id,
  }))
  await context.recorder.record((tx) => saveMappings(tx, context.pair, mappings))
}
