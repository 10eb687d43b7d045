import type { Command } from 'commander'
import { type CommandLine, print } from '../shared/command-line.ts'
import { signedIn } from '../shared/signed-in.ts'

interface Filters {
  phase?: string
  component?: string
  severity?: string
  code?: string
  text?: string
}

export function addDismiss(program: Command, commandLine: CommandLine): void {
  program
    .command('dismiss')
    .description('accept issues of a migration as they are: those named, or all that match the filters')
    .argument('<id>', 'the migration')
    .argument('[issues...]', 'ids of issues, as `storeferry issues` shows them')
    .option('--phase <key>', 'only issues of this phase')
    .option('--component <key>', 'only issues of this component')
    .option('--severity <severity>', 'failure or warning')
    .option('--code <code>', 'only issues of this code')
    .option('--text <text>', 'only issues with this text in their message or item name')
    .action((id: string, issues: string[], filters: Filters) => dismiss(commandLine, id, issues, filters))
}

async function dismiss(commandLine: CommandLine, id: string, issues: string[], filters: Filters): Promise<void> {
  const client = await signedIn(commandLine)
  const path = `/v2/migrations/${encodeURIComponent(id)}/issues/dismiss`
  const body = { ...filters, ...(issues.length > 0 && { ids: issues }) }
  const { dismissed } = await client.post<{ dismissed: number }>(path, body)
  print(commandLine, `${dismissed} ${dismissed === 1 ? 'issue' : 'issues'} dismissed.`)
}
