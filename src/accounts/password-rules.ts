import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ServiceError } from '../contract/service-error.ts'

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
      'Is too easy to guess: passwords that many people use, repetitions and rows of keys are tried first. Take several words that have nothing to do with each other.',
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
