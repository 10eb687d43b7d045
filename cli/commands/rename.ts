import type { Command } from 'commander'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { printable } from '../shared/printable.ts'
import { migrationPath } from '../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'

export function addRename(program: Command, commandLine: CommandLine): void {
  overService(program, 'rename', 'change the label of a migration, also while it is in progress')
    .argument(...migrationId)
    .argument('<label>', 'the new label; "" removes it')
    .addHelpText('after', '\nExample:\n  storeferry rename 019a2c1e-... "Spring copy"')
    .action(async (id: string, label: string, options: ServiceOptions) => {
      const client = await signedIn(commandLine, options)
      const renamed = await client.patch<Pick<MigrationRequest, 'requestId' | 'label'>>(migrationPath(id), {
        label: label || null,
      })
      if (options.json) return printJson(commandLine, renamed)
      const outcome = renamed.label === null ? 'no longer has a label' : `is now called ${renamed.label}`
      print(commandLine, printable(`Migration ${renamed.requestId} ${outcome}.`))
    })
}
