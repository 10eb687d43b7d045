import type { Command } from 'commander'
import { commaSeparated } from '../shared/comma-separated.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { type Cell, formatTable } from '../shared/table.ts'

interface CountsOptions extends ServiceOptions {
  entities?: string[]
}

interface Counts {
  stores: { hash: string; counts: Record<string, number>; estimated: string[] }[]
  countedAt: string
}

export function addCounts(program: Command, commandLine: CommandLine): void {
  overService(program, 'counts', 'how many items a store has, read now; or two stores side by side')
    .argument('<hash>', 'the store')
    .argument('[other]', 'a second store to show beside it')
    .option(
      '--entities <keys>',
      'what to count, separated by commas (default: what is counted with one call each)',
      commaSeparated,
    )
    .addHelpText(
      'after',
      `
Examples:
  storeferry counts abc123
  storeferry counts abc123 def456 --entities products,brands`,
    )
    .action((hash: string, other: string | undefined, options: CountsOptions) =>
      showCounts(commandLine, [hash, other], options),
    )
}

async function showCounts(
  commandLine: CommandLine,
  [hash, compareWith]: [hash: string, other: string | undefined],
  options: CountsOptions,
): Promise<void> {
  const client = await signedIn(commandLine, options)
  const found = await client.post<Counts>('/v2/counts', { hash, compareWith, entities: options.entities })
  if (options.json) return printJson(commandLine, found)
  const keys = [...new Set(found.stores.flatMap(({ counts }) => Object.keys(counts)))]
  const header = ['entity', ...found.stores.map((store) => store.hash)]
  const rows = keys.map((key): Cell[] => [key, ...found.stores.map((store) => cellOf(store, key))])
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['entity'] }))
}

/** If a list was not read to its end, the number is a lower bound. */
function cellOf({ counts, estimated }: Counts['stores'][number], key: string): Cell {
  const count = counts[key]
  if (count === undefined) return null
  return estimated.includes(key) ? `at least ${count}` : count
}
