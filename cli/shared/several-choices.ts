import { InvalidArgumentError, Option } from 'commander'
import { commaSeparated } from './comma-separated.ts'

/** An option that accepts several of the choices, comma-separated or repeated. */
export function severalChoices(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((text: string, before: string[] = []) => {
    const given = commaSeparated(text)
    if (given.every((one) => choices.includes(one))) return [...before, ...given]
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  })
}
