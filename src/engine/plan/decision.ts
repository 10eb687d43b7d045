import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Resolved } from '../core/references.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { adoptedId, type Decision } from './decide.ts'

/** An item of a page, and what was decided about it. */
export interface PlannedItem {
  kind: 'planned'
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  decision: Decision
  /** The existing item as listed, if it was listed and is compared. */
  listed: ListedBody | undefined
  /** Its key differs from that of its copy, so the copy is no longer considered its own. */
  moved: boolean
  /** References on its page to items that the source itself does not have. */
  broken: ReadonlySet<string>
  /** Source items with copies that have a key of the item, if it has no copy itself. */
  keyMatchSources: readonly string[]
}

/** An item that cannot be written, and the issue that says why. */
export interface Unwritable {
  kind: 'unwritable'
  id: string
  failure: IssueToWrite
}

export type PageItem = PlannedItem | Unwritable

export function isPlanned(one: PageItem): one is PlannedItem {
  return one.kind === 'planned'
}

const skipping: readonly Decision['kind'][] = [
  'skipped',
  'archived',
  'erased',
  'of-erased',
  'adopt',
  'left-out',
  'unread',
]

/** The state of an item that needs no write; null when it needs one or fails. */
export function unwrittenState({ decision: { kind } }: PlannedItem): 'matched' | 'skipped' | null {
  if (kind === 'matched' || kind === 'equal') return 'matched'
  return skipping.includes(kind) ? 'skipped' : null
}

/** The state of an item that needs no call; null when it needs one. */
export function decidedState(one: PlannedItem): 'matched' | 'skipped' | 'failed' | null {
  return one.decision.kind === 'fail' ? 'failed' : unwrittenState(one)
}

/**
 * Whether a decision has to be recorded when another process makes it again. The one that created an item may have died
 * before it reported what the copy lacks.
 */
export function isReportable(one: PlannedItem): boolean {
  const { decision } = one
  const deleted = decision.kind === 'create' && decision.destinationDeleted
  return deleted || decision.kind === 'continue' || decidedState(one) !== null || adoptedId(decision) !== undefined
}
