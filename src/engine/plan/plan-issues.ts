import { brokenReferenceRemedy, type IssueCode, writtenOnceRemedy } from '../../contract/issue-codes.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, type MissingReference } from '../../entities/core/references.ts'
import { calledItem, describePending, itemWords } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import { isKind, isReferenceTo } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { namesOf } from '../core/pairing.ts'
import { referenceTo } from './broken-references.ts'
import type { Decision } from './decide.ts'
import type { PageItem, PlannedItem, Unwritable } from './decision.ts'
import { describeUnresolved } from './link-issues.ts'

/** The pass that an issue is about. */
export interface IssueScope {
  context: RunContext
  entity: Entity
  pass: Pass
}

/** Decisions after a comparison with the copy. Under `skip`, none of its fields would be written. */
const compared: readonly Decision['kind'][] = ['matched', 'equal', 'examine']

/** Nothing can be missing from a copy that is not there. */
const withoutCopy: readonly Decision['kind'][] = ['fail', 'erased', 'of-erased', 'archived', 'left-out']

/** The issues to report about an item when it is planned. What a new copy lacks is reported once there is one. */
export function issuesOf(scope: IssueScope, one: PageItem): IssueToWrite[] {
  if (one.kind === 'unwritable') return [one.failure]
  const issues = decisionIssues(scope, one)
  return one.decision.kind === 'create' ? issues : [...issues, ...copyIssues(scope, one)]
}

/** The issues to report about the copy of an item. */
export function copyIssues(scope: IssueScope, one: PlannedItem): IssueToWrite[] {
  const { draft, missing } = one.resolved
  const issues = writes(one.decision) ? writeIssues(scope, one) : []
  if (one.decision.kind === 'create' && draft.withheld !== null) issues.push(notCopied(scope, draft, draft.withheld))
  if (draft.kept !== undefined && compared.includes(one.decision.kind)) issues.push(notCopied(scope, draft, draft.kept))
  // Whether items of the same pass are missing is only known when it ends. A copy that is left alone may have been made
  // while they were there.
  const isLeft = one.decision.kind === 'skipped' || one.decision.kind === 'adopt'
  const isLeftOut = (text: string) => !isLeft || one.mapping?.owed.includes(text) === true
  const absent = missing
    .filter((text) => isKind(text, 'reference') && !isReferenceTo(text, scope.pass.root))
    .filter(isLeftOut)
  if (absent.length > 0 && !withoutCopy.includes(one.decision.kind))
    issues.push(leftOutIssue(scope, draft, absent, one.broken))
  return issues
}

function decisionIssues(scope: IssueScope, { decision, resolved: { draft } }: PlannedItem): IssueToWrite[] {
  const called = scope.context.protection.called(draft)
  const warn = (code: IssueCode, message: string) => draftIssue(scope, 'warning', code, draft, message)
  switch (decision.kind) {
    case 'fail': {
      const issue = draftIssue(scope, 'failure', decision.code, draft, decision.message)
      const { destinationId, remedy } = decision
      return [{ ...issue, destinationId, covers: namesOf(draft), ...(remedy !== undefined && { remedy }) }]
    }
    case 'archived': {
      const message = `${called} had been copied before and was archived at the destination (${decision.destinationId}); it was not created again.`
      return [{ ...warn('destination_archived', message), destinationId: decision.destinationId }]
    }
    case 'erased': {
      const message = `${called} had been copied before and was deleted at the destination (${decision.destinationId}). It was not created again, because a person may have asked to be erased; to create it again, name "${draft.component}" in recreateErased.`
      return [{ ...warn('not_recreated', message), destinationId: decision.destinationId }]
    }
    case 'of-erased': {
      const erased = [...new Set([decision.component, draft.component])].filter((name) => componentOf(name).staysErased)
      const names = erased.map((name) => `"${name}"`).join(' and ')
      const remedy = names === '' ? 'It is copied once that one is.' : `To copy both, name ${names} in recreateErased.`
      const message = `${called} was not copied, because it belongs to ${decision.owner}, which was deleted at the destination and was not created again: a person may have asked to be erased. ${remedy}`
      return [warn('not_recreated', message)]
    }
    case 'left-out':
    case 'unread':
      return [notCopied(scope, draft, decision.message)]
    case 'create': {
      const deleted = `${called} had been copied before and was deleted at the destination; it was created again.`
      return decision.destinationDeleted ? [warn('destination_deleted', deleted)] : []
    }
    default:
      return []
  }
}

/** @param why also if its content at the destination could not be read */
export function notCopied(scope: IssueScope, draft: Draft, why: string): IssueToWrite {
  const issue = draftIssue(scope, 'warning', 'not_copied', draft, `${scope.context.protection.called(draft)}: ${why}`)
  const isOwn = why === draft.uncreatable || why === draft.withheld || why === draft.kept
  const remedy = isOwn ? draft.remedy : unreadRemedy
  return remedy === undefined ? issue : { ...issue, remedy }
}

const unreadRemedy = 'Open it at the destination. If it shows there, run again later.'

