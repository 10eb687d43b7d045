import type { Command } from 'commander'
import type { CommandLine } from '../shared/command-line.ts'
import { exitCodeOf, followMigration, printEnd } from '../shared/follow-migration.ts'
import { signedIn } from '../shared/signed-in.ts'

export function addWatch(program: Command, commandLine: CommandLine): void {
  program
    .command('watch')
    .description('follow a migration; exits 0 completed, 1 failed or with open failures, 2 paused, 3 cancelled')
    .argument('<id>', 'the migration')
    .action(async (id: string) => {
      const detail = await followMigration(commandLine, await signedIn(commandLine), id)
      printEnd(commandLine, detail)
      commandLine.exitWith(exitCodeOf(detail))
    })
}
