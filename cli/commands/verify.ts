import type { Command } from 'commander'
import { type CommandLine, print } from '../shared/command-line.ts'
import { followComparison, startComparison } from '../shared/compare-stores.ts'
import { exitCodeOf } from '../shared/exit-codes.ts'
import { printJson } from '../shared/print-json.ts'
import { migrationPath } from '../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { startMigration } from '../shared/start-migration.ts'

interface VerifyOptions extends ServiceOptions {
  /** False with `--no-watch`. */
  watch: boolean
}

export function addVerify(program: Command, commandLine: CommandLine): void {
  overService(program, 'verify', 'compare both stores over what a migration copied, field by field; writes nothing')
    .argument(...migrationId)
    .option('--no-watch', 'print the id of the comparison and return')
    .addHelpText(
      'after',
      `
It ends with 0 when nothing differs, and with 4 when something does.

Example:
  storeferry verify 019a2c1e-...
  storeferry differences <id of the comparison>`,
    )
    .action((id: string, options: VerifyOptions) => verify(commandLine, id, options))
}

async function verify(commandLine: CommandLine, id: string, options: VerifyOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { json = false, watch } = options
  if (watch) {
    let verification = await startComparison(commandLine, client, id, json)
    try {
      verification = await followComparison(commandLine, client, verification, json)
      return commandLine.exitWith(exitCodeOf(verification))
    } finally {
      // After an error, too: nothing has printed the comparison's id yet.
      if (json) printJson(commandLine, verification)
    }
  }
  const created = await startMigration(client, `${migrationPath(id)}/verify`)
  if (json) printJson(commandLine, created)
  else print(commandLine, created.requestId)
}
