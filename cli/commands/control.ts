import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type Control, controls } from '../../src/contract/status.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { signedIn } from '../shared/signed-in.ts'

const descriptions: Record<Control, string> = {
  pause: 'pause a migration; it can be resumed without loss',
  resume: 'continue a paused migration, or retry what failed',
  cancel: 'end a migration for good; what was copied stays',
  heal: 'retry what failed in a partly completed migration',
}

/** `pause`, `resume`, `cancel` and `heal`: send the control and print the migration's status. */
export function addControls(program: Command, commandLine: CommandLine): void {
  for (const control of controls) {
    program
      .command(control)
      .description(descriptions[control])
      .argument('<id>', 'the migration')
      .action(async (id: string) => {
        const client = await signedIn(commandLine)
        const detail = await client.post<MigrationDetail>(`/v2/migrations/${encodeURIComponent(id)}/${control}`)
        print(commandLine, `${control} accepted; migration ${detail.requestId} is ${detail.status}.`)
      })
  }
}
