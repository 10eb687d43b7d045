import type { Command } from 'commander'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { findToken, forgetToken, type KeptToken, keepToken, listTokens } from '../shared/kept-token.ts'
import { printJson } from '../shared/print-json.ts'
import { ask, readSecret } from '../shared/read-secret.ts'
import { connect } from '../shared/service-client.ts'
import { profileName, profileOf, type ServiceOptions } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface LoginOptions {
  profile?: string
  username?: string
  email?: string
  organization?: string
  clientId?: string
  secretStdin?: boolean
}

interface LoginAnswer {
  access_token: string
  expires_at: string
  stores: { hash: string; label: string }[]
}

/** `login`, `logout` and `profiles`. */
export function addLogin(program: Command, commandLine: CommandLine): void {
  program
    .command('login')
    .description('sign in to the service at STOREFERRY_URL and keep the token for the other commands')
    .option(
      '--profile <name>',
      'keep the sign-in under this name, beside others (else STOREFERRY_PROFILE)',
      profileName,
    )
    .option('--username <name>', 'first name, last name or full name of the user')
    .option('--email <address>', 'email address of the user')
    .option('--organization <name>', 'name of the organisation')
    .option('--client-id <id>', 'client id of the organisation’s API credential')
    .option('--secret-stdin', 'read the client secret from standard input (else STOREFERRY_CLIENT_SECRET, or a prompt)')
    .addHelpText(
      'after',
      `
What is not given is taken from the last login, or asked for. The token lasts for 10 days.

Example:
  storeferry login --profile reed-lamps --username Olive --email olive@shop.example \\
    --organization "Reed Lamps" --client-id sfc_... --secret-stdin < secret.txt
  storeferry stores --profile reed-lamps`,
    )
    .action((options: LoginOptions) => login(commandLine, options))
  program
    .command('logout')
    .description('forget a kept sign-in on this machine')
    .option('--profile <name>', 'of this profile (else STOREFERRY_PROFILE, else of the service)', profileName)
    .addHelpText(
      'after',
      `
The token itself stays valid until it expires; "API tokens" in the portal ends it at once.

Example:
  storeferry logout --profile reed-lamps`,
    )
    .action((options: ServiceOptions) => logout(commandLine, options))
  program
    .command('profiles')
    .description('list the kept sign-ins')
    .option('--json', 'print them for scripts')
    .addHelpText('after', '\nExample:\n  storeferry profiles')
    .action(({ json }: ServiceOptions) => listProfiles(commandLine, json))
}

async function login(commandLine: CommandLine, options: LoginOptions): Promise<void> {
  const { config, environment, signal } = commandLine
  const profile = profileOf(commandLine, options)
  const before = await findToken(environment, { profile, siteUrl: config().siteUrl })
  // A profile keeps its service until another one is given.
  const siteUrl = environment.STOREFERRY_URL || !before ? config().siteUrl : before.siteUrl
  const given = await fourValues(commandLine, options, before?.login)
  const answer = await connect({ siteUrl, signal }).post<LoginAnswer>('/v2/login', {
    username: given.username,
    email: given.email,
    organization_name: given.organization,
    client_id: given.clientId,
    client_secret: await readSecret(commandLine, {
      what: 'client secret',
      variable: 'STOREFERRY_CLIENT_SECRET',
      fromInput: options.secretStdin,
    }),
  })
  const { access_token: bearerToken, expires_at: expiresIso, stores } = answer
  const kept = { siteUrl, bearerToken, expiresIso, login: given }
  const path = await keepToken(environment, { profile, siteUrl }, kept)
  print(commandLine, `Signed in at ${siteUrl} until ${expiresIso}; the token is in ${path}.`)
  const rows = stores.map(({ hash, label }) => [hash, label])
  print(commandLine, formatTable(['hash', 'store'], rows, { width: widthOf(commandLine), cut: ['store'] }))
}

type FourValues = NonNullable<KeptToken['login']>

async function fourValues(
  commandLine: CommandLine,
  options: LoginOptions,
  before: KeptToken['login'],
): Promise<FourValues> {
  return {
    username: await given(commandLine, options.username ?? before?.username, '--username'),
    email: await given(commandLine, options.email ?? before?.email, '--email'),
    organization: await given(commandLine, options.organization ?? before?.organization, '--organization'),
    clientId: await given(commandLine, options.clientId ?? before?.clientId, '--client-id'),
  }
}

async function given(commandLine: CommandLine, value: string | undefined, option: string): Promise<string> {
  if (value) return value
  if (!commandLine.input.isTTY) throw new Error(`${option} is missing.`)
  return ask(commandLine, option.replace('--', ''), { echo: true })
}

async function logout(commandLine: CommandLine, options: ServiceOptions): Promise<void> {
  const profile = profileOf(commandLine, options)
  const { siteUrl } = commandLine.config()
  const where = profile === undefined ? siteUrl : `profile ${profile}`
  const found = await forgetToken(commandLine.environment, { profile, siteUrl })
  print(commandLine, found ? `The sign-in at ${where} is forgotten.` : `There was no sign-in at ${where}.`)
}

async function listProfiles(commandLine: CommandLine, json: boolean | undefined): Promise<void> {
  const now = commandLine.clock.now()
  const kept = (await listTokens(commandLine.environment)).map(({ profile = null, siteUrl, expiresIso, login }) => ({
    profile,
    service: siteUrl,
    organization: login?.organization ?? null,
    email: login?.email ?? null,
    expiresAt: expiresIso,
    expired: new Date(expiresIso) <= now,
  }))
  if (json) return printJson(commandLine, kept)
  if (kept.length === 0) return print(commandLine, 'There is no sign-in yet; run "storeferry login".')
  const rows = kept.map(({ profile, service, organization, email, expiresAt, expired }) => [
    profile,
    service,
    organization,
    email,
    expired ? 'expired' : expiresAt.slice(0, 10),
  ])
  const header = ['profile', 'service', 'organisation', 'email', 'valid until']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['organisation', 'email'] }))
}
