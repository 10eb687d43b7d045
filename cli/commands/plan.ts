import type { Command } from 'commander'
import type { z } from 'zod'
import type { Deletion, deletionCounts } from '../../src/contract/deletions.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { formatDuration } from '../shared/duration.ts'
import { counted } from '../shared/numbers.ts'
import { printJson } from '../shared/print-json.ts'
import { printFile } from '../shared/print-list.ts'
import { everyItem, migrationPath, type ServiceClient } from '../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'
import { itemsThatWait } from './confirm.ts'

interface PlanOptions extends ServiceOptions {
  csv?: boolean
}

type Counts = z.infer<typeof deletionCounts>

export function addPlan(program: Command, commandLine: CommandLine): void {
  overService(program, 'plan', 'what a dry run would do, or exactly what a migration waits to delete')
    .argument('<id>', 'the dry run, or the migration that waits')
    .option('--csv', 'print every deletion as CSV')
    .addHelpText(
      'after',
      `
Of a dry run: how much it would create, update and delete, and the calls and minutes the real run takes.
Of a "replace" that waits: every item it would delete. "storeferry confirm" lets it, "storeferry resume" keeps them.

Examples:
  storeferry migrate --source abc123 --destination def456 --strategy replace --dry-run --watch
  storeferry plan 019a2c1e-...
  storeferry plan 019a2c1e-... --csv > deletions.csv`,
    )
    .action((id: string, options: PlanOptions) => showPlan(commandLine, id, options))
}

async function showPlan(commandLine: CommandLine, id: string, options: PlanOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const path = migrationPath(id)
  if (options.csv) return printFile(commandLine, client, `${path}/deletions.csv`, {})
  const [migration, request, deletions] = await Promise.all([
    client.get<MigrationDetail>(path),
    client.get<MigrationRequest>(`${path}/request`),
    client.get<Counts>(`${path}/deletions/summary`),
  ])
  const { plan, prune } = request
  if (options.json) return printJson(commandLine, { plan, prune, deletions: deletions.parts })
  if (plan) return printDryRun(commandLine, migration, plan)
  if (prune) return printDeletions(commandLine, client, migration.requestId, prune.items)
  throw new Error(refusalOf(migration))
}

function refusalOf({ mode, status, requestId }: MigrationDetail): string {
  if (mode === 'dry-run') return `The dry run is ${status.replace('_', ' ')}; its plan is there when it has completed.`
  return `Migration ${requestId} is no dry run and does not wait to delete anything; "storeferry status ${requestId}" shows what it does.`
}

function printDryRun(
  commandLine: CommandLine,
  { requestId, phases, failuresOpen }: MigrationDetail,
  plan: NonNullable<MigrationRequest['plan']>,
): void {
  const rows = phases.flatMap(({ key, created, updated, matched, skipped, failed, components }) => {
    const deleted = components.reduce((sum, component) => sum + (plan.pruned[component.key] ?? 0), 0)
    return created + updated + matched + skipped + failed + deleted === 0
      ? []
      : [[key, created, updated, deleted, matched, skipped, failed]]
  })
  const header = ['phase', 'create', 'update', 'delete', 'same', 'left alone', 'refused']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['phase'] }))
  const { sourceReads, destinationReads, writes, minutes } = plan
  const known = (count: number | null, one: string) =>
    count === null ? `an unknown number of ${one}s` : counted(count, one)
  print(
    commandLine,
    `\nThe real run takes ${known(sourceReads, 'read')} of the source, ${known(destinationReads, 'read')} and ${known(writes, 'write')} of the destination${minutes === null ? '' : `; about ${formatDuration(minutes * 60)}`}.`,
  )
  print(commandLine, `Item by item: storeferry differences ${requestId}`)
  if (failuresOpen > 0) print(commandLine, `What would be refused: storeferry issues ${requestId}`)
}

/** Longer lists belong in a spreadsheet. */
const shownDeletions = 200

async function printDeletions(
  commandLine: CommandLine,
  client: ServiceClient,
  id: string,
  items: number,
): Promise<void> {
  const path = `${migrationPath(id)}/deletions`
  const rows: (string | null)[][] = []
  for await (const deletion of everyItem<Deletion>(client, path, { state: 'planned' })) {
    if (rows.push(rowOf(deletion)) === shownDeletions) break
  }
  const header = ['component', 'id', 'name', 'sku', 'of', 'why']
  const drop = ['sku', 'why', 'of']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['name', 'of', 'component'], drop }))
  print(commandLine, `\n${itemsThatWait(items)}${items > rows.length ? `; these are the first ${rows.length}` : ''}.`)
  print(commandLine, `All as CSV: storeferry plan ${id} --csv`)
  print(commandLine, `Delete them (owners): storeferry confirm ${id}. Keep them: storeferry resume ${id}`)
}

const reasonWords = { destination_only: 'never in the source', source_deleted: 'deleted in the source' }

function rowOf({ component, destinationId, item, parentName, reason }: Deletion): (string | null)[] {
  return [component, destinationId, item.name ?? item.path, item.sku, parentName, reasonWords[reason]]
}
