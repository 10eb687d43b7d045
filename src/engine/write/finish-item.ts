import type { Draft } from '../../entities/core/draft.ts'
import { isKind, pendingChildren, pendingPicture } from '../../model/pending.ts'
import type { Recording } from '../core/recording.ts'
import { namedElsewhere, pendingElsewhere, placementOf } from '../plan/assign-copies.ts'
import { type ItemState, isFresh, isOurs } from './item-state.ts'
import { flush, mappingTo, settledAt, stateOfFound } from './record-item.ts'
import { removeAdded } from './remove-child.ts'
import { syncChildren, untilBatched } from './sync-children.ts'

/**
 * Writes the children of an item that exists, and ends it. @param checksum of the item as the destination has it, if
 * known.
 */
export async function finishItem(state: ItemState, existing: Draft, checksum: string | null): Promise<void> {
  await syncChildren(state, state.root, existing, existing.id)
  await untilBatched(state)
  await removeAdded(state, existing)
  endItem(state, existing, checksum, state.progress.recording, state.progress.extra.length > 0)
  await flush(state)
}

/** Ends an item, complete or with what is pending. Only a complete item keeps its checksums (C2). */
export function endItem(
  state: ItemState,
  existing: Draft,
  checksum: string | null,
  recording: Recording,
  extraChildren: boolean | null = false,
): void {
  const { deps, input, root, mode, progress } = state
  const { context } = deps
  const pending = pendingOf(state)
  const left = pendingElsewhere(context, input.mapping, input.resolved)
  const elsewhere = isOurs(state) ? [...new Set([...left, ...namedElsewhere(deps.pass, root)])] : left
  const isComplete = pending.length === 0
  const copy = mappingTo(state, root, existing, [...pending, ...elsewhere])
  recording.mappings.push({
    ...copy,
    draftChecksum: isComplete ? context.protection.checksum(root) : null,
    destinationChecksum: isComplete ? checksum : null,
    extraChildren,
  })
  recording.mappings.push(...placementOf(context, deps.pass, copy))
  const { component, id: sourceId, deferred } = root
  const scope = context.references.scope(component)
  if (deferred !== null && isFresh(state))
    recording.deferredWrites.push({
      ...{ kind: 'deferred-write', component, scope, subject: sourceId },
      ...{ desired: deferred, item: context.protection.item(root) },
    })
  if (!pending.some((one) => isKind(one, 'reference')))
    // What is written once goes on without it.
    recording.settled.push(
      ...settledAt(
        state,
        root,
        deps.pass.createOnly ? ['platform_refused'] : ['reference_left_out', 'platform_refused'],
      ),
    )
  if (!pending.includes(pendingPicture)) recording.settled.push(...settledAt(state, root, ['picture_not_fetched']))
  // A compared item counts by its own fields; updates of its children are counted with them.
  const isUpdated = progress.written > 0 && mode.kind !== 'compare'
  const ended = isUpdated && !isOurs(state) ? 'updated' : stateOfFound(state, { desired: root, existing })
  recording.ends.push({ component, sourceId, state: ended })
}

/** What the item still lacks, its children last. */
function pendingOf({ input, progress }: ItemState): string[] {
  const own = new Set([...input.resolved.missing, ...progress.pending])
  const hasChildren = own.delete(pendingChildren)
  return [...own, ...(hasChildren ? [pendingChildren] : [])]
}
