import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type Control, controls } from '../../src/contract/status.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { signedIn } from '../shared/signed-in.ts'

const descriptions: Record<Control, string> = {
  pause: 'stop a migration where nothing is lost; it can be resumed',
  resume: 'go on with a paused migration, or try what failed again',
  cancel: 'end a migration for good; what was copied stays',
  heal: 'try again what a partly completed migration could not do',
}

/** `pause`, `resume`, `cancel` and `heal`: ask, and say what the service made of it. */
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
