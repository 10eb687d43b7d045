import { mappingsOf } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { namesOf, same } from '../core/pairing.ts'
import { ItemGone } from '../core/stopping.ts'
import { assignedEarlier, ownOfStorefront, placementOf, setsOfStorefront } from '../plan/assign-copies.ts'
import { continueItem, withOwnMembers } from './complete-pending.ts'
import {
  beginItem,
  differingFields,
  type ItemInput,
  type ItemState,
  isOpen,
  ledgerKey,
  pairChildren,
  readExisting,
  type WriteDeps,
} from './item-state.ts'
import { flush, mappingTo, note } from './record-item.ts'
import { createChild, untilBatched } from './sync-children.ts'
import { updateRoot } from './update-root.ts'

/**
 * Assigns a copy that another run made to the storefronts of this one, and changes nothing else (D3). It stays where the
 * merchant has put it since.
 */
export async function assignStorefront(deps: WriteDeps, input: ItemInput, mapping: Mapping): Promise<void> {
  await assign(deps, input, mapping, namesOf(input.resolved.draft))
}

/** The same, and then gives the copy what it lacks. */
export async function assignAndContinue(deps: WriteDeps, input: ItemInput, mapping: Mapping): Promise<void> {
  const own = ownOfStorefront(input.resolved.draft)
  if ((await assign(deps, input, mapping, own.flatMap(namesOf))) === 'refused') return
  const states = new Map([...input.states, ...own.map((one) => [ledgerKey(one), 'skipped'] as const)])
  await continueItem(deps, { ...input, states }, mapping)
}

/** @param ended the items that end with it */
async function assign(
  deps: WriteDeps,
  input: ItemInput,
  { destinationId }: Mapping,
  ended: { component: string; sourceId: string }[],
): Promise<'assigned' | 'refused'> {
  const state = beginItem(deps, input, { kind: 'compare' })
  const { root, progress } = state
  const existing = await readExisting(state, destinationId)
  if (!existing)
    throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being assigned`)
  // What a run has made is the merchant's by now.
  const made = [...(await assignedEarlier(deps.context, ownOfStorefront(root))), ...(await assignedHere(deps, root))]
  const before = await membersBefore(state, made)
  const { body } = withOwnMembers(deps.pass, root, { ...root, body: before }, existing)
  const fields = differingFields(state, root, existing).filter(
    ({ path }) => path in before && !same(body[path], existing.compare[path]),
  )
  const updated = await updateRoot({ ...state, root: { ...root, body } }, existing, fields, null)
  if (updated.kind === 'refused') return 'refused'
  const isLeft = ({ id }: Draft) => made.some(({ sourceId }) => sourceId === id)
  for (const pair of pairChildren(state, ownOfStorefront(root), existing.children).pairs)
    if (pair.existing) note(state, { ...pair, existing: pair.existing }, 'matched', progress.recording)
    else if (isOpen(state, pair.desired) && !isLeft(pair.desired))
      await createChild(state, pair, { parentId: existing.id, parent: existing })
  await untilBatched(state)
  for (const name of ended) progress.recording.ends.push({ ...name, state: 'skipped' })
  progress.recording.mappings.push(...placementOf(deps.context, deps.pass, mappingTo(state, root, existing)))
  await flush(state)
  return 'assigned'
}

/** Its assignments that this run or one of the same extent has made. */
async function assignedHere({ context }: WriteDeps, root: Draft): Promise<Mapping[]> {
  return [...(await context.references.mappings(ownOfStorefront(root).flatMap(namesOf))).values()]
}

/** What the runs that assigned the copy earlier gave it, by field: the categories of their storefronts. */
async function membersBefore({ deps, input }: ItemState, assigned: Mapping[]): Promise<Record<string, unknown[]>> {
  const { context, pass } = deps
  const fields = setsOfStorefront(pass)
  const sets = (pass.sets ?? []).filter(({ field }) => fields.includes(field))
  const requested = sets.flatMap(({ field, of: component }) =>
    assigned.flatMap(({ scope }) =>
      ((input.item[field] ?? []) as unknown[]).map((id) => ({ component, sourceId: String(id), scope })),
    ),
  )
  const known = requested.length === 0 ? [] : await mappingsOf(context.database, context.pair, requested)
  return Object.fromEntries(
    sets.map(({ field, of }) => [
      field,
      known.flatMap(({ component, destinationId }) => (component === of ? Number(destinationId) : [])),
    ]),
  )
}
