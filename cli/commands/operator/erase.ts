import { type Command, InvalidArgumentError } from 'commander'
import type { CommandAdministration } from '../../../src/command-administration.ts'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { counted } from '../../shared/numbers.ts'
import { ask } from '../../shared/read-secret.ts'
import { administer, refuseSecondDatabase } from './administer.ts'

interface EraseOptions {
  organisation: string
  customer?: string
  customerId?: string[]
  leaveSwitchedOff?: boolean
  dryRun?: boolean
  yes?: boolean
}

/** One person's data, or an organisation with everything: from the database and the search index. */
export function addErase(program: Command, commandLine: CommandLine): void {
  program
    .command('erase')
    .description('erase what is stored about a shopper, or an organisation with everything')
    .requiredOption('--organisation <name>', 'the organisation; without --customer, all of it is erased')
    .option('--customer <email>', 'email address of the shopper, customer or subscriber')
    .option(
      '--customer-id <hash/id>',
      'id of the shopper at a store that no longer has the account; may be repeated',
      (text: string, before: string[] = []) => [...before, customerId(text)],
    )
    .option('--leave-switched-off', 'erase an organisation even if a migration left mails off or stock to give back')
    .option('--dry-run', 'say what would be erased, and erase nothing')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Erase the person in the stores first. The service may be running, but no migration of the organisation.
Run it with the same STOREFERRY_DATA, or the same DATABASE_URL and OPENSEARCH_URL, as "storeferry start".

Example:
  storeferry erase --organisation "Reed Lamps" --customer jane@mail.example --dry-run
  storeferry erase --organisation "Reed Lamps" --customer jane@mail.example --customer-id abc123/41
  storeferry erase --organisation "Reed Lamps"`,
    )
    .action((options: EraseOptions) => erase(commandLine, options))
}

function customerId(text: string): string {
  if (/^[a-z0-9]{1,20}\/\d+$/.test(text)) return text
  throw new InvalidArgumentError('Give the hash of the store and the id of the customer there, such as abc123/41.')
}

async function erase(commandLine: CommandLine, options: EraseOptions): Promise<void> {
  const { customer, customerId: ids } = options
  if (customer === undefined && ids)
    throw new Error('--customer-id belongs to a shopper: name the email address with --customer.')
  if (customer !== undefined && options.leaveSwitchedOff)
    throw new Error('--leave-switched-off is for erasing an organisation, not a shopper.')
  await refuseSecondDatabase(commandLine, 'where nothing was started yet, there is nothing to erase')
  await administer(commandLine, (administration) =>
    customer === undefined
      ? eraseOrganisation(commandLine, administration, options)
      : eraseShopper(commandLine, administration, customer, options),
  )
}

type Shopper = NonNullable<Awaited<ReturnType<CommandAdministration['eraseShopper']>>>
type Organisation = NonNullable<Awaited<ReturnType<CommandAdministration['eraseOrganisation']>>>

async function eraseShopper(
  commandLine: CommandLine,
  administration: CommandAdministration,
  email: string,
  options: EraseOptions,
): Promise<void> {
  const { organisation, customerId: customerIds = [] } = options
  const decide = async (would: Shopper) => {
    print(commandLine, `What ${would.organisation} has of ${email}:`)
    for (const line of describeShopper(would)) print(commandLine, `  ${line}`)
    return confirmed(commandLine, options, email, 'the address')
  }
  const { signal } = commandLine
  const erased = await administration.eraseShopper({ organisation, email, customerIds }, { decide, signal })
  if (!erased) return print(commandLine, 'Nothing was erased.')
  print(commandLine, 'It is erased here. Not in the stores, in backups made before, in exported files or in logs.')
}

function describeShopper(found: Shopper): string[] {
  const { accounts, originals, copies, unknownOriginals, keptUnknown, mappings, hasAccount } = found
  const texts = total(found.texts)
  return [
    ...accounts.map(({ label, ids }) => `${label}: ${ids.join(', ') || 'not found at any store'}`),
    ...found.unreached.map(({ hash, reason }) => `store ${hash} could not be asked: ${reason}`),
    `${counted(originals, 'saved original')} of the shopper: to be erased`,
    `${counted(unknownOriginals, 'saved original')} whose owner is unknown: ${keptUnknown ? 'kept; if this was a customer, add --customer-id' : 'to be erased'}`,
    `${counted(copies, 'item')} kept by migrations that have not ended: to be erased`,
    `${counted(texts, 'text')} with the address${inTables(found.texts)}: to be replaced`,
    `${counted(mappings, 'pair')} of ids: kept, so that no migration copies the shopper again`,
    ...(hasAccount ? ['a member of the organisation has this address: the account is not touched'] : []),
  ]
}

async function eraseOrganisation(
  commandLine: CommandLine,
  administration: CommandAdministration,
  options: EraseOptions,
): Promise<void> {
  const { organisation, leaveSwitchedOff = false } = options
  const decide = async (would: Organisation) => {
    print(commandLine, `All of ${would.name}:`)
    const migrations = counted(would.runIds.length, 'migration')
    print(commandLine, `  ${migrations}, and ${counted(would.people, 'person', 'people')} of no other organisation`)
    print(commandLine, `  ${counted(total(would.rows), 'row')}${inTables(would.rows)}`)
    return confirmed(commandLine, options, would.name, 'the name of the organisation')
  }
  const { signal } = commandLine
  const erased = await administration.eraseOrganisation({ organisation, leaveSwitchedOff }, { decide, signal })
  if (!erased) return print(commandLine, 'Nothing was erased.')
  print(
    commandLine,
    `${erased.name} is erased here. Not in its stores, in backups made before, in exported files or in logs.`,
  )
}

/** @param name what has to be typed */
async function confirmed(
  commandLine: CommandLine,
  { dryRun, yes }: EraseOptions,
  name: string,
  what: string,
): Promise<boolean> {
  if (dryRun) return false
  if (yes) return true
  if (!commandLine.input.isTTY)
    throw new Error('Nothing was erased: add --yes to erase this without a question, or --dry-run to see it only.')
  const typed = await ask(commandLine, `It cannot be brought back. Type ${what} to erase it`, { echo: true })
  if (typed.trim() === name) return true
  throw new Error(`That was not ${what}: nothing was erased.`)
}

function total(rows: Record<string, number>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

function inTables(rows: Record<string, number>): string {
  const tables = Object.entries(rows).map(([table, count]) => `${table} ${count}`)
  return tables.length === 0 ? '' : ` (${tables.sort().join(', ')})`
}
