import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import { countLoginFailures, type LoginFailure, recordLoginFailure } from '../db/accounts/login-failures.ts'
import type { Database } from '../db/core/database.ts'
import { addressKey } from './address-key.ts'
import { sha256 } from './credential-secret.ts'

/** One attempt from one address; attempts from other addresses do not affect it (S5). */
export function loginAttempt(address: string, clientId: string): LoginFailure {
  return { address: addressKey(address), clientIdHash: sha256(clientId) }
}

/** The same for the portal. No client id starts like this, so the two never share a count. */
export function signInAttempt(address: string, emailKey: string): LoginFailure {
  return { address: addressKey(address), clientIdHash: sha256(`sign-in ${emailKey}`) }
}

/** After this many failures, each further attempt has to wait twice as long as the one before (S5). */
const failuresWithoutDelay = 3
/** With a longer delay, people who mistype believe they are locked out. */
const longestDelaySeconds = 60

/** @throws ServiceError `rate_limited` while the delay after the last failure with this e-mail from this address has not passed. */
export async function refuseEarlySignIn(database: Database, clock: Clock, attempt: LoginFailure): Promise<void> {
  const { withClient, newestWithClient } = await countLoginFailures(database, attempt, windowStart(clock))
  if (withClient < failuresWithoutDelay || newestWithClient === null) return
  const delaySeconds = Math.min(2 ** (withClient - failuresWithoutDelay), longestDelaySeconds)
  const leftMs = newestWithClient.getTime() + delaySeconds * 1000 - clock.now().getTime()
  if (leftMs <= 0) return
  throw new ServiceError(
    'rate_limited',
    'Your last sign-ins failed. Wait a moment, then check your e-mail and password.',
    {
      retryAfterSeconds: Math.ceil(leftMs / 1000),
    },
  )
}

/** @throws ServiceError `rate_limited` when the address has failed too often, with the time until the oldest failure expires. */
export async function refuseTooManyFailures(database: Database, clock: Clock, attempt: LoginFailure): Promise<void> {
  const counts = await countLoginFailures(database, attempt, windowStart(clock))
  const waits = [
    counts.withClient >= limits.loginFailuresPerClient ? secondsUntilForgotten(clock, counts.oldestWithClient) : 0,
    counts.fromAddress >= limits.loginFailuresPerAddress ? secondsUntilForgotten(clock, counts.oldestFromAddress) : 0,
  ]
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0) {
    throw new ServiceError('rate_limited', 'Too many failed logins. Wait, then check your credentials.', {
      retryAfterSeconds,
    })
  }
}

export function countLoginFailure(database: Database, clock: Clock, attempt: LoginFailure): Promise<void> {
  return recordLoginFailure(database, { ...attempt, at: clock.now() }, windowStart(clock))
}

function windowStart(clock: Clock): Date {
  return new Date(clock.now().getTime() - limits.loginFailureWindowSeconds * 1000)
}

function secondsUntilForgotten(clock: Clock, oldest: Date | null): number {
  const elapsedMs = clock.now().getTime() - (oldest ?? clock.now()).getTime()
  return Math.max(1, Math.ceil(limits.loginFailureWindowSeconds - elapsedMs / 1000))
}
