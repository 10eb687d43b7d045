import type { InTransaction } from '../../db/core/database.ts'
import { type DifferenceToWrite, saveDifferences } from '../../db/ledger/differences.ts'
import type { LedgerState } from '../../db/ledger/ledger.ts'
import { isAccepted } from '../../entities/core/accepted-fields.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { destinationOwned } from '../context/destination-owned.ts'
import { everyDraft, fieldDifferences, pairUp } from '../core/pairing.ts'

interface Ended {
  component: string
  sourceId: string
  state: LedgerState
}

/** What a dry run would do to one item and its children. */
export interface SimulatedItem {
  phase: string
  desired: Draft
  /** The item as the destination has it; undefined when it would be created. */
  existing: Draft | undefined
  ended: readonly Ended[]
}

/**
 * Records what a dry run found as differences: `missing` would be created, `different` would be updated (F2). It uses
 * the states that the ledger accepted, so the differences agree with the counts.
 */
export async function reportSimulated(context: RunContext, simulated: SimulatedItem, tx: InTransaction): Promise<void> {
  if (context.run.mode !== 'dry-run') return
  const acting = new Map(
    simulated.ended
      .filter(({ state }) => state === 'created' || state === 'updated')
      .map((one) => [`${one.component}/${one.sourceId}`, one.state]),
  )
  if (acting.size === 0) return
  const differences: DifferenceToWrite[] = []
  for (const { desired, existing } of everyPair(simulated.desired, simulated.existing)) {
    const state = acting.get(`${desired.component}/${desired.id}`)
    if (state) differences.push(found(context, simulated.phase, state, desired, existing))
  }
  await saveDifferences(tx, context.run, differences)
}

/** Records as `extra` what would be pruned: an item with its children. */
export async function reportPruned(
  context: RunContext,
  phase: string,
  existing: Draft,
  tx: InTransaction,
): Promise<void> {
  if (context.run.mode !== 'dry-run') return
  const extras = [...everyDraft(existing)].map((draft) => ({
    ...difference(context, phase, draft),
    kind: 'extra' as const,
    destinationId: draft.id,
  }))
  await saveDifferences(tx, context.run, extras)
}

/** Every desired item with its counterpart, parents first. */
function* everyPair(
  desired: Draft,
  existing: Draft | undefined,
): Generator<{ desired: Draft; existing: Draft | undefined }> {
  yield { desired, existing }
  for (const pair of pairUp(desired.children, existing?.children ?? []).pairs)
    yield* everyPair(pair.desired, pair.existing)
}

function found(
  context: RunContext,
  phase: string,
  state: LedgerState,
  desired: Draft,
  existing: Draft | undefined,
): DifferenceToWrite {
  const common = { ...difference(context, phase, desired), sourceId: desired.id }
  if (state === 'created' || !existing) return { ...common, kind: state === 'created' ? 'missing' : 'different' }
  const left = destinationOwned(context.run, desired.component)
  const open = context.protection.open(desired.component)
  const component = componentOf(desired.component)
  const fields = fieldDifferences(desired.compare, existing.compare).filter(
    ({ path }) => !left.includes(path) && isAccepted(component, path),
  )
  return {
    ...common,
    kind: 'different',
    destinationId: existing.id,
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
    kept: false,
  }
}
