import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Administration } from '../../../src/app.ts'
import type { CommandAdministration } from '../../../src/command-administration.ts'
import { type CommandLine, print, widthOf } from '../../shared/command-line.ts'
import { counted } from '../../shared/numbers.ts'
import { printJson } from '../../shared/print-json.ts'
import { printable } from '../../shared/printable.ts'
import { readSecret } from '../../shared/read-secret.ts'
import { formatTable } from '../../shared/table.ts'
import { administer, refuseSecondDatabase } from './administer.ts'

interface Person {
  firstName: string
  lastName: string
  email: string
  passwordStdin?: boolean
}

interface OfOrganisation {
  organisation: string
}

/** Administration directly on the database. With the embedded database, only on the service's own machine. */
export function addAdmin(program: Command, commandLine: CommandLine): void {
  const admin = program
    .command('admin')
    .description('set up organisations, users, stores and API credentials')
    .option('--new', 'without a service that has been started before: make the data directory')
    .addHelpText(
      'after',
      `
It works on the database of the service: run it with the same STOREFERRY_DATA or DATABASE_URL as "storeferry start".

Example:
  storeferry admin create-organisation --name "Reed Lamps" \\
    --owner-first-name Olive --owner-last-name Reed --owner-email olive@shop.example
  storeferry admin enable --organisation "Reed Lamps"
  storeferry admin connect-store --organisation "Reed Lamps" --hash abc123 --token-file store.token
  storeferry admin issue-credential --organisation "Reed Lamps"`,
    )
    .hook('preAction', async () => {
      if (admin.opts<{ new?: boolean }>().new) return
      await refuseSecondDatabase(commandLine, 'if there is none yet, start it first, or add --new after "admin"')
    })
  addAccounts(admin, commandLine)
  addStores(admin, commandLine)
  addCredentials(admin, commandLine)
  admin
    .command('list')
    .description('list every organisation with its stores and its API credential')
    .option('--json', 'print them for scripts')
    .addHelpText('after', example('list'))
    .action(({ json }: { json?: boolean }) =>
      administer(commandLine, (administration) => list(commandLine, administration, json)),
    )
}

function addAccounts(admin: Command, commandLine: CommandLine): void {
  personOf(admin.command('create-administrator').description('create one of the platform’s own administrators'), '')
    .addHelpText('after', example('create-administrator --first-name Ada --last-name Stone --email ada@staff.example'))
    .action(async (options: Person) => {
      const person = await withPassword(commandLine, options)
      await administer(commandLine, async ({ createAdministrator }) => {
        const { email } = await createAdministrator(person)
        print(commandLine, `Administrator ${email} was created.`)
      })
    })
  admin
    .command('remove-second-step')
    .description('turn the second step off for a person who lost the app and the recovery codes')
    .requiredOption('--email <address>', 'email address')
    .addHelpText('after', example('remove-second-step --email ada@staff.example'))
    .action(({ email }: { email: string }) =>
      administer(commandLine, async ({ removeSecondStep }) => {
        await removeSecondStep({ email })
        print(commandLine, `${email} signs in with the password only, and is signed out everywhere.`)
      }),
    )
  const create = admin
    .command('create-organisation')
    .description('create an organisation with its owner')
    .requiredOption('--name <name>', 'name of the organisation')
  create.addHelpText(
    'after',
    example(
      'create-organisation --name "Reed Lamps" --owner-first-name Olive --owner-last-name Reed --owner-email olive@shop.example',
    ),
  )
  personOf(create, 'owner-').action(async (options: Record<string, string> & { passwordStdin?: boolean }) => {
    const { name = '', ownerFirstName = '', ownerLastName = '', ownerEmail = '', passwordStdin } = options
    const given = { firstName: ownerFirstName, lastName: ownerLastName, email: ownerEmail, passwordStdin }
    const owner = await withPassword(commandLine, given)
    await administer(commandLine, async ({ createOrganisation }) => {
      const created = await createOrganisation({ name, owner })
      print(commandLine, `Organisation ${created.name} was created, with the owner ${owner.email}.`)
    })
  })
}

