import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/mappings.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { StorefrontIds } from '../../entities/core/pass.ts'
import type { Outbound } from '../../outbound.ts'
import type { StartMessage } from '../core/messages.ts'
import type { Protection } from '../core/protection.ts'
import type { Recorder } from '../core/recorder.ts'
import type { ReferenceBook } from '../core/references.ts'
import type { RunLease } from '../core/run-lease.ts'
import type { StoreInRun } from '../core/store-failures.ts'
import type { MailMute } from '../side-effects/mail-settings.ts'
import type { StockHold } from '../side-effects/sold-stock.ts'
import type { DestinationClient } from './destination-client.ts'

/** Where the engine may say something; ids and our own words only (S22). */
export interface EngineLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Everything the parts of one run share. Constructed by the child, by hand. */
export interface RunContext {
  run: StartMessage['run']
  /** Which stores they are, for messages. */
  stores: { source: StoreInRun; destination: StoreInRun }
  pair: StorePair
  database: Database
  source: StoreClient
  destination: StoreClient
  /** For everything else than the API of the two stores. */
  outbound: Outbound
  lease: RunLease
  recorder: Recorder
  references: ReferenceBook
  /** Whose token the destination's is. */
  client: DestinationClient
  protection: Protection
  clock: Clock
  /** Switches mails of the destination off while something is written that could send one. */
  mails: Pick<MailMute, 'hold' | 'release'>
  /** Knows the destination's stock from before orders are copied, and gives back what they took. */
  stock: Pick<StockHold, 'hold' | 'release'>
  /** Writes down what was called so far: who reads an ended run sees all of it. */
  flushCalls: () => Promise<void>
  log: EngineLog
  waits: { requestTimeoutMs: number; settleMs: number }
  /** Channels of either store as the run found them when it began: of the source alone, where it only counts. */
  channels?: Record<'source' | 'destination', readonly PlatformItem[]>
  /** Where the storefronts of a pair are, once somebody asked. */
  storefronts: Map<'source' | 'destination', StorefrontIds>
  /** Where items lie on sites: those of the storefronts of a pair, and those of the destination that have a counterpart. */
  sites: { source?: string; destination?: string; paired: { id: number; channelId: number }[] }
  /** What the destination takes where nothing is said. */
  defaults: { channelId: number }
  /** Roots that may be under way at once; halved when memory gets short (A6). */
  readAhead: { roots: number }
}
