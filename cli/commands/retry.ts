import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { type IssueFilters, issueFiltersOf, withIssueFilters } from '../shared/issue-filters.ts'
import { printJson } from '../shared/print-json.ts'
import { migrationPath } from '../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'

interface RetryOptions extends IssueFilters, ServiceOptions {}

export function addRetry(program: Command, commandLine: CommandLine): void {
  const description = 'retry some of what failed: the issues named, or all that match the filters (heal retries all)'
  withIssueFilters(
    overService(program, 'retry', description)
      .argument(...migrationId)
      .argument('[issues...]', 'issues, as `storeferry issues` shows them in brackets'),
  )
    .addHelpText('after', '\nExample:\n  storeferry retry 019a2c1e-... --component products')
    .action((id: string, issues: string[], options: RetryOptions) => retry(commandLine, id, issues, options))
}

async function retry(commandLine: CommandLine, id: string, issues: string[], options: RetryOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const body = { ...issueFiltersOf(options), ...(issues.length > 0 && { ids: issues }) }
  const detail = await client.post<MigrationDetail>(`${migrationPath(id)}/issues/retry`, body)
  if (options.json) return printJson(commandLine, detail)
  print(commandLine, `retry accepted; migration ${detail.requestId} is ${detail.status}.`)
}
