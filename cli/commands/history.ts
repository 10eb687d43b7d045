import type { Command } from 'commander'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface HistoryOptions extends ServiceOptions {
  sourceId?: string
  destinationId?: string
  source?: string
}

interface ItemHistory {
  mappings: {
    source: string
    sourceId: string
    destination: string
    destinationId: string
    origin: string
    createdAt: string
  }[]
  events: { at: string; event: string; what: string; state: string | null; runId: string }[]
}

export function addHistory(program: Command, commandLine: CommandLine): void {
  overService(program, 'history', 'which item is the copy of which, and what each migration recorded about it')
    .argument('<component>', 'what it is, such as products or orders')
    .option('--source-id <id>', 'the item at the source')
    .option('--destination-id <id>', 'its copy')
    .option('--source <hash>', 'only copies from this store')
    .addHelpText('after', '\nExample:\n  storeferry history orders --source-id 1042')
    .action((component: string, options: HistoryOptions) => showHistory(commandLine, component, options))
}

async function showHistory(commandLine: CommandLine, component: string, options: HistoryOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { sourceId, destinationId, source } = options
  const found = await client.get<ItemHistory>('/v2/items/history', { component, sourceId, destinationId, source })
  if (options.json) return printJson(commandLine, found)
  if (found.mappings.length + found.events.length === 0) return print(commandLine, 'Nothing is recorded about it.')
  const width = widthOf(commandLine)
  for (const one of found.mappings)
    print(
      commandLine,
      `${one.source} ${one.sourceId} -> ${one.destination} ${one.destinationId}, ${one.origin} ${one.createdAt}`,
    )
  if (found.events.length === 0) return
  const rows = found.events.map(({ at, event, what, state, runId }) => [at, event, what, state, runId])
  const fit = { width, cut: ['what'], drop: ['migration', 'state'] }
  print(commandLine, `\n${formatTable(['at', 'event', 'what', 'state', 'migration'], rows, fit)}`)
}
