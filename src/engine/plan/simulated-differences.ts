import type { InTransaction } from '../../db/core/database.ts'
import { type DifferenceToWrite, saveDifferences } from '../../db/ledger/differences.ts'
import type { LedgerState } from '../../db/ledger/ledger.ts'
import type { Draft } from '../../entities/core/define.ts'
import type { RunContext } from '../context/context.ts'
import { leftAlone } from '../context/destination-owned.ts'
import { everyDraft, fieldDifferences, pairUp } from '../core/pairing.ts'

interface Ended {
  component: string
  sourceId: string
  state: LedgerState
}

/** What a dry run would do to one item and all that hangs on it. */
export interface PlannedItem {
  phase: string
  wanted: Draft
  /** As it stands at the destination; undefined when it would be made. */
  standing: Draft | undefined
  ended: readonly Ended[]
}

/**
 * Lists what a dry run found, in the words of verify: `missing` would be created, `different` would be updated (F2). Made of the
 * ends that the ledger took, so that the list and the counts cannot disagree.
 */
export async function tellPlanned(context: RunContext, planned: PlannedItem, tx: InTransaction): Promise<void> {
  if (context.run.mode !== 'dry-run') return
  const acting = new Map(
    planned.ended
      .filter(({ state }) => state === 'created' || state === 'updated')
      .map((one) => [`${one.component}/${one.sourceId}`, one.state]),
  )
  if (acting.size === 0) return
  const differences: DifferenceToWrite[] = []
  for (const { wanted, standing } of everyPair(planned.wanted, planned.standing)) {
    const state = acting.get(`${wanted.component}/${wanted.id}`)
    if (state) differences.push(found(context, planned.phase, state, wanted, standing))
  }
  await saveDifferences(tx, context.run, differences)
}

/** `extra`: would be pruned, with all that hangs on it. */
export async function tellPruned(
  context: RunContext,
  phase: string,
  standing: Draft,
  tx: InTransaction,
): Promise<void> {
  if (context.run.mode !== 'dry-run') return
  const extras = [...everyDraft(standing)].map((draft) => ({
    ...difference(context, phase, draft),
    kind: 'extra' as const,
    destinationId: draft.id,
  }))
  await saveDifferences(tx, context.run, extras)
}

/** Every wanted item with its counterpart, parents first. */
function* everyPair(
  wanted: Draft,
  standing: Draft | undefined,
): Generator<{ wanted: Draft; standing: Draft | undefined }> {
  yield { wanted, standing }
  for (const pair of pairUp(wanted.children, standing?.children ?? []).pairs)
    yield* everyPair(pair.wanted, pair.standing)
}

function found(
  context: RunContext,
  phase: string,
  state: LedgerState,
  wanted: Draft,
  standing: Draft | undefined,
): DifferenceToWrite {
  const told = { ...difference(context, phase, wanted), sourceId: wanted.id }
  if (state === 'created' || !standing) return { ...told, kind: state === 'created' ? 'missing' : 'different' }
  const left = leftAlone(context.run, wanted.component)
  const open = context.protection.open(wanted.component)
  const fields = fieldDifferences(wanted.compare, standing.compare).filter(({ path }) => !left.includes(path))
  return {
    ...told,
    kind: 'different',
    destinationId: standing.id,
    fields: fields.map((field) => (open ? field : { path: field.path })),
  }
}

function difference(context: RunContext, phase: string, draft: Draft): Omit<DifferenceToWrite, 'kind'> {
  return {
    phase,
    component: draft.component,
    sourceId: '',
    destinationId: '',
    item: context.protection.item(draft),
    fields: [],
    living: false,
    changedMeanwhile: false,
  }
}
