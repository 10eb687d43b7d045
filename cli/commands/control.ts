import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type Control, controls } from '../../src/contract/status.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { migrationPath } from '../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'

const descriptions: Record<Control, string> = {
  pause: 'pause a migration; it can be resumed without loss',
  resume: 'continue a paused migration, or retry what failed; items that wait to be deleted are kept',
  cancel: 'end a migration for good; what was copied stays',
  heal: 'retry what failed in a partly completed migration',
}

/** `pause`, `resume`, `cancel` and `heal`: send the control and print the migration's status. */
export function addControls(program: Command, commandLine: CommandLine): void {
  for (const control of controls) {
    overService(program, control, descriptions[control])
      .argument(...migrationId)
      .addHelpText('after', `\nExample:\n  storeferry ${control} 019a2c1e-...`)
      .action(async (id: string, options: ServiceOptions) => {
        const client = await signedIn(commandLine, options)
        const detail = await client.post<MigrationDetail>(`${migrationPath(id)}/${control}`)
        if (options.json) printJson(commandLine, detail)
        else print(commandLine, `${control} accepted; migration ${detail.requestId} is ${detail.status}.`)
      })
  }
}
