import type { Command } from 'commander'
import type { SignOff } from '../../../src/contract/sign-offs.ts'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { printJson } from '../../shared/print-json.ts'
import { migrationPath } from '../../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'

interface SignOffOptions extends ServiceOptions {
  comparison?: string
  note?: string
}

export function addSignOff(program: Command, commandLine: CommandLine): void {
  overService(program, 'sign-off', 'put on record that a person has seen the latest comparison and accepts the copy')
    .argument(...migrationId)
    .requiredOption('--comparison <id>', 'the comparison that was seen, so that no newer one is signed unseen')
    .option('--note <text>', 'a note to keep with it')
    .addHelpText(
      'after',
      `
"storeferry status <id>" names the latest comparison.

Example:
  storeferry sign-off 019a2c1e-... --comparison 019a2c20-... --note "checked with the customer"`,
    )
    .action((id: string, options: SignOffOptions) => signOff(commandLine, id, options))
}

async function signOff(commandLine: CommandLine, id: string, options: SignOffOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { comparison, note } = options
  const signed = await client.post<SignOff>(`${migrationPath(id)}/sign-off`, { comparison, note })
  if (options.json) return printJson(commandLine, signed)
  print(commandLine, `Signed off by ${signed.signedBy} at ${signed.at}, on comparison ${signed.comparison}.`)
}
