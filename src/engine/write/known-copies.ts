import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { namesOf } from '../core/pairing.ts'
import { type ItemState, isFresh } from './item-state.ts'

type Copies = NonNullable<ItemState['copies']>

/**
 * Children that were copied earlier are recognised by their mappings, even if they were changed since, and what
 * was added to the copy is kept apart from them.
 */
export async function withCopies(state: ItemState, existing: Draft): Promise<ItemState> {
  const children = namesOf(state.root).slice(1)
  const copies = await state.deps.context.references.mappings(children)
  return { ...state, copies, added: await addedThere(state, existing, copies) }
}

/**
 * Children that are copies of nothing, as `component/id`: pictures of the merchant, reviews of shoppers. Those that the
 * platform tells apart by a key of their own need not be looked up.
 * The copy of a child that the source has replaced is still known as its copy.
 */
async function addedThere(state: ItemState, existing: Draft, copies: Copies): Promise<Set<string>> {
  const { database, pair, references } = state.deps.context
  const added = new Set<string>()
  for (const [component, theirs] of Map.groupBy(existing.children.filter(isAlike), (one) => one.component)) {
    const ours = state.root.children.filter((one) => one.component === component)
    const known = ours.flatMap(({ id }) => copies.get(`${component}:${id}`)?.destinationId ?? [])
    const unknown = theirs.map(({ id }) => id).filter((id) => !known.includes(id))
    // If each of ours has its copy, none of the others is touched, unless one may take that of another.
    const isComplete = ours.every(({ id }) => hasCopy(theirs, copies.get(`${component}:${id}`)))
    if (unknown.length === 0 || (isComplete && !componentOf(component).takesCopies)) continue
    const claims = await claimsOf(database, pair, references.scope(component), component, unknown)
    if (known.length + claims.size === 0 && mayBeUnrecorded(state, component)) continue
    for (const id of unknown) if (!claims.has(id)) added.add(`${component}/${id}`)
  }
  return added
}

/** Whether it could be mistaken for another one. */
function isAlike({ keys, component }: Draft): boolean {
  const { sharesLaterKeys, takesCopies } = componentOf(component)
  return keys.length === 0 || sharesLaterKeys === true || takesCopies === true
}

function hasCopy(theirs: Draft[], copy: { destinationId: string } | undefined): boolean {
  return copy !== undefined && theirs.some(({ id }) => id === copy.destinationId)
}

/**
 * Whether such children may be copies that were not recorded: those of an item that was adopted, or whose process died
 * right after it was created. What shoppers make is never taken for a copy, and what has a key need not be.
 */
function mayBeUnrecorded(state: ItemState, component: string): boolean {
  const { madeByShoppers, takesCopies } = componentOf(component)
  if (madeByShoppers !== undefined || takesCopies) return false
  return isFresh(state) || state.input.mapping?.origin === 'adopted'
}
