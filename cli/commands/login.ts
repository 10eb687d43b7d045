import type { Command } from 'commander'
import { type CommandLine, print } from '../shared/command-line.ts'
import { keepToken } from '../shared/kept-token.ts'
import { ask, readSecret } from '../shared/read-secret.ts'
import { connect } from '../shared/service-client.ts'
import { formatTable } from '../shared/table.ts'

interface LoginOptions {
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

export function addLogin(program: Command, commandLine: CommandLine): void {
  program
    .command('login')
    .description('sign in to the service at STOREFERRY_URL and keep the token for the other commands')
    .option('--username <name>', 'first name, last name or full name of the user')
    .option('--email <address>', 'e-mail address of the user')
    .option('--organization <name>', 'name of the organisation')
    .option('--client-id <id>', 'client id of the organisation’s API credential')
    .option('--secret-stdin', 'read the client secret from standard input (else STOREFERRY_CLIENT_SECRET, or a prompt)')
    .action((options: LoginOptions) => login(commandLine, options))
}

async function login(commandLine: CommandLine, options: LoginOptions): Promise<void> {
  const { siteUrl } = commandLine.config()
  const answer = await connect({ siteUrl, signal: commandLine.signal }).post<LoginAnswer>('/v2/login', {
    username: await given(commandLine, options.username, '--username'),
    email: await given(commandLine, options.email, '--email'),
    organization_name: await given(commandLine, options.organization, '--organization'),
    client_id: await given(commandLine, options.clientId, '--client-id'),
    client_secret: await readSecret(commandLine, {
      what: 'client secret',
      variable: 'STOREFERRY_CLIENT_SECRET',
      fromInput: options.secretStdin,
    }),
  })
  const { access_token: bearerToken, expires_at: expiresIso, stores } = answer
  const path = await keepToken(commandLine.environment, { siteUrl, bearerToken, expiresIso })
  print(commandLine, `Signed in at ${siteUrl} until ${expiresIso}; the token is in ${path}.`)
  print(
    commandLine,
    formatTable(
      ['hash', 'store'],
      stores.map(({ hash, label }) => [hash, label]),
    ),
  )
}

async function given(commandLine: CommandLine, value: string | undefined, option: string): Promise<string> {
  if (value) return value
  if (!commandLine.input.isTTY) throw new Error(`${option} is missing.`)
  return ask(commandLine, option.replace('--', ''), { echo: true })
}
