import { judgeCounted, secondStepAttempt } from '../../accounts/login-limits.ts'
import { recoveryCodeHash } from '../../accounts/recovery-codes.ts'
import { totpStepOf } from '../../accounts/totp.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { findSecondStep, secondStepContext, takeRecoveryCode, takeStep } from '../../db/accounts/second-steps.ts'
import type { Deps } from './operation.ts'

type Way = 'code' | 'recovery code'
interface Given {
  userId: string
  /** The address from which the request came. */
  address: string
  code: string
}

/** Removes the space that apps display in the middle of a code. */
export function plainCode(code: string): string {
  return code.replace(/\s/g, '')
}

/**
 * Uses up a code of the person's app, or one of their recovery codes: each code is valid once (S14).
 *
 * @returns which kind it was; undefined for a wrong code, which is audited
 * @throws ServiceError `rate_limited` after too many wrong codes
 */
export function takeCode({ userId, address, code }: Given, deps: Deps): Promise<Way | undefined> {
  return judgeCounted<Way>(deps, secondStepAttempt(address, userId), async () => {
    const way = await usedUp(userId, plainCode(code), deps)
    if (way) return { right: way }
    return { wrong: { action: 'sign-in.fail', userId, reason: 'wrong code of the second step' } }
  })
}

/** @throws ServiceError about the field `code`, if the code is wrong */
export async function requireCode(given: Given, deps: Deps): Promise<void> {
  if (!(await takeCode(given, deps))) throw wrongCode()
}

export function wrongCode(): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: { code: ['Is not a code of your app, or was used already. Take the next one.'] },
  })
}

async function usedUp(userId: string, code: string, { database, keyring, clock }: Deps): Promise<Way | undefined> {
  const present = await findSecondStep(database, userId)
  if (!present?.confirmedAt) return undefined
  const secret = keyring.decrypt(present.secretEncrypted, secondStepContext(userId))
  const step = totpStepOf(secret, code, clock.now())
  if (step !== undefined) return (await takeStep(database, { userId, step })) ? 'code' : undefined
  const isRecovery = await takeRecoveryCode(database, { userId, codeHash: recoveryCodeHash(code) })
  return isRecovery ? 'recovery code' : undefined
}