function example(line: string): string {
  return `\nExample:\n  storeferry admin ${line}`
}

function personOf(command: Command, prefix: string): Command {
  return command
    .requiredOption(`--${prefix}first-name <name>`, 'first name')
    .requiredOption(`--${prefix}last-name <name>`, 'last name')
    .requiredOption(`--${prefix}email <address>`, 'email address')
    .option('--password-stdin', 'read the password from standard input (else STOREFERRY_PASSWORD, or a prompt)')
}

async function withPassword(commandLine: CommandLine, { passwordStdin, ...person }: Person) {
  const requested = { what: 'password', variable: 'STOREFERRY_PASSWORD', fromInput: passwordStdin }
  return { ...person, password: await readSecret(commandLine, requested) }
}

function addStores(admin: Command, commandLine: CommandLine): void {
  ofOrganisation(admin, 'enable', 'allow an organisation to use Store Migration').action(
    ({ organisation }: OfOrganisation) =>
      administer(commandLine, async ({ enableStoreMigration }) => {
        const { name } = await enableStoreMigration({ organisation })
        print(commandLine, `Store Migration is enabled for ${name}.`)
      }),
  )
  ofOrganisation(admin, 'remove', 'remove an organisation from Store Migration; its migrations are canceled').action(
    ({ organisation }: OfOrganisation) =>
      administer(commandLine, async ({ removeStoreMigration }) => {
        const { name, cancelled } = await removeStoreMigration({ organisation })
        print(
          commandLine,
          `${name} was removed from Store Migration; ${counted(cancelled, 'migration is', 'migrations are')} canceled.`,
        )
      }),
  )
  ofOrganisation(
    admin,
    'connect-store',
    'connect a store, or give a connected one a new API token',
    ' --hash abc123 --token-file store.token',
  )
    .requiredOption('--hash <hash>', 'store hash, the part after /stores/ of its API path')
    .option('--label <text>', 'name in lists (default: the shop’s own name)')
    .option('--token-file <path>', 'read the API token from a file')
    .option('--token-stdin', 'read the API token from standard input (else STOREFERRY_STORE_TOKEN, or a prompt)')
    .action((options: StoreOptions) => connectStore(commandLine, options))
}

interface StoreOptions extends OfOrganisation {
  hash: string
  label?: string
  tokenFile?: string
  tokenStdin?: boolean
}

async function connectStore(commandLine: CommandLine, options: StoreOptions): Promise<void> {
  const { organisation, hash, label, tokenFile, tokenStdin } = options
  const requested = { what: 'API token', variable: 'STOREFERRY_STORE_TOKEN', fromInput: tokenStdin }
  const token = tokenFile ? (await readFile(tokenFile, 'utf8')).trim() : await readSecret(commandLine, requested)
  await administer(commandLine, async (administration) => {
    const connected = await administration.connectStore({ organisation, hash, label, token })
    print(commandLine, `Store ${connected.hash} (${printable(connected.label)}) is connected to ${organisation}.`)
    const missing = connected.missingScopes.join(', ')
    if (missing) print(commandLine, `Its API token lacks scopes a copy needs: ${missing}.`)
  })
}

