import {
  noCurrencyRemedy,
  noResponseRemedy,
  notAllowedRemedy,
  planLimitRemedy,
  takenRemedy,
} from '../../contract/issue-codes.ts'
import { insufficientStorage } from '../../contract/primitives/http-status.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { calledItem } from '../../entities/item-words.ts'
import { isAboutPicture, isTaken, passes } from '../../model/healing.ts'
import { causeOf, noCurrency, ownWords, platformWords, refusedFields } from '../../model/refusal-reason.ts'
import type { RunContext } from '../context/context.ts'
import type { Refusal } from '../send/writes.ts'
import { type ItemState, isRoot } from './item-state.ts'

type Severity = 'failure' | 'warning'

/** Of an item, not of a scope that the token lacks: that ends the run. */
const forbidden = 403

/** The platform refused the item, or a part of it. */
export function refusalIssue(state: ItemState, draft: Draft, refusal: Refusal, severity: Severity): IssueToWrite {
  if (refusal.rule !== undefined) return predictedIssue(state, draft, refusal.title, refusal.rule, severity)
  const { context } = state.deps
  const isOpen = context.protection.open(draft.component)
  const { code, message } = described(calledIn(state, draft), refusal, severity)
  return {
    ...issueAt(state, draft),
    severity,
    code,
    message: `${message}: ${reasonOf(context, draft, refusal)}.`,
    ...(code === 'platform_refused' && remedyFor(refusal)),
    platform: {
      method: refusal.method,
      path: refusal.path,
      status: refusal.httpStatus,
      title: isOpen ? refusal.title : (causeOf(refusal) ?? ''),
      errors: isOpen
        ? refusal.errors
        : Object.fromEntries(refusedFields(refusal, draft.body).map((name) => [name, ''])),
    },
  }
}

/** A part of an item with the item: an address is not found by its id. */
function calledIn(state: ItemState, draft: Draft): string {
  const { protection } = state.deps.context
  const own = protection.called(draft)
  return isRoot(state, draft) ? own : `${own} of ${protection.called(state.root)}`
}

/** The remedy of a refusal for which the item in the source is not to blame. */
function remedyFor(refusal: Refusal): Pick<IssueToWrite, 'remedy'> | undefined {
  const { method, httpStatus: status } = refusal
  const answer = { ...refusal, status }
  if (passes(answer)) return { remedy: noResponseRemedy }
  if (status === forbidden) return { remedy: notAllowedRemedy }
  if (status === insufficientStorage) return { remedy: planLimitRemedy }
  if (causeOf(refusal) === noCurrency) return { remedy: noCurrencyRemedy }
  return method === 'PUT' && isTaken(answer) ? { remedy: takenRemedy } : undefined
}

/** Why an item was refused: in the platform's words, or in ours for personal and secret items. */
export function reasonOf({ protection }: Pick<RunContext, 'protection'>, draft: Draft, refusal: Refusal): string {
  return protection.open(draft.component) ? platformWords(refusal) : ownWords(refusal, draft.body)
}

function described(
  called: string,
  refusal: Refusal,
  severity: Severity,
): { code: IssueToWrite['code']; message: string } {
  const code = severity === 'warning' ? 'partly_saved' : 'platform_refused'
  if (severity === 'failure' && isAboutPicture(refusal))
    return { code: 'picture_not_fetched', message: `The destination could not use the picture of ${called}` }
  if (refusal.bySource) return { code, message: `The source did not provide ${called}` }
  if (severity === 'warning') return { code, message: `The destination saved ${called}` }
  return { code, message: `The destination refused ${called}` }
}

/**
 * What a dry run expects to be refused, as it sends nothing (F2). It is a warning, because nothing has gone wrong yet.
 */
function predictedIssue(state: ItemState, draft: Draft, why: string, rule: string, severity: Severity): IssueToWrite {
  const { context } = state.deps
  const called = calledIn(state, draft)
  const what = severity === 'failure' ? `would refuse ${called}` : `would save ${called} without what is not free`
  const details = context.protection.open(draft.component) ? ` (${why})` : ''
  return {
    ...issueAt(state, draft),
    severity: 'warning',
    code: 'would_be_refused',
    message: `The destination ${what}, by the rule "${rule}"${details}.`,
  }
}

