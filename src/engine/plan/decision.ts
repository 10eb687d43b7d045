import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Mapping } from '../../db/ledger/mappings.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Resolved } from '../core/references.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { adoptedId, type Decision } from './decide.ts'

/** An item of a page, and what was decided about it. */
export interface PlannedItem {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  decision: Decision
  /** How it stands by the list, where something is compared and it was listed. */
  listed: ListedBody | undefined
  /** It has another key than the copy it had, which is the copy of nothing now. */
  moved: boolean
}

/** An item that cannot be written, and the issue that says why. */
export interface Unwritable {
  id: string
  failure: IssueToWrite
}

/** What becomes of an item that nothing is written for; null when something is. */
export function unwrittenState({ decision: { kind } }: PlannedItem): 'matched' | 'skipped' | null {
  if (kind === 'matched' || kind === 'equal') return 'matched'
  return kind === 'skipped' || kind === 'archived' || kind === 'adopt' || kind === 'left-out' ? 'skipped' : null
}

/** How an item ends that nothing is sent for; null when something is. */
export function decidedState(one: PlannedItem): 'matched' | 'skipped' | 'failed' | null {
  return one.decision.kind === 'fail' ? 'failed' : unwrittenState(one)
}

/** Decided otherwise than when its page was planned, as far as anybody has to be told. */
export function isReportable(one: PlannedItem): boolean {
  const deleted = one.decision.kind === 'create' && one.decision.destinationDeleted
  return deleted || decidedState(one) !== null || adoptedId(one.decision) !== undefined
}
