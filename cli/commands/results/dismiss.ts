import { type Command, Option } from 'commander'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { type IssueFilters, issueFiltersOf, withIssueFilters } from '../../shared/issue-filters.ts'
import { counted } from '../../shared/numbers.ts'
import { printJson } from '../../shared/print-json.ts'
import { migrationPath } from '../../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'

interface ChoiceOptions extends IssueFilters, ServiceOptions {
  differences?: boolean
  kind?: string
}

interface DismissOptions extends ChoiceOptions {
  reason?: string
}

export function addDismiss(program: Command, commandLine: CommandLine): void {
  const description = 'accept issues of a migration as they are: those named, or all that match the filters'
  withFindingChoice(overService(program, 'dismiss', description), 'accept')
    .addOption(new Option('--reason <text>', 'why it is right as it is').conflicts('differences'))
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

export function addReopen(program: Command, commandLine: CommandLine): void {
  const description = 'open dismissed issues of a migration again: those named, or all that match the filters'
  withFindingChoice(overService(program, 'reopen', description), 'reopen')
    .addHelpText(
      'after',
      `
What failed is reopened until the migration is completed, and can then be retried by heal, retry or resume.

Examples:
  storeferry reopen 019a2c1e-... --code platform_refused
  storeferry reopen <id of a comparison> --differences --component products`,
    )
    .action(async (id: string, ids: string[], options: ChoiceOptions) => {
      const path = `${migrationPath(id)}/${nounOf(options)}s/reopen`
      const client = await signedIn(commandLine, options)
      const answer = await client.post<{ reopened: number }>(path, choiceOf(ids, options))
      if (options.json) return printJson(commandLine, answer)
      print(commandLine, `${counted(answer.reopened, nounOf(options))} reopened.`)
    })
}

/** Issues by id or filter, or differences. */
function withFindingChoice(command: Command, verb: 'accept' | 'reopen'): Command {
  return withIssueFilters(
    command
      .argument('<id>', 'the migration; with --differences, the comparison')
      .argument('[ids...]', 'issues, as `storeferry issues` shows them in brackets'),
  )
    .addOption(
      new Option('--differences', `${verb} differences of a comparison instead of issues`).conflicts([
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
}

function choiceOf(ids: string[], options: ChoiceOptions): object {
  const { differences, kind, phase, component } = options
  if (kind !== undefined && !differences) throw new Error('--kind is about differences: add --differences.')
  const filters = differences ? { phase, component, kind } : issueFiltersOf(options)
  return { ...filters, ...(ids.length > 0 && { ids }) }
}

function nounOf({ differences }: ChoiceOptions): 'difference' | 'issue' {
  return differences ? 'difference' : 'issue'
}

async function dismiss(commandLine: CommandLine, id: string, ids: string[], options: DismissOptions): Promise<void> {
  const { reason, json } = options
  const body = { ...choiceOf(ids, options), ...(reason !== undefined && { reason }) }
  const client = await signedIn(commandLine, options)
  const answer = await client.post<{ dismissed: number }>(`${migrationPath(id)}/${nounOf(options)}s/dismiss`, body)
  if (json) return printJson(commandLine, answer)
  print(commandLine, `${counted(answer.dismissed, nounOf(options))} dismissed.`)
}
