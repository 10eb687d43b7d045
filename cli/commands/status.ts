import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type MigrationRequest, waitingReasons } from '../../src/contract/migration-request.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { openLine, phaseTable, progressText, warningLines } from '../shared/follow-migration.ts'
import { counted } from '../shared/numbers.ts'
import { printJson } from '../shared/print-json.ts'
import { printable } from '../shared/printable.ts'
import { migrationPath } from '../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { itemsThatWait } from './confirm.ts'

export function addStatus(program: Command, commandLine: CommandLine): void {
  overService(program, 'status', 'show a migration as it is now: progress, why it waits, and what can be done with it')
    .argument(...migrationId)
    .addHelpText(
      'after',
      `
It ends with 0 whatever the status is; watch follows a migration, and its exit code says how it ended.

Examples:
  storeferry status 019a2c1e-...
  storeferry status 019a2c1e-... --json | jq -r .migration.status`,
    )
    .action((id: string, options: ServiceOptions) => showStatus(commandLine, id, options))
}

async function showStatus(commandLine: CommandLine, id: string, options: ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const [migration, request] = await Promise.all([
    client.get<MigrationDetail>(migrationPath(id)),
    client.get<MigrationRequest>(`${migrationPath(id)}/request`),
  ])
  if (options.json) return printJson(commandLine, { migration, request })
  for (const line of describeStatus(migration, request)) print(commandLine, printable(line))
  if (migration.phases.length > 0) print(commandLine, `\n${phaseTable(migration, widthOf(commandLine))}`)
}

/** What people want to know first; the table of phases follows. */
export function describeStatus(migration: MigrationDetail, request: MigrationRequest): string[] {
  const { requestId, source, destination, mode, conflictStrategy, status, timestamps } = migration
  const { label, createdBy, asked, waiting, queue, failure, prune, comparison, allowedControls } = request
  const open = openLine(migration)
  const shop = (one: MigrationDetail['source']) => `${one.label} (${one.hash})`
  return [
    `${label === null ? '' : `${label}: `}${mode} of ${shop(source)} to ${shop(destination)}, strategy ${conflictStrategy}`,
    `Requested ${timestamps.created}${createdBy ? ` by ${createdBy.name}` : ''}; ${status.replace('_', ' ')} since ${timestamps.updated}.`,
    ...(status === 'in_progress' ? [progressText(migration)] : []),
    ...(asked === 'none' ? [] : [`A ${asked} was requested and takes effect after the calls under way.`]),
    ...(waiting
      ? [`It waits for the ${waiting.system} since ${waiting.since}, and tries again at ${waiting.nextTryAt}.`]
      : []),
    ...(queue ? [`It waits for its turn: ${waitingReasons[queue.why]}.${beforeIt(queue.before)}`] : []),
    ...(failure ? [`${failure.message} (${failure.code})`] : []),
    ...(prune ? [`${itemsThatWait(prune.items)}. See them: storeferry plan ${requestId}`] : []),
    migration.summaryLine,
    ...(open === undefined ? [] : [open]),
    ...warningLines(migration),
    ...(comparison
      ? [
          `Compared by ${comparison.requestId} (${comparison.status})${comparison.isCurrent ? '' : ', before it went on'}.`,
        ]
      : []),
    `Possible now: ${allowedControls.length === 0 ? 'nothing' : allowedControls.join(', ')}.`,
  ]
}

function beforeIt(migrations: number): string {
  if (migrations === 0) return ''
  return ` ${counted(migrations, 'migration')} of your organisation ${migrations === 1 ? 'was' : 'were'} requested before it.`
}
