import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { isPlanned, type PageItem, type PlannedItem } from '../plan/decision.ts'
import { keyMatchesOf } from '../plan/key-matches.ts'
import { beforeImage } from '../write/before-image.ts'
import { readCurrent } from '../write/compare-item.ts'
import { beginItem, differingFields, type ItemState, pairChildren } from '../write/item-state.ts'
import { standIns } from '../write/refused-update.ts'
import { clashes, free as freeSibling, isSettled } from '../write/sibling-order.ts'
import type { OpenPass } from './open-pass.ts'
import { existingOf, readExamined } from './start-items.ts'

/** A copy that was refused, or a part of it, because another one has what it is to get. */
interface Blocked {
  state: ItemState
  existing: Draft
  /** Other copies of the destination that have one of its keys. */
  keyMatches: string[]
}

/**
 * Frees copies of what they are about to exchange: of two products that swap their names, each is refused while the other
 * one has its own. Only where every copy in the way is itself written now, so that none keeps what it gets in between. The
 * same for variants that exchange their SKUs with those of other products.
 *
 * @param refused source ids of items that were refused because of what another one has
 */
export async function freeExchanged(open: OpenPass, planned: PageItem[], refused: ReadonlySet<string>): Promise<void> {
  const { uniqueFields = [] } = componentOf(open.pass.root)
  const copies = planned.filter(isPlanned).filter(({ resolved, decision, mapping }) => {
    return mapping && decision.kind === 'examine' && refused.has(resolved.draft.id)
  })
  if (copies.length < 2) return
  const all = await blockedCopies(open, copies)
  await freeParts(all)
  const blocked = exchanging(all)
  for (const one of blocked) {
    const names = uniqueFields.filter((field) =>
      blocked.some((other) => other !== one && isInTheWay(one, other, field)),
    )
    if (names.length > 0) await free(one, names)
  }
}

async function blockedCopies(open: OpenPass, copies: PlannedItem[]): Promise<Blocked[]> {
  const { context, pass, deps } = open
  const drafts = copies.map(({ resolved }) => resolved.draft)
  const matches = await keyMatchesOf(context, pass, drafts, { compares: false })
  const examined = await readExamined(open, copies)
  const found = await Promise.all(
    copies.map(async (one) => {
      const { item, resolved, mapping } = one
      const state = beginItem(deps, { item, resolved, mapping, states: new Map() }, { kind: 'compare' })
      const listed = existingOf(pass, one, examined)
      if (!listed) return []
      const { existing, listedChecksum } = listed
      const current = await readCurrent(state, { existing, changed: false, listedChecksum })
      const others = matches.get(resolved.draft.id) ?? []
      const keyMatches = others.map(({ destinationId }) => destinationId).filter((id) => id !== current.id)
      return [{ state, existing: current, keyMatches }]
    }),
  )
  return found.flat()
}

/** Names of options and modifiers are unique below their product only. */
function isUniqueInStore({ freed, uniqueNamesOf }: Component): boolean {
  return freed !== undefined && uniqueNamesOf === undefined
}

async function freeParts(blocked: Blocked[]): Promise<void> {
  const parts = blocked.flatMap((owner) =>
    pairChildren(owner.state, owner.state.root.children, owner.existing.children)
      .pairs.filter((pair) => isUniqueInStore(pair.component) && !isSettled(pair))
      .map((pair) => ({ owner, pair })),
  )
  for (const { owner, pair } of parts) {
    const isInTheWay = parts.some((other) => other.owner !== owner && clashes(other.pair, pair))
    if (isInTheWay) await freeSibling(owner.state, pair, owner.existing, owner.existing.id)
  }
}

/** Leaves out those that stay refused, and those for which they are in the way. */
function exchanging(blocked: Blocked[]): Blocked[] {
  const ids = new Set(blocked.map(({ existing }) => existing.id))
  const left = blocked.filter(({ keyMatches }) => keyMatches.every((id) => ids.has(id)))
  return left.length === blocked.length ? left : exchanging(left)
}

/** Whether a copy has what the other one is to get, and is to get something else. */
function isInTheWay({ state, existing }: Blocked, other: Blocked, field: string): boolean {
  const now = plain(existing.compare[field])
  return now !== '' && now === plain(other.state.root.compare[field]) && now !== plain(state.root.compare[field])
}

function plain(value: unknown): string {
  return String(value ?? '')
    .trim()
    .toLowerCase()
}

/** If the platform refuses that, the copy stays as it is. */
async function free({ state, existing }: Blocked, names: string[]): Promise<void> {
  const { deps, root, component } = state
  const between = { ...root, body: { ...root.body, ...standIns(state, existing, names) } }
  const call = component.update?.call(between, existing, '', names)
  if (!call) return
  // The first write of an item keeps what all of them overwrite.
  const before = beforeImage(state, existing, differingFields(state, root, existing))
  const target = { pass: deps.pass.key, rootId: root.id, parentId: '', before }
  const { refusal } = await deps.writer.update(component, between, call, target, () => async () => undefined)
  if (!refusal) deps.exchanging.set(existing.id, Object.fromEntries(names.map((name) => [name, existing.body[name]])))
}
