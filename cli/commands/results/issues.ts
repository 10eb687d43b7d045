import { type Command, Option } from 'commander'
import type { Issue } from '../../../src/contract/issues.ts'
import { type CommandLine, print, widthOf } from '../../shared/command-line.ts'
import { type IssueFilters, issueFiltersOf, withIssueFilters } from '../../shared/issue-filters.ts'
import { printJson } from '../../shared/print-json.ts'
import { printFile, printJsonList } from '../../shared/print-list.ts'
import { printable } from '../../shared/printable.ts'
import { everyItem, migrationPath, type Query, type ServiceClient } from '../../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'
import { formatTable } from '../../shared/table.ts'

interface IssuesOptions extends IssueFilters, ServiceOptions {
  state?: string
  csv?: boolean
  summary?: boolean
}

export function addIssues(program: Command, commandLine: CommandLine): void {
  withIssueFilters(
    overService(program, 'issues', 'list what went wrong in a migration, item by item, and what to do').argument(
      '<id>',
      'the migration',
    ),
  )
    .addOption(new Option('--state <state>', 'only issues in this state').choices(['open', 'healed', 'dismissed']))
    .addOption(new Option('--csv', 'print them as CSV').conflicts('json'))
    .addOption(new Option('--summary', 'only how many of each code').conflicts(['csv', 'phase', 'code']))
    .addHelpText(
      'after',
      `
Examples:
  storeferry issues 019a2c1e-... --summary
  storeferry issues 019a2c1e-... --severity failure --state open
  storeferry issues 019a2c1e-... --csv > issues.csv`,
    )
    .action((id: string, options: IssuesOptions) => showIssues(commandLine, id, options))
}

async function showIssues(commandLine: CommandLine, id: string, options: IssuesOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const path = `${migrationPath(id)}/issues`
  const query: Query = { ...issueFiltersOf(options), state: options.state }
  if (options.summary) return summarise(commandLine, client, path, { query, json: options.json })
  if (options.csv) return printFile(commandLine, client, `${path}.csv`, query)
  if (options.json) return printJsonList(commandLine, client, path, query)
  const byCode = new Map<string, number>()
  for await (const issue of everyItem<Issue>(client, path, query)) {
    commandLine.signal.throwIfAborted()
    printIssue(commandLine, issue)
    byCode.set(issue.code, (byCode.get(issue.code) ?? 0) + 1)
  }
  print(commandLine, summaryOf(byCode))
}

/** One total per code: every order with a sold-out product is an issue of its own. */
function summaryOf(byCode: ReadonlyMap<string, number>): string {
  const kinds = [...byCode].sort(([, one], [, other]) => other - one).map(([code, count]) => `${count} ${code}`)
  return kinds.length === 0 ? 'No issues.' : `In all: ${kinds.join(', ')}.`
}

function printIssue(commandLine: CommandLine, issue: Issue): void {
  const { id, severity, state, code, component, item, reason } = issue
  const name = item.name ? ` "${printable(item.name)}"` : ''
  print(commandLine, `${severity} (${state}) ${code}: ${component} ${printable(item.sourceId)}${name} [${id}]`)
  print(commandLine, `  ${printable(issue.message)}`)
  print(commandLine, `  ${reason === null ? issue.remedy : `Accepted: ${printable(reason)}`}`)
}

interface Group {
  key: string
  total: number
  open: number
  failures: number
  warnings: number
  example: Issue
}

async function summarise(
  commandLine: CommandLine,
  client: ServiceClient,
  path: string,
  { query, json }: { query: Query; json: boolean | undefined },
): Promise<void> {
  const { groups } = await client.get<{ groups: Group[] }>(`${path}/summary`, query)
  if (json) return printJson(commandLine, groups)
  if (groups.length === 0) return print(commandLine, 'No issues.')
  const header = ['code', 'open', 'failures', 'warnings', 'what to do']
  const rows = groups.map(({ key, open, failures, warnings, example }) => [
    key,
    open,
    failures,
    warnings,
    example.remedy,
  ])
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['what to do'] }))
}
