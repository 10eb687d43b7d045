import { saveMappings } from '../../db/ledger/mappings.ts'
import type { NewMapping } from '../../db/ledger/store-pair.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { destinationId } from '../../model/destination-id.ts'
import type { RunContext } from '../context/context.ts'
import { readNow } from '../read/by-ids.ts'
import type { ComparedPair, Comparison } from './comparison.ts'
import { type Counterpart, foundByKey } from './counterparts.ts'

/** An item of a page with what it was compared with. */
export interface Compared {
  comparison: Comparison
  counterpart: Counterpart | undefined
  /** References to others of its component that have no counterpart yet. */
  waitsFor: string[]
}

/**
 * Pairs for what comes later in this comparison and refers to the item. Only pairs found by natural key are new, and
 * those of items that wait.
 */
export function pairsToSave(
  context: RunContext,
  { root }: Pass,
  { comparison, counterpart, waitsFor }: Compared,
  { mayWait }: { mayWait: boolean },
): NewMapping[] {
  const mapping = counterpart?.mapping
  const pairs = mapping && waitsFor.length === 0 ? [] : comparison.pairs
  return pairs.map((pair) => ({
    ...asMapping(context, pair),
    origin: mapping?.origin ?? 'adopted',
    owed: mayWait && pair.component === root ? waitsFor : [],
  }))
}

/**
 * Pairs of children of adopted items, for later items that refer to them: under `skip` they are not mapped, because the
 * items are not read.
 */
export async function childrenToSave(context: RunContext, compared: Compared[]): Promise<NewMapping[]> {
  const isAdopted = ({ counterpart, waitsFor }: Compared) =>
    counterpart?.mapping?.origin === 'adopted' && waitsFor.length === 0
  const children = compared.filter(isAdopted).flatMap(({ comparison }) => comparison.pairs.slice(1))
  const known = await context.references.mappings(children)
  return children
    .filter(({ component, sourceId }) => !known.has(`${component}:${sourceId}`))
    .map((pair) => asMapping(context, pair))
}

/**
 * Pairs items that are not compared and that picked ones refer to, parents before children (C4). Only those without a
 * mapping are read.
 */
export async function pairOnly(context: RunContext, pass: Pass, ids: string[]): Promise<void> {
  const { pair, recorder, references } = context
  const known = await references.mappings(ids.map((sourceId) => ({ component: pass.root, sourceId })))
  const unknown = ids.filter((id) => !known.has(`${pass.root}:${id}`))
  for (let open = await readNow(context, 'source', pass, unknown); open.length > 0; ) {
    const resolved = await references.resolve(pass, open)
    const drafts = resolved.flatMap((one) => (one instanceof MissingReference ? [] : [one.draft]))
    const found = [...(await foundByKey(context, pass, drafts))].map(([sourceId, destinationId]) =>
      asMapping(context, { component: pass.root, sourceId, destinationId }),
    )
    await recorder.record((tx) => saveMappings(tx, pair, found))
    const left = open.filter((_item, at) => resolved[at] instanceof MissingReference)
    if (left.length === open.length) return
    open = left
  }
}

function asMapping({ references, run }: RunContext, pair: ComparedPair): NewMapping {
  return {
    ...pair,
    scope: references.scope(pair.component),
    destinationId: destinationId(pair.destinationId),
    origin: 'adopted',
    owed: [],
    draftChecksum: null,
    destinationChecksum: null,
    runId: run.id,
  }
}
