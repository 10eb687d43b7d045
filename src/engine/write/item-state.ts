import type { PlannedChild } from '../../db/ledger/deletions.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { LedgerState } from '../../db/ledger/ledger.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { isAccepted } from '../../entities/core/accepted-fields.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import { pendingChildren } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { destinationOwned } from '../context/destination-owned.ts'
import type { Batcher } from '../core/batcher.ts'
import { type FieldDifference, fieldDifferences, type Pair, pairUp } from '../core/pairing.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import type { Resolved } from '../core/references.ts'
import { isSimulated } from '../core/simulated-id.ts'
import { idsPerLookUp, itemsByIds, readNow } from '../read/by-ids.ts'
import type { CreateRequest, Outcome, Refusal, Updated, UpdateRequest, Writes } from '../send/writes.ts'
import type { SeenTerms } from './seen-terms.ts'

/** What the items of one pass are written with. */
export interface WriteDeps {
  context: RunContext
  entity: Entity
  pass: Pass
  writer: Writes
  creates: Batcher<CreateRequest, Outcome>
  updates: Batcher<UpdateRequest, Updated>
  seenTerms: SeenTerms
  /** Whether this run tries again what had failed or was pending (F4). */
  healing: boolean
  /** What happens to children that only the destination has. */
  deletions: Deletions
  /** The names that copies had before they got stand-ins for those that they exchange, by destination id. */
  exchanging: Map<string, PlatformItem>
  park: <T>(wait: () => Promise<T>) => Promise<T>
}

/**
 * `none`: they stay. `listed`: they go to the list of deletions, which a run may have to have confirmed before it
 * deletes anything (G4). A map: what may be deleted now, by the source id of the item.
 */
export type Deletions = 'none' | 'listed' | ReadonlyMap<string, readonly PlannedChild[]>

export interface ItemInput {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  /** States from before a take-over, by `component/id`. Only pending ones are still to be done. */
  states: Map<string, LedgerState>
}

/** What is done with an item. */
export type Mode =
  /** Created now, so its children have a new parent. */
  | { kind: 'create' }
  /**
   * Begun by an earlier process or run. `renewed`: children, as `component/id`, that refer to something without which
   * they were written.
   */
  | { kind: 'continue'; renewed: ReadonlySet<string> }
  /** Compared with the source field by field, with its children. */
  | { kind: 'compare' }
  /** Only fields that are known to be pending are written. */
  | { kind: 'complete' }

/**
 * One source item with its children while it is written. Functions pass it on and never change it, except for
 * `progress`.
 */
export interface ItemState {
  readonly deps: WriteDeps
  readonly input: ItemInput
  readonly mode: Mode
  /** The item as it should be; if degraded, without what the platform refused. */
  readonly root: Draft
  readonly component: Component
  /** The refusals because of which the item was degraded. */
  readonly degradedBy: ReadonlyMap<'picture' | 'address', Refusal>
  /** The item as it was before this run wrote to it; undefined for one that is created. */
  readonly before: Draft | undefined
  /** Names of the children that are deleted now. */
  readonly removes: ReadonlySet<string>
  /** Earlier mappings of children; null until they are looked up. */
  readonly copies: ReadonlyMap<string, Mapping> | null
  /** Children that were added at the destination and that could be mistaken for copies, as `component/id`. */
  readonly added: ReadonlySet<string>
  /** Children that only the destination has and that others have copied there, as `component/id`: they stay. */
  readonly shared: ReadonlySet<string>
  readonly progress: Progress
}

/** What has happened to the item so far. */
export interface Progress {
  /** Results that needed no call and are recorded with the next one. */
  recording: Recording
  /** What the item will lack after this run, apart from missing references. */
  readonly pending: Set<string>
  /** Children that were written without their picture, as `component/id`. */
  readonly withoutPicture: Set<string>
  /** How many writes of the item and its children the store accepted. */
  written: number
  /** Issues that are recorded with the first write, if there is one. */
  readonly withFirstWrite: IssueToWrite[]
  /** Children that only the copy has and that this run leaves there. */
  readonly extra: Draft[]
  /** Children in batches that are not full yet. */
  readonly batched: Promise<void>[]
}

/** @param pending what is pending from before; by default the children, if one of them failed. */
export function beginItem(deps: WriteDeps, input: ItemInput, mode: Mode, pending = pendingBefore(input)): ItemState {
  const { draft: root } = input.resolved
  return {
    deps,
    input,
    mode,
    root,
    component: componentOf(root.component),
    degradedBy: new Map(),
    before: undefined,
    removes: new Set(),
    copies: null,
    added: new Set(),
    shared: new Set(),
    progress: {
      recording: emptyRecording(),
      pending: new Set(pending),
      withoutPicture: new Set(),
      written: 0,
      withFirstWrite: [],
      extra: [],
      batched: [],
    },
  }
}

