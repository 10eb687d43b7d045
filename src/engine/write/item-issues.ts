import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { isAboutPicture } from '../../model/healing.ts'
import type { RunContext } from '../context/context.ts'
import type { TaskDeps } from './item-record.ts'
import type { Refusal } from './writer.ts'

/** What is told about one item and what hangs on it while it is written. */
export class ItemIssues {
  private readonly context: RunContext
  private readonly phase: string
  private readonly pass: string
  private readonly root: Draft

  constructor({ context, entity, pass }: TaskDeps, root: Draft) {
    this.context = context
    this.phase = entity.key
    this.pass = pass.key
    this.root = root
  }

  issue(draft: Draft, refusal: Refusal, severity: 'failure' | 'warning'): IssueToWrite {
    const open = this.context.protection.open(draft.component)
    const said = [
      refusal.title,
      ...Object.entries(refusal.errors).map(([field, message]) => `${field}: ${message}`),
    ].join('; ')
    if (refusal.rule !== undefined) return this.predicted(draft, refusal.title, refusal.rule, severity)
    const at = this.issueAt(draft)
    const called = `"${at.item.name ?? draft.id}" (source ${draft.id})`
    const did = severity === 'warning' ? `The destination saved ${called}` : `The destination refused ${called}`
    const who = refusal.bySource ? `The source did not give ${called}` : did
    const picture = severity === 'failure' && isAboutPicture(refusal)
    const code = picture ? 'picture_not_fetched' : severity === 'warning' ? 'partly_saved' : 'platform_refused'
    return {
      ...at,
      severity,
      code,
      message: `${picture ? `The picture of ${called} could not be fetched` : who}${open ? `: ${said}` : ''}.`,
      platform: {
        method: refusal.method,
        path: refusal.path,
        status: refusal.httpStatus,
        title: open ? refusal.title : '',
        errors: open ? refusal.errors : {},
      },
    }
  }

  /** The platform was not asked (F2): a warning, because nothing has gone wrong yet. */
  private predicted(draft: Draft, why: string, rule: string, severity: 'failure' | 'warning'): IssueToWrite {
    const at = this.issueAt(draft)
    const called = `"${at.item.name ?? draft.id}" (source ${draft.id})`
    const what = severity === 'failure' ? `would refuse ${called}` : `would save ${called} without what is not free`
    const open = this.context.protection.open(draft.component)
    return {
      ...at,
      severity: 'warning',
      code: 'would_be_refused',
      message: `The destination ${what}, by the rule "${rule}"${open ? ` (${why})` : ''}.`,
    }
  }

  issueAt(draft: Draft) {
    return {
      phase: this.phase,
      component: draft.component,
      sourceId: draft.id,
      item: this.context.protection.item(draft),
      position: { pass: this.pass, rootId: this.root.id },
    }
  }

  /** The platform gave it another web address than it has in the source. */
  moved(desired: Draft, existing: Draft): IssueToWrite | undefined {
    const path = this.root.path
    if (!isSame(desired, this.root) || path === null || existing.path === null || existing.path === path)
      return undefined
    const item = this.context.protection.item(desired)
    const called = `"${item.name ?? desired.id}" (source ${desired.id})`
    return {
      ...this.issueAt(desired),
      severity: 'warning',
      code: 'address_changed',
      destinationId: existing.id,
      message: `${called} has the web address ${path} in the source, which is taken at the destination; there it is ${existing.path}.`,
    }
  }

  notRemoved(existing: Draft, refusal: Refusal): IssueToWrite {
    const issue = this.issue(existing, refusal, 'warning')
    const message = `The destination did not let go of "${issue.item.name ?? existing.id}", which the source does not have: ${refusal.title}.`
    return { ...issue, code: 'not_pruned', sourceId: this.root.id, destinationId: existing.id, message }
  }

  pictureReduced(image: Draft): IssueToWrite {
    const at = this.issueAt(image)
    const did = this.context.run.mode === 'dry-run' ? 'would be' : 'was'
    const message = `The original of the picture "${at.item.name ?? image.id}" (source ${image.id}) cannot be fetched from the source shop; it ${did} copied with at most 1280 pixels.`
    return { ...at, severity: 'warning', code: 'picture_reduced', message }
  }
}

function isSame(one: Draft, other: Draft): boolean {
  return one.component === other.component && one.id === other.id
}
