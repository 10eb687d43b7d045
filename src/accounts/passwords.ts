import { hash, verify } from '@node-rs/argon2'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
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

/** Whose password it is to be, and where: guesses begin with these names (S33). */
export interface NamesOfPerson {
  firstName: string
  lastName: string
  email: string
  organisations: string[]
}

/** Of every installation. */
const ourName = 'Storeferry'

/**
 * Our choice (0032). Smaller: common passwords with a digit behind them pass. Larger: passwords are refused that no one finds as long as
 * tries are counted, and people write them down.
 */
const fewestGuesses = 1_000_000

/** Our choice (0032): as many as most services ask of a whole password. */
const charactersBesideNames = 8

/**
 * The estimate of 24 characters takes 70 ms at worst, of 32 twice as long, and the process does nothing else meanwhile. What follows can
 * only make a password harder to guess.
 */
const estimatedCharacters = 24

/** @throws ServiceError `validation_failed`, under the path of the field, for a password that is guessed early (S33). */
export async function refuseGuessable(password: string, names: NamesOfPerson, field = 'password'): Promise<void> {
  const words = wordsOf(names)
  if (lengthWithout(words, password) < charactersBesideNames)
    throw refusal(
      field,
      `Must have at least ${charactersBesideNames} letters and digits beside your name, your email address and the name of your organization.`,
    )
  const { guesses } = (await estimator()).check(password, words)
  if (guesses < fewestGuesses)
    throw refusal(
      field,
      'Is too easy to guess: common passwords, repetitions and keyboard rows are tried first. Use several unrelated words.',
    )
}

function refusal(field: string, problem: string): ServiceError {
  const errors = { [field]: [problem] }
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', { errors })
}

/** Each word of the names, the longest first, and each name in one. Shorter words are in too many others. */
function wordsOf({ firstName, lastName, email, organisations }: NamesOfPerson): string[] {
  const names = [firstName, lastName, `${firstName} ${lastName}`, `${lastName} ${firstName}`, email, ourName]
  const words = [...names, ...organisations].flatMap((name) => [...folded(name), folded(name).join('')])
  return [...new Set(words)].filter((word) => [...word].length >= 3).sort((one, other) => other.length - one.length)
}

/** How many letters and digits are left without these words. */
function lengthWithout(words: string[], password: string): number {
  const letters = folded(password).join('')
  return [...words.reduce((left, word) => left.replaceAll(word, ' '), letters).replaceAll(' ', '')].length
}

/** Words of letters and digits, without case, accents and other forms of the same letter. */
function folded(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '')
  return plain
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

let loaded: Promise<ZxcvbnFactory> | undefined

/** Its 50,000 passwords take a quarter of a second and 12 MB, so they are read when the first password is chosen. */
function estimator(): Promise<ZxcvbnFactory> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimatedCharacters })
}
