import { hash, verify } from '@node-rs/argon2'
import { ServiceError } from '../contract/service-error.ts'

/** Each hash takes 19 MiB and a core for about 20 ms; more at a time would starve the API. */
const atOnce = 2
/** Larger: people wait for seconds. Smaller: on a busy Monday morning people get a 503. */
const waitingAtMost = 32

let running = 0
const waiting: (() => void)[] = []

/** argon2id with the library's defaults, which are OWASP's: 19 MiB, 2 passes, parallelism 1. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password))
}

/** Matches no password, and has the same parameters as every other hash. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$ziR5e900htX4Qvm/S+fO1w$l4/LZ9+jyfeVlvGt/VC/Bu5hSJqMVXJBO+T6xKi10pk'

/** Takes as long for an unknown user, or one without a password, as for a wrong password. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? nobodysHash, password))
  return matches && passwordHash != null
}

/** @throws ServiceError `unavailable` when the queue is full (S5) */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) {
      throw new ServiceError('unavailable', 'Too many sign-ins right now. Try again in a few seconds.', {
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
    // The slot goes directly to the next in line.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
