import type { PageAddress } from '../../db/addresses/moved-addresses.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { LedgerState } from '../../db/ledger/ledger.ts'
import type { NewMapping } from '../../db/ledger/store-pair.ts'
import type { Settled } from '../../db/reports/healing.ts'
import type { NewSideEffect } from '../../db/side-effects/side-effects.ts'

/** What is recorded about an item in one transaction. */
export interface Recording {
  ends: { component: string; sourceId: string; state: LedgerState }[]
  mappings: NewMapping[]
  issues: IssueToWrite[]
  /** Issues about something that the item lacked and has now. */
  settled: Settled[]
  /** Written when all else is done (D5). */
  deferredWrites: NewSideEffect[]
  /** Where the item's page is at the destination. */
  addresses: PageAddress[]
}

export function emptyRecording(): Recording {
  return { ends: [], mappings: [], issues: [], settled: [], deferredWrites: [], addresses: [] }
}

export function joined(recordings: Recording[]): Recording {
  return {
    ends: recordings.flatMap(({ ends }) => ends),
    mappings: recordings.flatMap(({ mappings }) => mappings),
    issues: recordings.flatMap(({ issues }) => issues),
    settled: recordings.flatMap(({ settled }) => settled),
    deferredWrites: recordings.flatMap(({ deferredWrites }) => deferredWrites),
    addresses: recordings.flatMap(({ addresses }) => addresses),
  }
}
