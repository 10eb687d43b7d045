import type { DifferenceToWrite } from '../../db/ledger/differences.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { isMadeByShoppers } from '../../entities/core/made-by-shoppers.ts'
import { componentOf } from '../../entities/registry.ts'
import { canonical, everyDraft, type FieldDifference, fieldDifferences, pairUp } from '../core/pairing.ts'
import type { Protection } from '../core/protection.ts'
import type { ListedBody } from '../read/destination-lister.ts'

/** The result for one source item and its counterpart, component by component. */
export interface Comparison {
  matched: Draft[]
  differing: Draft[]
  differences: DifferenceToWrite[]
  destinationId: string | null
  /** The item and its children, each with its counterpart. */
  pairs: ComparedPair[]
}

export interface ComparedPair {
  component: string
  sourceId: string
  destinationId: string
}

/** What a comparison needs to describe its differences. */
interface Described {
  phase: string
  protection: Protection
}

/** The item is left to other runs, so this one makes no statement about it. */
export function notCompared(draft: Draft, destinationId: string | null): Comparison {
  return { matched: [], differing: [...everyDraft(draft)], differences: [], destinationId, pairs: [] }
}

/** @param erased a person may have been erased at the destination, and no run creates the item again (G12) */
export function absent(described: Described, draft: Draft, erased = false): Comparison {
  // It comes with its owner; if that is missing, too, the owner is reported.
  if (componentOf(draft.component).setOnNew) return notCompared(draft, null)
  const differences = [{ ...differenceOf(described, 'missing', draft, ''), kept: erased }]
  return { matched: [], differing: [...everyDraft(draft)], differences, destinationId: null, pairs: [] }
}

/** Compares with what the list showed of the counterpart. */
export function compareListed(
  described: Described,
  desired: Draft,
  counterpart: { destinationId: string; body: ListedBody },
): Comparison {
  const compare = described.protection.compare(desired.component, desired.compare)
  const fields = fieldDifferences(compare, counterpart.body.compare ?? {})
  return verdict(described, desired, counterpart.destinationId, fields)
}

export function compareTrees(described: Described, desired: Draft, existing: Draft): Comparison {
  const fields = fieldDifferences(desired.compare, existing.compare)
  const { pairs, extra } = pairUp(desired.children, existing.children)
  const own = verdict(described, desired, existing.id, fields)
  const children = pairs.map((pair) =>
    pair.existing ? compareTrees(described, pair.desired, pair.existing) : absent(described, pair.desired),
  )
  const extras = extra.map((draft) => differenceOf(described, 'extra', draft, draft.id))
  return {
    matched: [...own.matched, ...children.flatMap((child) => child.matched)],
    differing: [...own.differing, ...children.flatMap((child) => child.differing)],
    differences: [...own.differences, ...children.flatMap((child) => child.differences), ...extras],
    destinationId: own.destinationId,
    pairs: [...own.pairs, ...children.flatMap((child) => child.pairs)],
  }
}

function verdict(described: Described, desired: Draft, destinationId: string, fields: FieldDifference[]): Comparison {
  const { destinationOwned } = componentOf(desired.component)
  const matches = fields.every((field) => destinationOwned.includes(field.path))
  const open = described.protection.open(desired.component)
  const different = {
    ...differenceOf(described, 'different', desired, destinationId),
    fields: fields.map((field) => (open ? field : { path: field.path })),
    living: matches,
  }
  return {
    matched: matches ? [desired] : [],
    differing: matches ? [] : [desired],
    differences: fields.length > 0 ? [different] : [],
    destinationId,
    pairs: [{ component: desired.component, sourceId: desired.id, destinationId }],
  }
}

function differenceOf(
  { phase, protection }: Described,
  kind: DifferenceToWrite['kind'],
  draft: Draft,
  destinationId: string,
): DifferenceToWrite {
  return {
    phase,
    component: draft.component,
    kind,
    sourceId: kind === 'extra' ? '' : draft.id,
    destinationId,
    item: protection.item(draft),
    fields: [],
    living: false,
    changedMeanwhile: false,
    kept: kind === 'extra' && isMadeByShoppers(componentOf(draft.component), draft.body),
  }
}

/**
 * The second look decides. A difference that only the second look shows arose during the comparison, and so did that of
 * an item which the source has lost by then.
 *
 * @param again undefined if the source does not have the item any more
 */
export function secondLook(first: Comparison, again: Comparison | undefined): Comparison {
  const before = new Set(first.differences.map(textOf))
  const differences = (again ?? first).differences.map((difference) => ({
    ...difference,
    changedMeanwhile: !again || !before.has(textOf(difference)),
  }))
  return { ...(again ?? first), differences }
}

/** Leaves out names, which are not values of the stores, and ignores the order of fields, which saving changes. */
function textOf({ fields, ...difference }: DifferenceToWrite): string {
  const values = fields.map(({ names: _names, ...field }) => field)
  return canonical({ ...difference, fields: values.toSorted((one, other) => (one.path < other.path ? -1 : 1)) })
}
