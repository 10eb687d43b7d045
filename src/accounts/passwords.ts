import { hash, verify } from '@node-rs/argon2'
import { ServiceError } from '../contract/service-error.ts'

/** Each takes 19 MiB and a core for some 20 ms; more at once would starve the API. */
const atOnce = 2
/** Longer and people wait for seconds; shorter and a busy Monday morning meets 503. */
const waitingAtMost = 32

let running = 0
const waiting: (() => void)[] = []

/** argon2id with the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password))
}

/** Of nobody's password, with the parameters of every other. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$ziR5e900htX4Qvm/S+fO1w$l4/LZ9+jyfeVlvGt/VC/Bu5hSJqMVXJBO+T6xKi10pk'

/** Takes as long for nobody, and for somebody who has no password yet, as for a wrong one. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? nobodysHash, password))
  return matches && passwordHash != null
}

/** @throws ServiceError `unavailable` when the queue is full (S5). */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) {
      throw new ServiceError('unavailable', 'Too many sign-ins at this moment. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    // The place goes to the next in line without becoming free in between.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
