import type { IssueCode } from '../../contract/issue-codes.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, type MissingReference } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { namesOf } from '../core/pairing.ts'
import type { Decision } from './decide.ts'
import type { PlannedItem, Unwritable } from './decision.ts'
import { isOwnKind } from './late-references.ts'
import { saidUnresolved } from './link-issues.ts'

/** What is told about items when they are planned. */
export class PlanIssues {
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass

  constructor(context: RunContext, entity: Entity, pass: Pass) {
    this.context = context
    this.entity = entity
    this.pass = pass
  }

  of(one: PlannedItem | Unwritable): IssueToWrite[] {
    if ('failure' in one) return [one.failure]
    const { draft, missing } = one.resolved
    const item = this.context.protection.item(draft)
    const called = `"${item.name ?? draft.id}" (source ${draft.id})`
    const issues: IssueToWrite[] = []
    if (one.decision.kind === 'fail')
      issues.push({
        ...this.issue('failure', one.decision.code, draft.id, item, one.decision.message),
        destinationId: one.decision.destinationId,
        covers: namesOf(draft),
      })
    if (one.decision.kind === 'create' && one.decision.destinationDeleted)
      issues.push(
        this.issue(
          'warning',
          'destination_deleted',
          draft.id,
          item,
          `${called} had been copied before and was deleted at the destination; it was created again.`,
        ),
      )
    if (one.decision.kind === 'archived')
      issues.push({
        ...this.issue(
          'warning',
          'destination_archived',
          draft.id,
          item,
          `${called} had been copied before and was archived at the destination (${one.decision.destinationId}); it was not created again.`,
        ),
        destinationId: one.decision.destinationId,
      })
    const notCopied = withheldBy(one.decision, draft)
    if (notCopied !== null) issues.push(this.issue('warning', 'not_copied', draft.id, item, `${called}: ${notCopied}`))
    const { reduced } = one.resolved
    if (reduced && writes(one.decision))
      issues.push(this.issue('warning', 'picture_reduced', draft.id, item, saidReduced(called, reduced.length)))
    const unresolved = writes(one.decision) ? saidUnresolved(one.resolved) : null
    if (unresolved !== null) issues.push(this.linkUnresolved(draft, unresolved))
    // Whether others of the same pass stay out is only known at its end.
    const absent = missing.filter((pending) => pending.startsWith('reference:') && !isOwnKind(this.pass, pending))
    if (absent.length > 0 && one.decision.kind !== 'fail') issues.push(this.leftOut(draft, absent))
    return issues
  }

  leftOut(draft: Draft, missing: string[]): IssueToWrite {
    const item = this.context.protection.item(draft)
    const what = missing.map((pending) => pending.slice('reference:'.length).replace(':', ' ')).join(', ')
    const message = `"${item.name ?? draft.id}" (source ${draft.id}) ${this.context.run.mode === 'dry-run' ? 'would be' : 'was'} copied without ${what}, which the destination does not have.`
    return this.issue('warning', 'reference_left_out', draft.id, item, message)
  }

  /** @param said what could not be rewritten. */
  linkUnresolved(draft: Draft, said: string): IssueToWrite {
    const item = this.context.protection.item(draft)
    const has = this.context.run.mode === 'dry-run' ? 'would have' : 'has'
    const message = `"${item.name ?? draft.id}" (source ${draft.id}) ${has} ${said}.`
    return this.issue('warning', 'link_unresolved', draft.id, item, message)
  }

  unwritable(item: PlatformItem, missing: MissingReference): Unwritable {
    const { id, called } = this.unplanned(item)
    const message = `${called.name ? `"${called.name}"` : `${this.entity.label}: item`} (source ${id}) needs ${missing.component} ${missing.sourceId}, which the destination does not have.`
    return { id, failure: this.issue('failure', 'missing_reference', id, called, message) }
  }

  broken(item: PlatformItem): Unwritable {
    const { id, called } = this.unplanned(item)
    const message = `"${called.name ?? id}" (source ${id}) hangs on ${this.pass.parentOf?.(item)}, which does not exist or leads back to it.`
    return { id, failure: this.issue('failure', 'hierarchy_broken', id, called, message) }
  }

  /** What an item is called that cannot become a draft: what a draft by its own ids says. */
  private unplanned(item: PlatformItem): { id: string; called: IssueToWrite['item'] } {
    const called = this.context.protection.item(this.pass.drafts(item, identity))
    return { id: String(item[this.pass.source.idField]), called }
  }

  issue(
    severity: 'failure' | 'warning',
    code: IssueCode,
    sourceId: string,
    item: IssueToWrite['item'],
    message: string,
  ): IssueToWrite {
    const component = this.pass.root
    const position = { pass: this.pass.key, rootId: sourceId }
    const covers = severity === 'failure' ? [{ component, sourceId }] : []
    return { phase: this.entity.key, component, severity, code, message, sourceId, item, position, covers }
  }
}

/** What the platform's API does not take, of the item or the item itself. */
function withheldBy(decision: Decision, { withheld }: Draft): string | null {
  if (decision.kind === 'left-out') return decision.message
  return decision.kind === 'create' ? withheld : null
}

function writes({ kind }: Decision): boolean {
  return kind === 'create' || kind === 'continue' || kind === 'examine'
}

function saidReduced(called: string, pictures: number): string {
  return `${called}: the originals of ${pictures} of its pictures have addresses longer than the platform takes; new ones are copied with at most 1280 pixels.`
}
