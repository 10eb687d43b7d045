import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { counted, wholeNumber } from '../shared/numbers.ts'
import { printJson } from '../shared/print-json.ts'
import { ask } from '../shared/read-secret.ts'
import { migrationPath } from '../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'

interface ConfirmOptions extends ServiceOptions {
  items?: number
}

export function addConfirm(program: Command, commandLine: CommandLine): void {
  overService(program, 'confirm', 'let a "replace" that waits delete exactly the items that "plan" shows; owners only')
    .argument('<id>', 'the migration that waits')
    .option('--items <number>', 'how many items may go, as "plan" says; asked for on a terminal', wholeNumber)
    .addHelpText(
      'after',
      `
What is deleted cannot be brought back by Storeferry; "storeferry export <id> before-images" has it as it was.

Example:
  storeferry plan 019a2c1e-...
  storeferry confirm 019a2c1e-... --items 42`,
    )
    .action((id: string, options: ConfirmOptions) => confirm(commandLine, id, options))
}

async function confirm(commandLine: CommandLine, id: string, options: ConfirmOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { prune } = await client.get<MigrationRequest>(`${migrationPath(id)}/request`)
  if (!prune) throw new Error(`Migration ${id} does not wait to delete anything; see "storeferry status ${id}".`)
  const given = options.items ?? (await askForNumber(commandLine, id, prune.items))
  if (given !== prune.items) throw new Error(notConfirmed(id, prune.items, given))
  const { confirmPrune } = prune
  const detail = await client.post<MigrationDetail>(`${migrationPath(id)}/resume`, { confirmPrune })
  if (options.json) return printJson(commandLine, detail)
  print(
    commandLine,
    `${counted(prune.items, 'deletion is', 'deletions are')} confirmed; migration ${detail.requestId} is ${detail.status}.`,
  )
}

/** @param given NaN if what was typed is no number */
export function notConfirmed(id: string, items: number, given: number): string {
  const confirmed = Number.isNaN(given) ? 'no number was' : counted(given, 'was', 'were')
  return `${itemsThatWait(items)}, and ${confirmed} confirmed: nothing was done. See them: storeferry plan ${id}`
}

/** "1 item waits to be deleted". */
export function itemsThatWait(items: number): string {
  return `${counted(items, 'item waits', 'items wait')} to be deleted`
}

async function askForNumber(commandLine: CommandLine, id: string, items: number): Promise<number> {
  if (!commandLine.input.isTTY)
    throw new Error(`Say how many items may be deleted: --items ${items}. See them: storeferry plan ${id}`)
  const typed = await ask(commandLine, `${counted(items, 'item')} will be deleted. Type the number to confirm`, {
    echo: true,
  })
  return /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN
}
