import { type Command, InvalidArgumentError } from 'commander'
import type { CommandLine } from './command-line.ts'
import { readToken } from './kept-token.ts'
import { connect, type ServiceClient } from './service-client.ts'

/** Options of every command that calls the service as a signed-in person. */
export interface ServiceOptions {
  profile?: string
  json?: boolean
}

/** The argument of commands about one migration. */
export const migrationId = ['<id>', 'id of the migration, from "storeferry list"'] as const

/** A command that calls the service. */
export function overService(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--profile <name>', 'act with the sign-in of this profile (else STOREFERRY_PROFILE)', profileName)
    .option('--json', 'print the answer of the API, for scripts')
}

/** Lower case, because it becomes a file name and some file systems ignore case. */
export function profileName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text
  throw new InvalidArgumentError('Give up to 40 lower-case letters, digits and dashes, e.g. reed-lamps.')
}

/** The chosen profile: from the option, else from the environment. */
export function profileOf({ environment }: CommandLine, { profile }: ServiceOptions): string | undefined {
  if (profile !== undefined || !environment.STOREFERRY_PROFILE) return profile
  try {
    return profileName(environment.STOREFERRY_PROFILE)
  } catch (error) {
    throw new Error(`STOREFERRY_PROFILE is no name of a profile. ${(error as Error).message}`)
  }
}

/** The profile's service, or else the one at STOREFERRY_URL, with the token of `storeferry login`. */
export async function signedIn(commandLine: CommandLine, options: ServiceOptions): Promise<ServiceClient> {
  const { config, environment, clock, signal } = commandLine
  const profile = profileOf(commandLine, options)
  const kept = await readToken(environment, { profile, siteUrl: config().siteUrl }, clock.now())
  const again = profile === undefined ? 'storeferry login' : `storeferry login --profile ${profile}`
  return connect({ siteUrl: kept.siteUrl, bearerToken: kept.bearerToken, again, signal })
}
