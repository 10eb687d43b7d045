import { type Command, Option } from 'commander'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { type IssueFilters, issueFiltersOf, withIssueFilters } from '../../shared/issue-filters.ts'
import { printJson } from '../../shared/print-json.ts'
import { migrationPath } from '../../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'

interface DismissOptions extends IssueFilters, ServiceOptions {
  reason?: string
  differences?: boolean
  kind?: string
}

export function addDismiss(program: Command, commandLine: CommandLine): void {
  const description = 'accept issues of a migration as they are: those named, or all that match the filters'
  withIssueFilters(
    overService(program, 'dismiss', description)
      .argument('<id>', 'the migration; with --differences, the comparison')
      .argument('[ids...]', 'issues, as `storeferry issues` shows them in brackets'),
  )
    .addOption(new Option('--reason <text>', 'why it is right as it is').conflicts('differences'))
    .addOption(
      new Option('--differences', 'accept differences of a comparison instead of issues').conflicts([
        'severity',
        'code',
        'text',
      ]),
    )
    .addOption(
      new Option('--kind <kind>', 'with --differences: only those of this kind').choices([
        'missing',
        'different',
        'extra',
      ]),
    )
    .addHelpText(
      'after',
      `
Neither store is changed. A migration without open failures is then completed.

Examples:
  storeferry dismiss 019a2c1e-... --code not_copied --reason "these files are not used any more"
  storeferry dismiss <id of a comparison> --differences --component products --kind different`,
    )
    .action((id: string, ids: string[], options: DismissOptions) => dismiss(commandLine, id, ids, options))
}

async function dismiss(commandLine: CommandLine, id: string, named: string[], options: DismissOptions): Promise<void> {
  const { differences, kind, phase, component, reason, json } = options
  if (kind !== undefined && !differences) throw new Error('--kind is about differences: add --differences.')
  const client = await signedIn(commandLine, options)
  const what = differences ? 'difference' : 'issue'
  const filters = differences ? { phase, component, kind } : { ...issueFiltersOf(options), reason }
  const body = { ...filters, ...(named.length > 0 && { ids: named }) }
  const answer = await client.post<{ dismissed: number }>(`${migrationPath(id)}/${what}s/dismiss`, body)
  if (json) return printJson(commandLine, answer)
  print(commandLine, `${answer.dismissed} ${answer.dismissed === 1 ? what : `${what}s`} dismissed.`)
}
