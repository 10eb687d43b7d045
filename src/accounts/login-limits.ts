import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import { type FailedTry, recordFailedTry } from '../db/accounts/audit.ts'
import {
  countLoginTries,
  deleteLoginTry,
  insertLoginTry,
  type LoginFailure,
  type LoginTryCounts,
  lockLoginAddress,
  settleLoginTry,
} from '../db/accounts/login-failures.ts'
import type { Database } from '../db/core/database.ts'
import { addressKey } from './address-key.ts'
import { sha256 } from './credential-secret.ts'

/** One attempt from one address. Attempts from other addresses do not affect it (S5). */
export interface LoginAttempt extends LoginFailure {
  /** The address as the server sees it. `address` is the one used for counting. */
  from: string
  /** Whether each further failure lengthens the wait, for people who choose their own passwords. */
  growingDelays: boolean
  /** The number of failures after which the answer is 429. */
  mostFailures: number
  /** The message after too many; by default it says that the logins failed. */
  tooMany?: string
}

const mostFailures = limits.loginFailuresPerClient

export function loginAttempt(from: string, clientId: string): LoginAttempt {
  return { from, address: addressKey(from), clientIdHash: sha256(clientId), growingDelays: false, mostFailures }
}

/**
 * An attempt to sign in to the portal. No client id begins with this prefix, so these are always counted separately.
 */
export function signInAttempt(from: string, emailKey: string): LoginAttempt {
  const clientIdHash = sha256(`sign-in ${emailKey}`)
  return { from, address: addressKey(from), clientIdHash, growingDelays: true, mostFailures }
}

/** A code has only six digits, so failures are counted by person, from all addresses together (S14). */
export function secondStepAttempt(from: string, userId: string): LoginAttempt {
  const address = `second step of ${userId}`
  const clientIdHash = sha256(address)
  return { from, address, clientIdHash, growingDelays: false, mostFailures: limits.secondStepFailures }
}

/** Requests for mails are counted by the address that sends them, not by the recipient. */
export function mailAttempt(from: string): LoginAttempt {
  const address = `mails requested from ${addressKey(from)}`
  const tooMany = 'Too many mails were requested from your network address. Wait, and look into your mailbox meanwhile.'
  const mostFailures = limits.mailRequests
  return { from, address, clientIdHash: sha256(address), growingDelays: false, mostFailures, tooMany }
}

/** The result of an attempt. `wrong` has the reason and user for the audit. */
export type Judgement<Right> = { right: Right } | { wrong: Omit<FailedTry, 'address' | 'addressKey' | 'at'> }

/**
 * Judges an attempt that is already counted as failed, so that simultaneous attempts cannot exceed the limit (S34). If
 * it is right, it is removed from the count; if it is wrong, it is audited.
 *
 * @returns undefined if it is wrong
 * @throws ServiceError `rate_limited` if the address has failed too often. Then nothing is judged.
 */
export async function judgeCounted<Right>(
  { database, clock }: { database: Database; clock: Clock },
  attempt: LoginAttempt,
  judge: () => Promise<Judgement<Right>>,
): Promise<Right | undefined> {
  const id = await countTry(database, clock, attempt)
  const judgement = await judge().catch(async (error: unknown) => {
    await deleteLoginTry(database, id)
    throw error
  })
  if ('right' in judgement) {
    await deleteLoginTry(database, id)
    return judgement.right
  }
  const { from: address, address: key } = attempt
  await database.transaction().execute(async (transaction) => {
    await settleLoginTry(transaction, id)
    await recordFailedTry(transaction, { ...judgement.wrong, address, addressKey: key, at: clock.now() })
  })
  return undefined
}

/**
 * Counts a request that cannot be right or wrong, before anything else is done for it (S34).
 *
 * @throws ServiceError `rate_limited` if the address has sent too many
 */
export async function countRequest(
  { database, clock }: { database: Database; clock: Clock },
  attempt: LoginAttempt,
): Promise<void> {
  const id = await countTry(database, clock, attempt)
  await database.transaction().execute((transaction) => settleLoginTry(transaction, id))
}

function countTry(database: Database, clock: Clock, attempt: LoginAttempt): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    await lockLoginAddress(transaction, attempt.address)
    const at = clock.now()
    const since = new Date(at.getTime() - limits.loginFailureWindowSeconds * 1000)
    const counts = await countLoginTries(transaction, attempt, since)
    refuseTooManyFailures(counts, at, attempt)
    if (attempt.growingDelays) refuseEarlyTry(counts, at)
    refuseTooManyAtOnce(counts, attempt)
    const { address, clientIdHash } = attempt
    return insertLoginTry(transaction, { address, clientIdHash, at }, since)
  })
}

/** The error says how long it takes until the oldest failure expires. */
function refuseTooManyFailures(counts: LoginTryCounts, now: Date, { mostFailures, tooMany }: LoginAttempt): void {
  const waits = [
    counts.withClient >= mostFailures ? secondsUntilForgotten(now, counts.oldestWithClient) : 0,
    counts.fromAddress >= limits.loginFailuresPerAddress ? secondsUntilForgotten(now, counts.oldestFromAddress) : 0,
  ]
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0)
    throw refusal(tooMany ?? 'Too many failed logins. Wait, then check your credentials.', retryAfterSeconds)
}

/** After this many failures, each further attempt has to wait twice as long as the one before (S5). */
const failuresWithoutDelay = 3
/** If delays were longer, people who mistype would think they are locked out. */
const longestDelaySeconds = 60

function refuseEarlyTry({ withClient, newestWithClient }: LoginTryCounts, now: Date): void {
  if (withClient < failuresWithoutDelay || newestWithClient === null) return
  const delaySeconds = Math.min(2 ** (withClient - failuresWithoutDelay), longestDelaySeconds)
  const leftMs = newestWithClient.getTime() + delaySeconds * 1000 - now.getTime()
  if (leftMs <= 0) return
  throw refusal(
    'Your last sign-ins failed. Wait a moment, then check your email and password.',
    Math.ceil(leftMs / 1000),
  )
}

/** Attempts being judged count, because all of them may fail. With growing delays, only one is judged at a time. */
function refuseTooManyAtOnce(counts: LoginTryCounts, { growingDelays, mostFailures }: LoginAttempt): void {
  const withClient = counts.withClient + counts.openWithClient
  const waitsForOthers = growingDelays && counts.openWithClient > 0 && withClient >= failuresWithoutDelay
  const full =
    withClient >= mostFailures || counts.fromAddress + counts.openFromAddress >= limits.loginFailuresPerAddress
  if (waitsForOthers || full) throw refusal('Too many logins at the same moment. Try again in a second.', 1)
}

function refusal(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('rate_limited', message, { retryAfterSeconds })
}

function secondsUntilForgotten(now: Date, oldest: Date | null): number {
  const elapsedMs = now.getTime() - (oldest ?? now).getTime()
  return Math.max(1, Math.ceil(limits.loginFailureWindowSeconds - elapsedMs / 1000))
}