/** Issues about an item that is written: smaller pictures, and links that could not be rewritten. */
function writeIssues(scope: IssueScope, { resolved }: PlannedItem): IssueToWrite[] {
  const { draft, reduced } = resolved
  const unresolved = describeUnresolved(resolved)
  const pictures = reduced && describeReduced(scope.context.protection.called(draft), reduced.length)
  return [
    ...(pictures === undefined ? [] : [draftIssue(scope, 'warning', 'picture_reduced', draft, pictures)]),
    ...(unresolved === null ? [] : [linkIssue(scope, draft, unresolved)]),
  ]
}

/** @param broken references to items that the source itself does not have */
export function leftOutIssue(
  scope: IssueScope,
  draft: Draft,
  missing: string[],
  broken: ReadonlySet<string>,
): IssueToWrite {
  const did = scope.context.run.mode === 'dry-run' ? 'would be' : 'was'
  const [atSource, elsewhere] = [true, false].map((is) => missing.filter((one) => broken.has(one) === is))
  const without = [
    describeMissing(elsewhere, 'the destination does not have'),
    describeMissing(atSource, 'the source store does not have either'),
  ]
  const message = `${scope.context.protection.called(draft)} ${did} copied without ${without.flat().join(', and ')}.`
  const issue = draftIssue(scope, 'warning', 'reference_left_out', draft, message)
  if (elsewhere?.length === 0) return { ...issue, remedy: brokenReferenceRemedy }
  return scope.pass.createOnly ? { ...issue, remedy: writtenOnceRemedy } : issue
}

function describeMissing(missing: string[] = [], which: string): string[] {
  return missing.length === 0 ? [] : [`${describePending(missing)}, which ${which}`]
}

/** @param unresolved describes the links that could not be rewritten */
export function linkIssue(scope: IssueScope, draft: Draft, unresolved: string): IssueToWrite {
  const has = scope.context.run.mode === 'dry-run' ? 'would have' : 'has'
  const message = `${scope.context.protection.called(draft)} ${has} ${unresolved}.`
  return draftIssue(scope, 'warning', 'link_unresolved', draft, message)
}

/** An item that cannot be written, because it needs one that is missing. */
export function unwritable(
  scope: IssueScope,
  item: PlatformItem,
  missing: MissingReference,
  broken: ReadonlySet<string>,
): Unwritable {
  const { id, named } = unplanned(scope, item)
  const called = calledItem({ component: scope.pass.root, id, name: named.name })
  const needed = itemWords({ component: missing.component, id: missing.sourceId })
  const isBroken = broken.has(referenceTo(missing))
  const which = isBroken ? 'the source store does not have either' : 'the destination does not have'
  const message = `${called} needs ${needed}, which ${which}.`
  const failure = planIssue(scope, 'failure', 'missing_reference', id, named, message)
  return { kind: 'unwritable', id, failure: isBroken ? { ...failure, remedy: brokenReferenceRemedy } : failure }
}

/** An item that cannot be written, because the chain of its parents does not lead to the top. */
export function broken(scope: IssueScope, item: PlatformItem): Unwritable {
  const { id, named } = unplanned(scope, item)
  const component = scope.pass.root
  const parent = itemWords({ component, id: String(scope.pass.parentOf?.(item)) })
  const message = `${calledItem({ component, id, name: named.name })} is below ${parent}, which does not exist or is itself below it.`
  return { kind: 'unwritable', id, failure: planIssue(scope, 'failure', 'hierarchy_broken', id, named, message) }
}

/** Names an item that cannot become a draft. */
function unplanned({ context, pass }: IssueScope, item: PlatformItem): { id: string; named: IssueToWrite['item'] } {
  return { id: String(item[pass.source.idField]), named: context.protection.item(pass.drafts(item, identity)) }
}

/** An item of the destination, or a part of one, that was not deleted. */
export function notPrunedIssue(
  { key: phase }: Entity,
  { component, id, item }: Pick<IssueToWrite, 'component' | 'item'> & { id: string },
  message: string,
): IssueToWrite {
  const about = { phase, component, sourceId: `there:${id}`, destinationId: id, item }
  return { ...about, severity: 'warning', code: 'not_pruned', message }
}

export function draftIssue(
  scope: IssueScope,
  severity: 'failure' | 'warning',
  code: IssueCode,
  draft: Draft,
  message: string,
): IssueToWrite {
  return planIssue(scope, severity, code, draft.id, scope.context.protection.item(draft), message)
}

export function planIssue(
  { entity, pass }: IssueScope,
  severity: 'failure' | 'warning',
  code: IssueCode,
  sourceId: string,
  item: IssueToWrite['item'],
  message: string,
): IssueToWrite {
  const component = pass.root
  const position = { pass: pass.key, rootId: sourceId }
  const covers = severity === 'failure' ? [{ component, sourceId }] : []
  return { phase: entity.key, component, severity, code, message, sourceId, item, position, covers }
}

function writes({ kind }: Decision): boolean {
  return kind === 'create' || kind === 'continue' || kind === 'examine'
}

function describeReduced(called: string, pictures: number): string {
  return `${called}: the originals of ${pictures} of its pictures have addresses longer than the platform accepts; new ones are copied with at most 1280 pixels.`
}
