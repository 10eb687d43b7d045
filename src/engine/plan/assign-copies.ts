import type { Mapping } from '../../db/ledger/mappings.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { scopeOf } from '../../entities/registry.ts'
import { everyDraft } from '../core/pairing.ts'
import type { Resolved } from '../core/references.ts'
import { isStorefrontRun } from '../scope/run-part.ts'
import type { Decision } from './decide.ts'

type StorefrontOf = Parameters<typeof isStorefrontRun>[0]

/** What hangs on an item for one storefront only: its assignment to it. */
export function ownOfStorefront(root: Draft): Draft[] {
  return [...everyDraft(root)].filter((draft) => draft !== root && scopeOf(draft.component) === 'storefront')
}

/** Fields of an item that name what only one storefront has: its categories. */
export function setsOfStorefront({ sets = [] }: Pass): string[] {
  return sets.filter(({ of }) => scopeOf(of) === 'storefront').map(({ field }) => field)
}

/** An item that would be left alone is put on the storefront first. */
export function orAssign(decision: Decision): Decision {
  return decision.kind === 'matched' || decision.kind === 'skipped' ? { kind: 'place' } : decision
}

/** What an item owes to things that the storefront of this run does not have is another run's to pay (D3, C1). */
export function pendingElsewhere(
  context: StorefrontOf,
  mapping: Mapping | undefined,
  { known, missing }: Pick<Resolved, 'known' | 'missing'>,
): string[] {
  if (!isStorefrontRun(context) || !mapping) return []
  return mapping.owed.filter(
    (owed) => owed.startsWith('reference:') && !missing.includes(owed) && !known.has(owed.slice('reference:'.length)),
  )
}

/** The mapping with what this run may pay. */
export function pendingHere(
  context: StorefrontOf,
  mapping: Mapping,
  resolved: Pick<Resolved, 'known' | 'missing'>,
): Mapping {
  const elsewhere = pendingElsewhere(context, mapping, resolved)
  return elsewhere.length === 0
    ? mapping
    : { ...mapping, owed: mapping.owed.filter((owed) => !elsewhere.includes(owed)) }
}
