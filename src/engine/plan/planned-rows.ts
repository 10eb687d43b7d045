import type { LedgerRow, LedgerState } from '../../db/ledger/ledger.ts'
import type { Mapping, NewMapping } from '../../db/ledger/store-pair.ts'
import { destinationId } from '../../model/destination-id.ts'
import { pendingErased } from '../../model/pending.ts'
import { namesOf } from '../core/pairing.ts'
import { adoptedId } from './decide.ts'
import { isPlanned, type PageItem, type PlannedItem, unwrittenState } from './decision.ts'
import type { PagePlan } from './page-facts.ts'

/** The mapping of an adopted item. */
export function adoptedMappings({ context, pass }: PagePlan, one: PageItem): NewMapping[] {
  const adopted = isPlanned(one) ? adoptedId(one.decision) : undefined
  if (!isPlanned(one) || adopted === undefined) return []
  const { draft, missing } = one.resolved
  const isEqual = one.decision.kind === 'equal'
  // Only an item that is complete and as it should be has checksums (C2).
  const isComplete = isEqual && missing.length === 0
  return [
    {
      scope: context.references.scope(pass.root),
      component: pass.root,
      sourceId: draft.id,
      destinationId: destinationId(adopted),
      origin: 'adopted',
      owed: isEqual ? missing : [],
      draftChecksum: isComplete ? context.protection.checksum(draft) : null,
      destinationChecksum: isComplete ? (one.listed?.checksum ?? null) : null,
      runId: context.run.id,
      names: context.protection.names(draft),
    },
  ]
}

/** The mapping of an item that stays erased. It is kept so that no run creates the item again or refers to it (G12). */
export function erasedMappings(one: PageItem): NewMapping[] {
  if (!isPlanned(one) || one.decision.kind !== 'erased' || !one.mapping) return []
  const { mapping } = one
  const named = { ...mapping, destinationId: destinationId(mapping.destinationId) }
  return [{ ...named, owed: [pendingErased], draftChecksum: null, destinationChecksum: null }]
}

/** Mappings to forget: those of an item that the destination has lost, and of its children. */
export function lostMappings(
  { context }: PagePlan,
  one: PageItem,
): Pick<Mapping, 'scope' | 'component' | 'sourceId'>[] {
  if (!isPlanned(one) || !isLost(one)) return []
  return namesOf(one.resolved.draft).map((name) => ({ ...name, scope: context.references.scope(name.component) }))
}

/** Includes an item that cannot be created again (a theme file), and one whose copy has a different key by now. */
function isLost({ decision, mapping, moved }: PlannedItem): boolean {
  if (moved) return true
  if (decision.kind === 'left-out') return mapping !== undefined
  return decision.kind === 'create' && decision.destinationDeleted
}

/** The rows of items that have to be written, and of those that failed. */
export function ledgerRows({ pass }: PagePlan, one: PageItem): LedgerRow[] {
  const row = (name: { component: string; sourceId: string }, rootId: string, state: LedgerState) => ({
    ...name,
    pass: pass.key,
    rootId,
    state,
  })
  if (!isPlanned(one)) return [row({ component: pass.root, sourceId: one.id }, one.id, 'failed')]
  if (unwrittenState(one) !== null) return []
  const { draft } = one.resolved
  const state = one.decision.kind === 'fail' ? 'failed' : 'pending'
  return namesOf(draft).map((name) => row(name, draft.id, state))
}