function addCredentials(admin: Command, commandLine: CommandLine): void {
  ofOrganisation(admin, 'issue-credential', 'generate the API credential; its secret is shown only once').action(
    ({ organisation }: OfOrganisation) =>
      administer(commandLine, async ({ issueCredential }) =>
        printCredential(commandLine, await issueCredential({ organisation })),
      ),
  )
  ofOrganisation(
    admin,
    'rotate-credential',
    'give the API credential a new secret; all bearer tokens become invalid at once',
  ).action(({ organisation }: OfOrganisation) =>
    administer(commandLine, async ({ rotateCredential }) =>
      printCredential(commandLine, await rotateCredential({ organisation })),
    ),
  )
  ofOrganisation(admin, 'disable-credential', 'turn API access off; all bearer tokens become invalid at once').action(
    ({ organisation }: OfOrganisation) =>
      administer(commandLine, async ({ disableCredential }) => {
        const { clientId } = await disableCredential({ organisation })
        print(commandLine, `Credential ${clientId} is disabled.`)
      }),
  )
  admin
    .command('rotate-signing-key')
    .description('sign bearer tokens with a new key; existing tokens stay valid until they expire')
    .option('--compromised', 'the old keys may be compromised: all existing bearer tokens become invalid at once')
    .addHelpText('after', example('rotate-signing-key'))
    .action(({ compromised = false }: { compromised?: boolean }) =>
      administer(commandLine, async ({ rotateSigningKey }) => {
        await rotateSigningKey({ compromised })
        const old = compromised
          ? 'Existing tokens are void; callers have to log in again.'
          : 'Existing tokens stay valid until they expire.'
        print(commandLine, `A new key signs bearer tokens. ${old}`)
      }),
    )
  admin
    .command('rotate-key')
    .description(
      'replace the key in STOREFERRY_OLD_KEYS by STOREFERRY_KEY, or generate a new key in the data directory',
    )
    .addHelpText('after', example('rotate-key'))
    .action(() => administer(commandLine, (administration) => rotateKey(commandLine, administration)))
}

async function rotateKey(commandLine: CommandLine, administration: CommandAdministration): Promise<void> {
  const given = Boolean(commandLine.environment.STOREFERRY_KEY)
  const { keyId, unreadable, left } = await administration.rotateKey(({ table, count }) =>
    print(commandLine, `${table}: ${count} left to encrypt with the new key`),
  )
  print(commandLine, `The database is now written with the key ${keyId}.`)
  if (unreadable.length > 0)
    throw new Error(
      `No key decrypts ${unreadable.join(', ')}. Connect these stores again and rotate the signing key, then run this again. The old key is still needed.`,
    )
  if (left.length > 0) throw new Error('Some values still need the old key: run this again.')
  print(
    commandLine,
    given
      ? 'Old keys are no longer needed: remove STOREFERRY_OLD_KEYS before the next start. Only backups from before need them.'
      : 'The old key is no longer needed, except for backups from before: encryption.key in the data directory is the new one.',
  )
}

function ofOrganisation(admin: Command, name: string, description: string, more = ''): Command {
  const command = admin
    .command(name)
    .description(description)
    .addHelpText('after', example(`${name} --organisation "Reed Lamps"${more}`))
  return command.requiredOption('--organisation <name>', 'name of the organisation')
}

function printCredential(commandLine: CommandLine, issued: { clientId: string; clientSecret: string }): void {
  print(commandLine, `client id:     ${issued.clientId}`)
  print(commandLine, `client secret: ${issued.clientSecret}`)
  print(commandLine, 'The secret is shown only once; keep it like a password.')
}

async function list(
  commandLine: CommandLine,
  { listOrganisations }: Administration,
  json: boolean | undefined,
): Promise<void> {
  const items = await allOrganisations(listOrganisations)
  if (json) return printJson(commandLine, items)
  const header = ['organisation', 'store migration', 'stores', 'client id', 'secret', 'version', 'state']
  const rows = items.map(({ name, storeMigrationEnabled, stores, credential }) => [
    name,
    storeMigrationEnabled ? 'enabled' : 'off',
    stores,
    credential?.clientId ?? '-',
    credential ? `...${credential.lastFour}` : '-',
    credential?.version ?? '-',
    credential?.state ?? '-',
  ])
  if (items.length === 0) return print(commandLine, 'There are no organisations yet.')
  const drop = ['version', 'secret', 'store migration']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['organisation'], drop }))
}

type Listed = Awaited<ReturnType<Administration['listOrganisations']>>

async function allOrganisations(listPage: Administration['listOrganisations']): Promise<Listed['items']> {
  const items: Listed['items'] = []
  let cursor: string | null = null
  do {
    const page: Listed = await listPage({ limit: 200, ...(cursor !== null && { cursor }) })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}
