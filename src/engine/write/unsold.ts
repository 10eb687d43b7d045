import { CredentialsError, PlatformError } from '../../bigcommerce/errors.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { SaleTerms } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Refusal } from '../send/writes.ts'
import { issueAt } from './item-issues.ts'
import type { ItemState } from './item-state.ts'

/** The item without what the destination is known not to sell at present. */
export function withoutUnsold(state: ItemState): ItemState {
  const root = state.component.create?.unsold?.replace(state.root, state.deps.seenTerms.find)
  return root ? { ...state, root } : state
}

/** The item without what it was refused for; undefined if the refusal is about something else (G15). */
export async function withoutRefusedLines(state: ItemState, sent: Draft, refusal: Refusal): Promise<Draft | undefined> {
  const { unsold } = state.component.create ?? {}
  if (!unsold?.mayBeReason(refusal)) return undefined
  const { context, seenTerms } = state.deps
  const terms = await unsold.ask(context.destination, sent, context.lease.stop).catch((error: unknown) => {
    if (!(error instanceof PlatformError) || error instanceof CredentialsError) throw error
    return new Map<string, SaleTerms>()
  })
  seenTerms.learn(terms)
  const known = unsold.replace(sent, (key) => terms.get(key))
  return known ?? (unsold.isReason(refusal) ? unsold.replace(sent, 'none') : undefined)
}

/** Reports that parts of the item were sent in another form. */
export function unsoldIssues(state: ItemState): IssueToWrite[] {
  const { root, input, component } = state
  const linked = (draft: Draft) => component.sideEffects?.stock?.(draft).length ?? 0
  const lines = linked(input.resolved.draft) - linked(root)
  if (lines === 0) return []
  const called = state.deps.context.protection.called(root)
  const message = `${called} was copied with ${lines} of its lines not linked to their products, because the destination does not sell them in this quantity or without further options now, or does not have them any more. Names, SKUs and prices are those of the source.`
  return [{ ...issueAt(state, root), severity: 'warning', code: 'lines_not_linked', message }]
}
