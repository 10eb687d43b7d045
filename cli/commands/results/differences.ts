import { type Command, Option } from 'commander'
import type { Difference } from '../../../src/contract/differences.ts'
import type { Mode } from '../../../src/contract/modes.ts'
import type { MigrationStatus } from '../../../src/contract/status.ts'
import { type CommandLine, print, widthOf } from '../../shared/command-line.ts'
import { isWithheld } from '../../shared/is-withheld.ts'
import { counted } from '../../shared/numbers.ts'
import { printJson } from '../../shared/print-json.ts'
import { nothingFound, printFile, printJsonList } from '../../shared/print-list.ts'
import { printable } from '../../shared/printable.ts'
import { everyItem, migrationPath, type Query, type ServiceClient } from '../../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'
import { formatTable } from '../../shared/table.ts'
import { shorten } from '../../shared/text-width.ts'

interface DifferencesOptions extends ServiceOptions {
  phase?: string
  component?: string
  kind?: string
  living?: string
  text?: string
  csv?: boolean
  summary?: boolean
}

export function addDifferences(program: Command, commandLine: CommandLine): void {
  overService(program, 'differences', 'list what a comparison found, or item by item what a dry run would do')
    .argument('<id>', 'the comparison or the dry run')
    .option('--phase <key>', 'only differences of this phase')
    .option('--component <key>', 'only differences of this component')
    .addOption(new Option('--kind <kind>', 'only differences of this kind').choices(['missing', 'different', 'extra']))
    .addOption(
      new Option(
        '--living <which>',
        'only: those of destination-owned values, such as stock; without: all others',
      ).choices(['only', 'without']),
    )
    .option('--text <text>', 'only items with this text in their name or SKU, or with this id')
    .addOption(new Option('--csv', 'print them as CSV').conflicts('json'))
    .addOption(
      new Option('--summary', 'only how many of each phase').conflicts([
        'csv',
        'phase',
        'component',
        'kind',
        'living',
        'text',
      ]),
    )
    .addHelpText(
      'after',
      `
missing: the copy does not exist; different: fields differ; extra: only the destination has it. Of a dry run these
are what it would create, update and delete. In the summary, "all" counts every difference, and the columns after it
those of them that are destination-owned, stay so, were accepted, or changed during the comparison. Extra items are not
among the items compared.

Examples:
  storeferry differences 019a2c1e-... --summary
  storeferry differences 019a2c1e-... --kind different --living without
  storeferry differences 019a2c1e-... --csv > differences.csv`,
    )
    .action((id: string, options: DifferencesOptions) => showDifferences(commandLine, id, options))
}

async function showDifferences(commandLine: CommandLine, id: string, options: DifferencesOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const path = `${migrationPath(id)}/differences`
  const { phase, component, kind, living, text } = options
  const query: Query = { phase, component, kind, living, text }
  if (options.summary) return summarise(commandLine, client, path, options.json)
  if (options.csv) return printFile(commandLine, client, `${path}.csv`, query)
  if (options.json) return printJsonList(commandLine, client, path, query)
  const byKind = new Map<string, number>()
  for await (const difference of everyItem<Difference>(client, path, query)) {
    commandLine.signal.throwIfAborted()
    for (const line of linesOf(difference, widthOf(commandLine))) print(commandLine, line)
    byKind.set(difference.kind, (byKind.get(difference.kind) ?? 0) + 1)
  }
  const kinds = [...byKind].map(([one, count]) => `${count} ${one}`)
  if (kinds.length > 0) return print(commandLine, `In all: ${kinds.join(', ')}.`)
  print(commandLine, noneText(await client.get<Counts>(`${path}/summary`), query))
}

/** Longer values are in the output of `--json` and `--csv`. */
const longestValue = 60

/** @param width of the terminal; undefined: values are not cut */
export function linesOf(difference: Difference, width: number | undefined): string[] {
  const { kind, state, component, item, destinationId, fields, id, repairedBy } = difference
  const name = item.name ? ` "${printable(item.name)}"` : ''
  const where = [item.sourceId, destinationId].map((one) => (one === null ? '-' : printable(one))).join(' -> ')
  const value = (one: unknown) => {
    const text = one === undefined ? 'nothing' : printable(JSON.stringify(one) ?? 'nothing')
    return width === undefined ? text : shorten(text, longestValue)
  }
  return [
    `${kind} (${[state, ...remarksOf(difference)].join(', ')}): ${component} ${where}${name} [${id}]`,
    ...fields.map(({ path, source, destination }) =>
      isWithheld({ source, destination })
        ? `  ${path}: differs (the values are not shown)`
        : `  ${path}: ${value(source)} at the source, ${value(destination)} at the destination`,
    ),
    ...(repairedBy === null ? [] : [`  A copy with --strategy ${repairedBy} repairs it.`]),
  ]
}

function remarksOf({ living, changedMeanwhile, kept }: Difference): string[] {
  return [
    ...(living ? ['destination-owned'] : []),
    ...(changedMeanwhile ? ['changed during the comparison'] : []),
    ...(kept ? ['stays so'] : []),
  ]
}

interface Counts {
  mode: Mode
  status: MigrationStatus
  compared: number
  matched: number
  counts: {
    phase: string
    kind: string
    count: number
    living: number
    kept: number
    dismissed: number
    changedMeanwhile: number
  }[]
}

async function summarise(
  commandLine: CommandLine,
  client: ServiceClient,
  path: string,
  json: boolean | undefined,
): Promise<void> {
  const found = await client.get<Counts>(`${path}/summary`)
  if (json) return printJson(commandLine, found)
  const header = ['phase', 'kind', 'all', 'destination-owned', 'stay so', 'accepted', 'changed']
  const rows = found.counts.map(({ phase, kind, count, living, kept, dismissed, changedMeanwhile }) => [
    phase,
    kind,
    count,
    living,
    kept,
    dismissed,
    changedMeanwhile,
  ])
  if (rows.length > 0) print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['phase'] }))
  print(commandLine, comparedText(found))
}

const noComparison =
  'Nothing was compared, because this migration is no comparison; "storeferry status" names the latest one of a copy.'

/** An empty list says that the stores are equal only if all of them was compared. */
export function noneText(
  { mode, status, compared }: Pick<Counts, 'mode' | 'status' | 'compared'>,
  filters: Query,
): string {
  if (mode === 'full' || mode === 'counts') return noComparison
  if (status !== 'completed' && status !== 'partial_completed')
    return `No differences so far: it is ${status.replace('_', ' ')}.`
  return compared === 0 ? 'Nothing was compared.' : nothingFound('differences', filters)
}

/** Equal items and all others add up. Children of missing items have no difference of their own. */
export function comparedText({ mode, compared, matched, counts }: Omit<Counts, 'status'>): string {
  if (mode === 'full' || mode === 'counts') return noComparison
  if (mode === 'dry-run') return `${counted(compared, 'item')} read, ${matched} already the same at the destination.`
  if (compared === 0) return 'Nothing was compared.'
  const items = counted(compared, 'item')
  const living = counts.reduce((sum, one) => sum + one.living, 0)
  const apart = living > 0 ? ` (${living} of them apart from destination-owned values)` : ''
  if (matched === compared) return `${items} compared, ${compared === 1 ? '' : 'all of them '}equal${apart}.`
  return `${items} compared: ${matched} equal${apart}, ${compared - matched} different, missing, part of a missing item, or not compared.`
}
