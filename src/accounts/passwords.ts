import { hash, verify } from '@node-rs/argon2'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ServiceError } from '../contract/service-error.ts'
import { Slots } from '../model/slots.ts'

/** A hash takes 19 MiB, and a core for about 20 ms. More at a time would starve the API. */
const atOnce = 2
/**
 * If more could wait, people would wait for seconds. If fewer could, people would get a 503 on a busy Monday morning.
 */
const waitingAtMost = 32

const slots = new Slots(atOnce)

/** argon2id with the library's defaults, which are those of OWASP: 19 MiB, 2 passes, parallelism 1. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password))
}

/** Matches no password, and has the same parameters as all other hashes. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$ziR5e900htX4Qvm/S+fO1w$l4/LZ9+jyfeVlvGt/VC/Bu5hSJqMVXJBO+T6xKi10pk'

/** Takes as long for an unknown user, or one without a password, as for a wrong password. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? nobodysHash, password))
  return matches && passwordHash != null
}

/** @throws ServiceError `unavailable` if the queue is full (S5) */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (slots.waiting >= waitingAtMost)
    throw new ServiceError('unavailable', 'Too many sign-ins right now. Try again in a few seconds.', {
      retryAfterSeconds: 5,
    })
  return slots.take(work)
}

/** Names of the person and of where the password is used, because guesses begin with these (S33). */
export interface NamesOfPerson {
  firstName: string
  lastName: string
  email: string
  organisations: string[]
}

/** A name that every installation has in common. */
const ourName = 'Storeferry'

/**
 * Our choice (0032). If it were smaller, common passwords followed by a digit would pass. If it were larger, passwords
 * would be refused that no one can find while attempts are limited, and people would write theirs down.
 */
const fewestGuesses = 1_000_000

/** Our choice (0032): as many as most services require for a whole password. */
const charactersBesideNames = 8

/**
 * Only this many characters are estimated: 24 take at most 70 ms and 32 take twice as long, during which the process
 * does nothing else. Further characters can only make a password harder to guess.
 */
const estimatedCharacters = 24

/**
 * @throws ServiceError `validation_failed`, with the path of the field, for a password that would soon be guessed (S33)
 */
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

/** Each word of the names, and each name without spaces, the longest first. Shorter words occur in too many others. */
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

/** Splits a text into words of letters and digits, without case, accents and variants of the same letter. */
function folded(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '')
  return plain
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

let loaded: Promise<ZxcvbnFactory> | undefined

/**
 * Loading its 50,000 passwords takes a quarter of a second and 12 MB, so it happens when the first password is chosen.
 */
function estimator(): Promise<ZxcvbnFactory> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimatedCharacters })
}