/** The platform gave the item a different web address from the one it has in the source. */
export function movedIssue(state: ItemState, desired: Draft, existing: Draft): IssueToWrite | undefined {
  const { path } = state.root
  if (!isRoot(state, desired) || path === null || existing.path === null || existing.path === path) return undefined
  const called = state.deps.context.protection.called(desired)
  return {
    ...issueAt(state, desired),
    severity: 'warning',
    code: 'address_changed',
    destinationId: existing.id,
    message: `${called} has the web address ${path} in the source, which is taken or not accepted at the destination; there it is ${existing.path}.`,
  }
}

/** @param name of the item in the list of deletions: an item may keep several of its parts */
export function notRemovedIssue(state: ItemState, existing: Draft, name: string, refusal: Refusal): IssueToWrite {
  const issue = refusalIssue(state, existing, refusal, 'warning')
  const called = issue.item.name ?? existing.id
  const message = `Could not delete "${called}" at the destination, which the source does not have: ${reasonOf(state.deps.context, existing, refusal)}.`
  return { ...issue, code: 'not_pruned', sourceId: `there:${name}`, destinationId: existing.id, message }
}

export function reducedPictureIssue(state: ItemState, image: Draft): IssueToWrite {
  const at = issueAt(state, image)
  const did = state.deps.context.run.mode === 'dry-run' ? 'would be' : 'was'
  const message = `The destination cannot use the original of the picture ${calledItem({ component: image.component, id: image.id, name: at.item.name })}; it ${did} copied with at most 1280 pixels.`
  return { ...at, severity: 'warning', code: 'picture_reduced', message }
}

/** A part of an item that the platform cannot create. */
export function leftOutIssue(state: ItemState, draft: Draft, why: string): IssueToWrite {
  const message = `${calledIn(state, draft)}: ${why}`
  const { remedy } = draft
  return { ...issueAt(state, draft), severity: 'warning', code: 'not_copied', message, ...(remedy && { remedy }) }
}

/** A part of an item that names another part, which the copy does not have. */
export function missingSiblingIssue(state: ItemState, draft: Draft, missing: string): IssueToWrite {
  const message = `${calledIn(state, draft)} needs ${missing}, which the destination does not have.`
  return { ...issueAt(state, draft), severity: 'failure', code: 'missing_reference', message }
}

/** An edit that was made at the destination is about to be overwritten (C2). */
export function overwrittenIssue({ deps, root }: ItemState, destinationId: string): IssueToWrite {
  return {
    phase: deps.entity.key,
    component: root.component,
    severity: 'warning',
    code: 'destination_changed',
    sourceId: root.id,
    item: deps.context.protection.item(root),
    destinationId,
    message: `${deps.context.protection.called(root)} was edited at the destination after the copy; the edit was overwritten.`,
  }
}

/** Two sources have the same item, and each run from one of them overwrites the copy from the other (G3). */
export function otherSourceIssue({ deps, root }: ItemState, destinationId: string, copiedFrom: string): IssueToWrite {
  const did = deps.context.run.mode === 'dry-run' ? 'would be' : 'was'
  return {
    phase: deps.entity.key,
    component: root.component,
    severity: 'warning',
    code: 'copy_of_other_source',
    sourceId: root.id,
    item: deps.context.protection.item(root),
    destinationId,
    message: `${deps.context.protection.called(root)} ${did} written over the copy of the same item from "${copiedFrom}" (destination ${destinationId}).`,
  }
}

export function issueAt({ deps, root }: ItemState, draft: Draft) {
  return {
    phase: deps.entity.key,
    component: draft.component,
    sourceId: draft.id,
    item: deps.context.protection.item(draft),
    position: { pass: deps.pass.key, rootId: root.id },
  }
}
