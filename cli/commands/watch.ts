import type { Command } from 'commander'
import type { CommandLine } from '../shared/command-line.ts'
import { exitCodeOf } from '../shared/exit-codes.ts'
import { followMigration, printEnd } from '../shared/follow-migration.ts'
import { printJson } from '../shared/print-json.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'

export function addWatch(program: Command, commandLine: CommandLine): void {
  overService(program, 'watch', 'follow a migration until it ends or is paused; the exit code says how')
    .argument(...migrationId)
    .addHelpText('after', '\nExample:\n  storeferry watch 019a2c1e-... && echo "everything was copied"')
    .action(async (id: string, options: ServiceOptions) => {
      const { json = false } = options
      const detail = await followMigration(commandLine, await signedIn(commandLine, options), id, { quiet: json })
      if (json) printJson(commandLine, detail)
      else printEnd(commandLine, detail)
      commandLine.exitWith(exitCodeOf(detail))
    })
}
