import type { ConflictStrategy, Mode } from '../../contract/modes.ts'

/** What a host tells its child, once, over IPC: nothing secret stands in arguments or environment (S20). */
export interface StartMessage {
  kind: 'start'
  run: {
    id: string
    organisationId: string
    epoch: number
    mode: Mode
    conflictStrategy: ConflictStrategy
    sourceStorefront: string | null
    destStorefront: string | null
    phases: string[]
    /** Components whose living values are written over as well (D1). */
    overwriteLiving: string[]
    /** Beyond either, `replace` asks before its first deletion (D4). */
    pruneLimitPercent: number
    pruneLimitItems: number
    /** Verify compares the sizes of pictures, too (F1). */
    deepImages: boolean
    /** What each customer answered about tracking is copied, too. */
    customerConsent: boolean
    /** Only orders in these statuses; empty: in any. */
    orderStatuses: string[]
    /** Mails to shoppers and staff are switched off while orders are written. */
    muteMails: boolean
    /** What was asked before deleting beyond the limits, and what was said to it. */
    prune: { digest: string | null; answer: 'confirmed' | 'declined' | null }
    /** Only picked items are copied. */
    selective: boolean
    heal: {
      /** Without being asked. */
      auto: boolean
      /** 0: the run's own healing; each one that a person asks for is another. */
      round: number
      /** The pass of this round that was begun last. */
      pass: number
      /** What the round has taken so far. */
      usedMs: number
    }
    /** An earlier attempt has entered a phase. */
    begun: boolean
  }
  pair: { organisationId: string; sourceStoreId: string; destinationStoreId: string }
  source: { hash: string; token: string }
  destination: { hash: string; token: string }
  /** Connection of the role that sees run tables only. */
  databaseUrl: string
  bigcommerceApiUrl: string
  requestTimeoutMs: number
  settleMs: number
  quotaReserve: number
  memMiB: number
  /** Key for hashes of personal and secret data, base64; belongs to the organisation (S9). */
  protectionKey: string
  /** Key of this run alone, base64: seals what it overwrites of personal and secret data (S9). */
  imageKey: string
}

export type HostMessage = StartMessage | { kind: 'stop' }

/** How a child's work ended. Anything else, including no message at all, is a failed attempt. */
export type ChildMessage =
  | { kind: 'ended' }
  | { kind: 'hand-over'; because: 'drain' | 'memory' | 'handover' }
  | { kind: 'lease-lost' }
  /** `failure`: what the run ends with, in the merchant's words, when no further attempt helps. */
  | { kind: 'faulted'; reason: string; failure: { code: string; message: string } | null }
