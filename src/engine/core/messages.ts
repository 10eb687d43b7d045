import type { ConflictStrategy, Mode } from '../../contract/modes.ts'
import type { Outage } from '../../db/ledger/waiting.ts'
import type { WorkDone } from '../../model/work-done.ts'

/** What a run is to do, and how far earlier attempts have come. */
export interface RunRequest {
  readonly id: string
  readonly organisationId: string
  readonly epoch: number
  readonly mode: Mode
  readonly conflictStrategy: ConflictStrategy
  readonly sourceStorefront: string | null
  readonly destStorefront: string | null
  readonly phases: string[]
  /** Components whose destination-owned values are written as well (D1). */
  readonly overwriteLiving: string[]
  /** Components of shoppers' data that `replace` may delete (G3). */
  readonly pruneLive: string[]
  /** Components about people whose deleted copies are created again (G12). */
  readonly recreateErased: string[]
  /** Beyond either, `replace` asks before its first deletion (D4). */
  readonly pruneLimitPercent: number
  readonly pruneLimitItems: number
  /** Verify compares the sizes of pictures, too (F1). */
  readonly deepImages: boolean
  /** The tracking consent of each customer is copied, too. */
  readonly customerConsent: boolean
  /** Only orders in these statuses; empty: in any. */
  readonly orderStatuses: string[]
  /** Mails to shoppers and staff are switched off while orders are written. */
  readonly muteMails: boolean
  /** The set that a confirmation was requested for, and the answer (D4). */
  readonly prune: { readonly digest: string | null; readonly answer: 'confirmed' | 'declined' | null }
  /** Only picked items are copied. */
  readonly selective: boolean
  readonly heal: {
    /** Without a request. */
    readonly auto: boolean
    /** 0: the run's own healing; each one that a person requests is another. */
    readonly round: number
    /** Only issues that were chosen for this round are tried. */
    readonly chosen: boolean
    /** The pass of this round that was begun last. */
    readonly pass: number
    /** What earlier attempts spent on the round. */
    readonly usedMs: number
  }
  /** An earlier attempt has entered a phase. */
  readonly begun: boolean
  /** It was waiting for a store, its quota or the database. */
  readonly waiting: boolean
}

/** What a host sends its child, once, over IPC: no secret is passed by argument or environment (S20). */
export interface StartMessage {
  readonly kind: 'start'
  readonly run: RunRequest
  readonly pair: { organisationId: string; sourceStoreId: string; destinationStoreId: string }
  readonly source: { hash: string; token: string }
  readonly destination: { hash: string; token: string }
  /** Connection of the role that sees run tables only. */
  readonly databaseUrl: string
  readonly bigcommerceApiUrl: string
  readonly requestTimeoutMs: number
  readonly settleMs: number
  readonly quotaReserve: number
  /** Where to keep the shapes of answers; undefined: nowhere. */
  readonly recordDirectory: string | undefined
  readonly memMiB: number
  /** Key for hashes of personal and secret data, base64; belongs to the organisation (S9). */
  readonly protectionKey: string
  /** Key of this run alone, base64: seals what it overwrites of personal and secret data (S9). */
  readonly imageKey: string
}

export type HostMessage = StartMessage | { kind: 'stop' }

/** What a child has done meanwhile: numbers for the operator. */
export interface WorkMessage {
  kind: 'worked'
  work: WorkDone
}

/** How a child's work ended. No message at all is a failed attempt, too. */
export type ChildMessage =
  | { kind: 'ended' }
  | { kind: 'hand-over'; because: 'drain' | 'memory' | 'handover' }
  | { kind: 'lease-lost' }
  /** A store, its quota or the database is away (G8). `failure`: why, in words for the merchant. */
  | { kind: 'waiting'; outage: Outage; failure: { code: string; message: string } }
  | { kind: 'faulted'; reason: string }
