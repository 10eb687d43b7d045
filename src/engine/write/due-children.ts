import type { Draft } from '../../entities/core/draft.ts'
import { isKind } from '../../model/pending.ts'
import { checksum, everyDraft } from '../core/pairing.ts'
import { draftWithout } from '../core/references.ts'
import { type ItemState, isOpen, ledgerKey, wasWritten } from './item-state.ts'

/** Children, as `component/id`, that refer to something without which they were written. */
export function renewedChildren({ deps, input, root }: ItemState, pending: string[]): Set<string> {
  const before = draftWithout(deps.pass, input.item, input.resolved, pending)
  const earlier = new Map([...everyDraft(before)].map((draft) => [ledgerKey(draft), checksum(draft)]))
  return new Set([...everyDraft(root)].filter((one) => checksum(one) !== earlier.get(ledgerKey(one))).map(ledgerKey))
}

/**
 * Whether a child is to be written. One that an earlier process or run has finished is the merchant's by now: an item
 * that is continued gets only what it lacks (C1).
 */
export function isDue(state: ItemState, child: Draft): boolean {
  const { mode } = state
  if (mode.kind !== 'continue') return isOpen(state, child)
  if (mode.renewed.has(ledgerKey(child))) return isOpen(state, child) || wasWritten(state, child)
  return isOpen(state, child) && pendingOf(state, child)?.length !== 0
}

/** Whether a child was recorded and could not be written completely. */
export function isUnfinished(state: ItemState, child: Draft): boolean {
  return state.mode.kind === 'continue' && (pendingOf(state, child)?.length ?? 0) > 0
}

/** Whether a child was finished but for its picture, so that nothing else of it is written. */
export function awaitsPicture(state: ItemState, child: Draft): boolean {
  const pending = state.mode.kind === 'continue' ? pendingOf(state, child) : undefined
  return pending?.some((one) => isKind(one, 'picture')) === true && !pending.some((one) => isKind(one, 'children'))
}

/** What a child lacked when it was last written; undefined if it was never recorded. */
function pendingOf({ copies }: ItemState, { component, id }: Draft): string[] | undefined {
  return copies?.get(`${component}:${id}`)?.owed
}
