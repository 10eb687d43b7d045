import type { ConflictStrategy, Mode } from '../../contract/modes.ts'
import type { Outage } from '../../db/ledger/waiting.ts'
import type { WorkDone } from '../../model/work-done.ts'

/** What a run has to do, and how far earlier attempts got. */
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
  /** Above either limit, `replace` asks for confirmation before its first deletion (D4). */
  readonly pruneLimitPercent: number
  readonly pruneLimitItems: number
  /** Verify also compares the sizes of pictures (F1). */
  readonly deepImages: boolean
  /** The tracking consent of each customer is copied as well. */
  readonly customerConsent: boolean
  /** Only orders in these statuses; empty: in any. */
  readonly orderStatuses: string[]
  /** Mails to shoppers and staff are switched off while orders are written. */
  readonly muteMails: boolean
  /** The set of deletions to confirm, as a digest, and the answer (D4). */
  readonly prune: { readonly digest: string | null; readonly answer: 'confirmed' | 'declined' | null }
  /** Only picked items are copied. */
  readonly selective: boolean
  readonly heal: {
    /** The run heals without being asked to. */
    readonly auto: boolean
    /** 0: the run's own healing; each healing that a person requests is another round. */
    readonly round: number
    /** Only issues chosen for this round are tried. */
    readonly chosen: boolean
    /** The last pass of this round that was begun. */
    readonly pass: number
    /** Time that earlier attempts spent on this round. */
    readonly usedMs: number
  }
  /** An earlier attempt has entered a phase. */
  readonly begun: boolean
  /** The run was waiting for a store, its quota or the database. */
  readonly waiting: boolean
}

/** What a host sends its child, once, over IPC: no secret is passed by argument or environment (S20). */
export interface StartMessage {
  readonly kind: 'start'
  readonly run: RunRequest
  readonly pair: { organisationId: string; sourceStoreId: string; destinationStoreId: string }
  readonly source: { hash: string; token: string }
  readonly destination: { hash: string; token: string }
  /** Connects as the role that sees only run tables. */
  readonly databaseUrl: string
  readonly bigcommerceApiUrl: string
  readonly requestTimeoutMs: number
  readonly settleMs: number
  readonly quotaReserve: number
  /** Where to record the shapes of responses; undefined: nowhere. */
  readonly recordDirectory: string | undefined
  /** Whether the host gets the steps of the attempt, for a trace. */
  readonly traced: boolean
  readonly memMiB: number
  /** Key for hashes of personal and secret data, base64; belongs to the organisation (S9). */
  readonly protectionKey: string
  /** Key of this run alone, base64: seals the personal and secret data that it overwrites (S9). */
  readonly imageKey: string
}

export type HostMessage = StartMessage | { kind: 'stop' }

/** What a child has done meanwhile: numbers for the operator. */
export interface WorkMessage {
  kind: 'worked'
  work: WorkDone
}

/** How a child's work ended. If it ends without a message, the attempt failed as well. */
export type ChildMessage =
  | { kind: 'ended' }
  | { kind: 'hand-over'; because: 'drain' | 'memory' | 'handover' }
  | { kind: 'lease-lost' }
  /** A store, its quota or the database is unavailable (G8). `failure` explains it to the merchant. */
  | { kind: 'waiting'; outage: Outage; failure: { code: string; message: string } }
  | { kind: 'faulted'; reason: string }
