import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import type { NewIntent } from '../../db/ledger/intents.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import type { PhaseWatch } from '../../model/run-steps.ts'
import type { Outbound } from '../../outbound.ts'
import type { CommitGroups } from '../core/commit-groups.ts'
import type { EngineLog } from '../core/engine-log.ts'
import type { RunRequest } from '../core/messages.ts'
import type { Protection } from '../core/protection.ts'
import type { ReadAhead } from '../core/read-ahead.ts'
import type { Recorder } from '../core/recorder.ts'
import type { MappingBook } from '../core/references.ts'
import type { RunLease } from '../core/run-lease.ts'
import type { StoreInRun } from '../core/store-failures.ts'
import type { RunStorefront } from '../core/storefront-ids.ts'
import type { MailHold, StockHold } from '../side-effects/hold.ts'

/** What an attempt has when it begins: the request and its connections. Frozen. */
export interface OpenRun {
  readonly run: RunRequest
  /** Names the stores in messages. */
  readonly stores: Readonly<Record<'source' | 'destination', StoreInRun>>
  readonly pair: Readonly<StorePair>
  readonly database: Database
  readonly source: StoreClient
  readonly destination: StoreClient
  /** For requests to anything but the APIs of the two stores. */
  readonly outbound: Outbound
  readonly lease: RunLease
  readonly recorder: Recorder
  /** Commits the intent of a call before it is sent (B1), and returns its id. */
  readonly intents: Pick<CommitGroups<NewIntent, number>, 'add'>
  readonly mappings: MappingBook
  readonly protection: Protection
  readonly clock: Clock
  /** Mutes order emails of the destination while something is written that could send one. */
  readonly mails: MailHold
  /** Remembers the destination's stock before orders are copied, and gives back what they took. */
  readonly stock: StockHold
  /** Saves the counts of the calls made so far, so that the snapshot of an ended run includes them all. */
  readonly flushCalls: () => Promise<void>
  readonly log: EngineLog
  readonly waits: { readonly requestTimeoutMs: number; readonly settleMs: number }
  /** The two storefronts of a storefront run. */
  readonly storefronts: Readonly<Record<'source' | 'destination', RunStorefront>>
  readonly readAhead: Readonly<Pick<ReadAhead, 'roots'>>
  /** Undefined without traces. */
  readonly phaseWatch: PhaseWatch | undefined
}
