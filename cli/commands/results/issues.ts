import { type Command, Option } from 'commander'
import type { Issue, IssueCounts } from '../../../src/contract/issues.ts'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { type IssueFilters, issueFiltersOf, withIssueFilters } from '../../shared/issue-filters.ts'
import { counted, wholeNumber } from '../../shared/numbers.ts'
import { printJson } from '../../shared/print-json.ts'
import { nothingFound, printFile, printJsonList } from '../../shared/print-list.ts'
import { printable } from '../../shared/printable.ts'
import { everyItem, migrationPath, type Query, type ServiceClient } from '../../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'
import { formatTable } from '../../shared/table.ts'

interface IssuesOptions extends IssueFilters, ServiceOptions {
  state?: string
  item?: string
  since?: string
  limit?: number
  csv?: boolean
  summary?: boolean
}

export function addIssues(program: Command, commandLine: CommandLine): void {
  withIssueFilters(
    overService(program, 'issues', 'list what went wrong in a migration, item by item, and what to do').argument(
      '[id]',
      'the migration; without it, all migrations of the organisation, latest issue first',
    ),
  )
    .addOption(new Option('--state <state>', 'only issues in this state').choices(['open', 'healed', 'dismissed']))
    .option('--item <id>', 'only issues of this item, by its id in either store; without a migration only')
    .option('--since <time>', 'only those that last occurred at or after this time; without a migration only')
    .addOption(new Option('--csv', 'print them as CSV; of one migration only').conflicts('json'))
    .addOption(new Option('--summary', 'only how many of each code').conflicts('csv'))
    .option(
      '--limit <number>',
      'at most so many, 100 by default except for --json; without a migration only',
      wholeNumber,
    )
    .addHelpText(
      'after',
      `
Examples:
  storeferry issues 019a2c1e-... --summary
  storeferry issues 019a2c1e-... --severity failure --state open
  storeferry issues 019a2c1e-... --csv > issues.csv
  storeferry issues --text "brass lamp"
  storeferry issues --since 2026-03-01T00:00:00Z --summary`,
    )
    .action((id: string | undefined, options: IssuesOptions) =>
      id === undefined ? showAll(commandLine, options) : showIssues(commandLine, id, options),
    )
}

async function showIssues(commandLine: CommandLine, id: string, options: IssuesOptions): Promise<void> {
  for (const name of ['item', 'since', 'limit'] as const)
    if (options[name] !== undefined) throw new Error(`--${name} is for the issues of all migrations: leave out ${id}.`)
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
  print(commandLine, byCode.size > 0 ? summaryOf(byCode) : nothingFound('issues', query))
}

async function showAll(commandLine: CommandLine, options: IssuesOptions): Promise<void> {
  if (options.csv) throw new Error('--csv is for the issues of one migration: name it.')
  if (options.component !== undefined) throw new Error('--component is for the issues of one migration: name it.')
  const client = await signedIn(commandLine, options)
  const { item, since, state, json, limit = 100 } = options
  const query: Query = { ...issueFiltersOf(options), state, itemId: item, since }
  if (options.summary) {
    const counts = await client.get<IssueCounts>('/v2/issues/counts', query)
    if (json) return printJson(commandLine, counts)
    return print(commandLine, counts.total > 0 ? linesOfCounts(counts) : nothingFound('issues', query))
  }
  if (json && options.limit === undefined) return printJsonList(commandLine, client, '/v2/issues', query)
  const shown: Issue[] = []
  for await (const issue of everyItem<Issue>(client, '/v2/issues', query)) {
    commandLine.signal.throwIfAborted()
    if (shown.length === limit) {
      if (!json) print(commandLine, `There are more than ${limit}; see --limit, --text and --summary.`)
      break
    }
    shown.push(issue)
    if (json) continue
    print(commandLine, `migration ${issue.requestId}`)
    printIssue(commandLine, issue)
  }
  if (json) return printJson(commandLine, shown)
  if (shown.length === 0) print(commandLine, nothingFound('issues', query))
}

function linesOfCounts({ total, ...facets }: IssueCounts): string {
  const lines = Object.entries(facets).map(
    ([name, values]) =>
      `${name}: ${Object.entries(values)
        .map(([value, issues]) => `${issues} ${value}`)
        .join(', ')}`,
  )
  return [counted(total, 'issue'), ...lines].join('\n')
}

/** One total per code: every order with a sold-out product is an issue of its own. */
function summaryOf(byCode: ReadonlyMap<string, number>): string {
  const kinds = [...byCode].sort(([, one], [, other]) => other - one).map(([code, count]) => `${count} ${code}`)
  return `In all: ${kinds.join(', ')}.`
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
  if (groups.length === 0) return print(commandLine, nothingFound('issues', query))
  const rows = groups.map(({ key, open, failures, warnings }) => [key, open, failures, warnings])
  print(commandLine, formatTable(['code', 'open', 'failures', 'warnings'], rows))
  print(commandLine, '')
  for (const { key, example } of groups) print(commandLine, `${key}\n  ${example.remedy}`)
}
