import type { CommandLine } from './command-line.ts'
import { readToken } from './kept-token.ts'
import { connect, type ServiceClient } from './service-client.ts'

/** The service at STOREFERRY_URL, with the token of `storeferry login`. */
export async function signedIn({ config, environment, clock, signal }: CommandLine): Promise<ServiceClient> {
  const { siteUrl } = config()
  return connect({ siteUrl, bearerToken: await readToken(environment, siteUrl, clock.now()), signal })
}
