import { type Command, Option } from 'commander'
import { type HistoryEntry, historySorts } from '../../src/contract/history.ts'
import { conflictStrategies, modes } from '../../src/contract/modes.ts'
import { migrationStatuses } from '../../src/contract/status.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { wholeNumber } from '../shared/numbers.ts'
import { printJson } from '../shared/print-json.ts'
import { nothingFound } from '../shared/print-list.ts'
import type { Page } from '../shared/service-client.ts'
import { severalChoices } from '../shared/several-choices.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface ListOptions extends ServiceOptions {
  status?: string[]
  mode?: string[]
  strategy?: string[]
  store?: string
  source?: string
  destination?: string
  storefront?: string
  createdBy?: string
  createdFrom?: string
  createdBefore?: string
  text?: string
  sort?: string
  limit: number
  cursor?: string
}

export function addList(program: Command, commandLine: CommandLine): void {
  overService(program, 'list', 'list the migrations of the organisation, newest first unless sorted')
    .addOption(
      severalChoices(
        '--status <statuses>',
        'only those with one of these statuses, separated by commas; may be repeated',
        migrationStatuses,
      ),
    )
    .addOption(
      severalChoices('--mode <modes>', 'only those of one of these modes, separated by commas; may be repeated', modes),
    )
    .addOption(
      severalChoices(
        '--strategy <strategies>',
        'only those with one of these strategies, separated by commas; may be repeated',
        conflictStrategies,
      ),
    )
    .option('--store <hash>', 'only those from or to this store')
    .option('--source <hash>', 'only those from this store')
    .option('--destination <hash>', 'only those to this store')
    .option('--storefront <id>', 'only those from or to the storefront with this channel id')
    .option('--created-by <id>', 'only those made by the person with this id')
    .option('--created-from <time>', 'only those created at or after this time, e.g. 2026-03-01T00:00:00Z')
    .option('--created-before <time>', 'only those created before this time')
    .option(
      '--text <text>',
      'only those with this text in their label, summary or id, or in the label or hash of a store',
    )
    .addOption(
      new Option(
        '--sort <order>',
        'first: what is newest (created), changed last, worked longest or has most open failures (default: created)',
      ).choices(historySorts),
    )
    .option('--limit <number>', 'at most so many, up to 200', wholeNumber, 20)
    .option('--cursor <cursor>', 'the page after another one, as that one ends')
    .addHelpText(
      'after',
      `
Examples:
  storeferry list
  storeferry list --status paused,partial_completed --store abc123
  storeferry list --sort failures --limit 5
  storeferry list --json | jq -r '.items[].requestId'`,
    )
    .action((options: ListOptions) => list(commandLine, options))
}

async function list(
  commandLine: CommandLine,
  { profile, json, status, mode, strategy, sort, limit, cursor, ...given }: ListOptions,
): Promise<void> {
  const client = await signedIn(commandLine, { profile })
  const filters = {
    ...given,
    status: status?.join(','),
    mode: mode?.join(','),
    conflictStrategy: strategy?.join(','),
  }
  const page = await client.get<Page<HistoryEntry>>('/v2/migrations', { ...filters, sort, limit, cursor })
  if (json) return printJson(commandLine, page)
  if (page.items.length === 0) return print(commandLine, nothingFound('migrations', filters))
  const rows = page.items.map(({ requestId, mode, status, source, destination, failuresOpen, label, timestamps }) => [
    requestId,
    timestamps.created.slice(0, 16).replace('T', ' '),
    mode,
    status,
    failuresOpen,
    source.hash,
    destination.hash,
    label,
  ])
  const header = ['id', 'created (UTC)', 'mode', 'status', 'open', 'source', 'destination', 'label']
  const drop = ['label', 'mode', 'source', 'destination']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['label'], drop }))
  if (page.nextCursor !== null) print(commandLine, `More: the same with --cursor ${page.nextCursor}`)
}
