import type { Duty } from '../db/duties.ts'
import type { Settled } from '../db/healing.ts'
import type { IssueToWrite } from '../db/issues.ts'
import type { LedgerState } from '../db/ledger.ts'
import type { Mapping } from '../db/mappings.ts'
import type { PageAddress } from '../db/moved-addresses.ts'

/** What is recorded about an item in one transaction. */
export interface Recording {
  ends: { component: string; sourceId: string; state: LedgerState }[]
  mappings: Mapping[]
  issues: IssueToWrite[]
  /** Issues about something an item lacked and has by now. */
  settled: Settled[]
  /** What is written when all else is done (D5). */
  duties: Duty[]
  /** Where its page is at the destination. */
  addresses: PageAddress[]
}

export function emptyRecording(): Recording {
  return { ends: [], mappings: [], issues: [], settled: [], duties: [], addresses: [] }
}
