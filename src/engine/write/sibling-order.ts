import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { beforeImage } from './before-image.ts'
import { isDue } from './due-children.ts'
import { type ChildPair, differingFields, type ItemState } from './item-state.ts'
import { needsUpdate } from './update-child.ts'

/**
 * Pairs in the order in which they are written. A sibling that gives up what another one gets, such as a SKU, goes before
 * it. Sorted siblings, such as images, go from the first position to the last. When one moves to a later position, the
 * platform moves those behind it, and by how much is not documented. So their positions count as unknown and are written
 * again.
 */
export function inWriteOrder(pairs: ChildPair[]): ChildPair[] {
  const moved = new Set<string>()
  return afterClashing(sorted(pairs)).map((pair) => {
    const { component, desired, existing } = pair
    const { key, sortField } = component
    if (!existing || sortField === undefined) return pair
    const current = moved.has(key) ? { ...existing, compare: { ...existing.compare, [sortField]: null } } : existing
    if (positionOf(desired, sortField) > positionOf(existing, sortField)) moved.add(key)
    return { ...pair, existing: current }
  })
}

/** Sorts the pairs that have a position; the others stay where they are. */
function sorted(pairs: ChildPair[]): ChildPair[] {
  const inOrder = pairs
    .filter(({ component }) => component.sortField !== undefined)
    .toSorted((a, b) => positionIn(a) - positionIn(b))
    .values()
  return pairs.map((pair) => (pair.component.sortField === undefined ? pair : (inOrder.next().value ?? pair)))
}

function positionIn({ desired, component }: ChildPair): number {
  return positionOf(desired, component.sortField ?? '')
}

function positionOf({ compare }: Draft, sortField: string): number {
  return Number(compare[sortField] ?? 0)
}

/** Whether the platform refuses a sibling while the other one is as it is. */
export function clashes({ component, desired }: ChildPair, other: ChildPair): boolean {
  if (!component.clashes || !other.existing || !haveOneNameSpace(component, other.component)) return false
  return component.clashes(desired, other.existing)
}

function haveOneNameSpace(one: Component, other: Component): boolean {
  return one === other || (one.uniqueNamesOf !== undefined && one.uniqueNamesOf === other.uniqueNamesOf)
}

/** Whether it has by now what no other sibling can have beside it. */
export function isSettled(pair: ChildPair): boolean {
  return pair.component.freed !== undefined && clashes(pair, pair)
}

/** Each pair after those with which it clashes, unless they wait for it in turn. */
function afterClashing(pairs: ChildPair[]): ChildPair[] {
  const open = pairs.filter((pair) => pair.component.clashes && !isSettled(pair))
  if (open.length < 2) return pairs
  const begun = new Set<ChildPair>()
  const ordered: ChildPair[] = []
  const add = (pair: ChildPair) => {
    if (begun.has(pair)) return
    begun.add(pair)
    for (const other of open) if (clashes(pair, other)) add(other)
    ordered.push(pair)
  }
  for (const pair of pairs) add(pair)
  return ordered
}

/**
 * Frees siblings of what they are about to exchange: of two variants that swap their SKUs, each would be refused while the
 * other one has its own.
 *
 * @param pairs in the order in which they are written
 */
export async function freeSiblings(
  state: ItemState,
  pairs: ChildPair[],
  parent: Draft,
  address: string,
): Promise<ChildPair[]> {
  if (state.mode.kind !== 'compare') return pairs
  const freed: ChildPair[] = []
  for (const [at, pair] of pairs.entries()) {
    const mayBeInTheWay = pair.component.freed !== undefined && !isSettled(pair)
    const isInTheWay = mayBeInTheWay && pairs.slice(0, at).some((earlier) => clashes(earlier, pair))
    freed.push(isInTheWay ? await free(state, pair, parent, address) : pair)
  }
  return freed
}

/** If the platform refuses that, the sibling stays as it is. */
export async function free(state: ItemState, pair: ChildPair, parent: Draft, address: string): Promise<ChildPair> {
  const { component, desired, existing } = pair
  const { update } = component
  const freed = existing && component.freed?.(existing)
  if (!freed || !update) return pair
  if (!isDue(state, desired) || !needsUpdate(state, { ...pair, existing })) return pair
  const between = { ...desired, body: { ...desired.body, ...freed } }
  const call = update.call(between, existing, address, Object.keys(freed), parent)
  const { deps, root, progress } = state
  // The first write of an item keeps what all of them overwrite.
  const before = beforeImage(state, existing, differingFields(state, desired, existing))
  const target = { pass: deps.pass.key, rootId: root.id, parentId: address, before }
  const { refusal } = await deps.writer.update(component, between, call, target, () => async () => undefined)
  if (refusal) return pair
  progress.written += 1
  const { body, compare } = existing
  return { ...pair, existing: { ...existing, body: { ...body, ...freed }, compare: { ...compare, ...freed } } }
}