function pendingBefore({ states, resolved }: ItemInput): string[] {
  const childFailed = [...states].some(([key, state]) => state === 'failed' && key !== ledgerKey(resolved.draft))
  return childFailed ? [pendingChildren] : []
}

export function ledgerKey({ component, id }: Draft): string {
  return `${component}/${id}`
}

export function isRoot({ root }: ItemState, { component, id }: Draft): boolean {
  return component === root.component && id === root.id
}

/** Whether this run created the item, so that everything on it is its work. */
export function isOurs({ deps, input: { mapping } }: ItemState): boolean {
  return !mapping || (mapping.origin === 'created' && mapping.runId === deps.context.run.id)
}

/** Whether the item is created now, or was by a process that died before the item was complete. */
export function isFresh({ input: { mapping } }: ItemState): boolean {
  return !mapping || (mapping.origin === 'created' && mapping.owed.includes(pendingChildren))
}

export function isOpen({ input }: ItemState, draft: Draft): boolean {
  return (input.states.get(ledgerKey(draft)) ?? 'pending') === 'pending'
}

/** Whether it was written earlier, with the references that could be resolved then. */
export function wasWritten({ input }: ItemState, draft: Draft): boolean {
  const state = input.states.get(ledgerKey(draft))
  return state === 'created' || state === 'updated'
}

/** Whether the run may write an item without what the platform refused. */
export function heals({ deps }: ItemState): boolean {
  const { auto, round } = deps.context.run.heal
  return auto || round > 0
}

/** Fields that are not as they should be. If the item is not ours, its destination-owned fields are left alone (D1). */
export function differingFields(state: ItemState, desired: Draft, existing: Draft): FieldDifference[] {
  const ignored = isOurs(state) ? [] : destinationOwned(state.deps.context.run, desired.component)
  const component = componentOf(desired.component)
  return fieldDifferences(desired.compare, existing.compare).filter(
    ({ path }) => !ignored.includes(path) && isAccepted(component, path),
  )
}

/** A child to write, or to leave as it is, with its component. */
export interface ChildPair extends Pair {
  component: Component
}

export function pairChildren(
  { copies, added, mode }: Pick<ItemState, 'copies' | 'added' | 'mode'>,
  desired: Draft[],
  existing: Draft[],
): { pairs: ChildPair[]; extra: Draft[] } {
  const { pairs, extra } = pairUp(desired, existing, copyIn(copies), added)
  const own = pairs.map((pair) => ({ ...pair, component: componentOf(pair.desired.component) }))
  const free = extra.filter((one) => componentOf(one.component).takesCopies && !added.has(ledgerKey(one)))
  return free.length > 0 && copies && mode.kind === 'compare' ? withTaken(own, extra, free) : { pairs: own, extra }
}

/** New children get the copies that are in their way, of those that the source has replaced. @param free these copies */
function withTaken(pairs: ChildPair[], extra: Draft[], free: Draft[]): { pairs: ChildPair[]; extra: Draft[] } {
  const taken = new Set<Draft>()
  const all = pairs.map((pair) => {
    if (pair.existing) return pair
    const { key, clashes } = pair.component
    const copy = free.find((one) => one.component === key && !taken.has(one) && clashes?.(pair.desired, one))
    if (!copy) return pair
    taken.add(copy)
    return { ...pair, existing: copy }
  })
  return { pairs: all, extra: extra.filter((one) => !taken.has(one)) }
}

/** Finds the known copy of a child. */
export function copyIn(copies: ItemState['copies']): (child: Draft) => string | undefined {
  return ({ component, id }) => copies?.get(`${component}:${id}`)?.destinationId
}

/** The copy with its children, read now; undefined if it is gone. */
export async function readExisting({ deps, root }: ItemState, destinationId: string): Promise<Draft | undefined> {
  const { pass, context } = deps
  // A simulated item cannot be read: its children are planned as for a new item.
  if (isSimulated(destinationId)) return { ...root, id: destinationId, children: [] }
  if (!pass.byIds) return undefined
  const [item] = await itemsByIds(context, 'destination', pass, [destinationId])
  return item && pass.drafts(item, identity)
}

/** The copy as it is now; undefined if it is gone, or if the platform cannot be asked for it alone. */
export async function readById({ context, pass }: WriteDeps, destinationId: string): Promise<Draft | undefined> {
  if (idsPerLookUp(pass) === null) return undefined
  const [item] = await readNow(context, 'destination', pass, [destinationId])
  return item && pass.drafts(item, identity)
}

/** Where the children of an item are written. */
export function childAddress({ addressBelow }: Component, id: string, parentAddress: string): string {
  return addressBelow?.(id, parentAddress) ?? id
}

/** The item itself as an answer shows it. */
export function readRoot({ deps }: ItemState, item: PlatformItem): Draft {
  return deps.pass.drafts(item, identity)
}

/** Checksum of what the platform answered; null where an answer does not show all of an item. */
export function checksumOfAnswer({ deps }: ItemState, existing: Draft): string | null {
  return deps.pass.byIds ? null : deps.context.protection.checksum(existing)
}
