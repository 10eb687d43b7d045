import type { Clock } from '../clock.ts'
import { limits } from '../contract/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Database } from '../db/database.ts'
import { countLoginFailures, type LoginFailure, recordLoginFailure } from '../db/login-failures.ts'
import { addressKey } from './address-key.ts'
import { sha256 } from './credential-secret.ts'

/** One attempt from one address. Nothing another address does can refuse it (S5). */
export function loginAttempt(address: string, clientId: string): LoginFailure {
  return { address: addressKey(address), clientIdHash: sha256(clientId) }
}

/** @throws ServiceError `rate_limited` when the address has failed too often, naming when the oldest failure stops to count. */
export async function refuseTooManyFailures(database: Database, clock: Clock, attempt: LoginFailure): Promise<void> {
  const counts = await countLoginFailures(database, attempt, windowStart(clock))
  const waits = [
    counts.withClient >= limits.loginFailuresPerClient ? secondsUntilForgotten(clock, counts.oldestWithClient) : 0,
    counts.fromAddress >= limits.loginFailuresPerAddress ? secondsUntilForgotten(clock, counts.oldestFromAddress) : 0,
  ]
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0) {
    throw new ServiceError('rate_limited', 'Too many failed logins. Wait, then check the five values.', {
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
