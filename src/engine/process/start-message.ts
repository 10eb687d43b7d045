import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { storeTokenContext } from '../../db/accounts/stores.ts'
import type { findRunToDrive } from '../../db/runs/run-life.ts'
import type { StartMessage } from '../core/messages.ts'

/** The part of the service's keyring that a host needs; the engine knows nothing of accounts. */
export interface SecretOpener {
  decrypt(sealed: Buffer, context: ReturnType<typeof storeTokenContext>): Buffer
  /** A key of 32 bytes for one purpose. */
  subkey(purpose: string): Buffer
}

export interface EngineSettings {
  bigcommerceApiUrl: string
  requestTimeoutSeconds: number
  settleSeconds: number
  /** The share of a store's quota that is left to its other apps. */
  childReserve: number
  /** The folder where the shapes of answers are recorded; undefined if none are. */
  recordDirectory: string | undefined
  /** How long a run waits for a system that is away before it is paused. */
  outageHours: number
}

type RunToDrive = NonNullable<Awaited<ReturnType<typeof findRunToDrive>>>

/** Settings of the strategies; a verify run has none of them. */
const strategySettings = z.object({
  overwriteLiving: z.array(z.string()).default([]),
  pruneLive: z.array(z.string()).default([]),
  recreateErased: z.array(z.string()).default([]),
  pruneLimitPercent: z.number().default(20),
  pruneLimitItems: z.int().default(100),
  deepImages: z.boolean().default(false),
  customerConsent: z.boolean().default(false),
  orderStatuses: z.array(z.string()).default([]),
  muteMails: z.boolean().default(true),
})

/** Everything a child gets: the two tokens, but not the keys they were sealed with (S20). */
export function startMessage(
  run: RunToDrive,
  epoch: number,
  given: { keyring: SecretOpener; settings: EngineSettings; runDatabaseUrl: string; tracer?: unknown },
): StartMessage {
  const { keyring, settings } = given
  const open = (id: string, sealed: Buffer) =>
    keyring.decrypt(sealed, storeTokenContext({ id, organisationId: run.organisationId })).toString()
  const {
    id,
    organisationId,
    mode,
    conflictStrategy,
    sourceStorefront,
    destStorefront,
    sourceStoreId,
    destinationStoreId,
  } = run
  return {
    kind: 'start',
    run: {
      id,
      organisationId,
      epoch,
      mode,
      conflictStrategy,
      sourceStorefront,
      destStorefront,
      phases: run.phases.map((phase) => phase.key),
      ...strategySettings.parse(run.settings),
      selective: run.selective,
      prune: { digest: run.pruneDigest, answer: run.pruneAnswer },
      heal: {
        auto: run.autoHeal,
        round: run.healRound,
        chosen: run.healChosen,
        pass: run.healPass,
        usedMs: run.healMs,
      },
      begun: run.phase !== '',
      waiting: run.waitingSince !== null,
    },
    pair: { organisationId, sourceStoreId, destinationStoreId },
    source: { hash: run.source.hash, token: open(sourceStoreId, run.sealed.sourceToken) },
    destination: { hash: run.destination.hash, token: open(destinationStoreId, run.sealed.destinationToken) },
    databaseUrl: given.runDatabaseUrl,
    bigcommerceApiUrl: settings.bigcommerceApiUrl,
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
    settleMs: settings.settleSeconds * 1000,
    quotaReserve: settings.childReserve,
    recordDirectory: settings.recordDirectory,
    traced: given.tracer !== undefined,
    memMiB: run.memMiB,
    protectionKey: createHmac('sha256', keyring.subkey('personal data')).update(organisationId).digest('base64'),
    imageKey: createHmac('sha256', keyring.subkey('before-images')).update(run.beforeImageSalt).digest('base64'),
  }
}
