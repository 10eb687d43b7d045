import { InvalidArgumentError, Option } from 'commander'

/** An option that takes several of the choices, with commas between them or repeated. */
export function severalChoices(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((text: string, before: string[] = []) => {
    const given = text.split(',').map((one) => one.trim())
    if (given.every((one) => choices.includes(one))) return [...before, ...given]
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  })
}
