import type { Command } from 'commander'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { exitCodes } from '../shared/exit-codes.ts'
import { isWithheld } from '../shared/is-withheld.ts'
import { printJson } from '../shared/print-json.ts'
import { printable } from '../shared/printable.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface CompareOptions extends ServiceOptions {
  source: string
  destination: string
  copy?: string
}

interface Comparison {
  state: 'equal' | 'different' | 'not_copied' | 'missing_at_destination'
  item: { name: string | null }
  destinationId: string | null
  differences: {
    component: string
    kind: 'missing' | 'different' | 'extra'
    sourceId: string | null
    destinationId: string | null
    fields: { path: string; living: boolean; source: unknown; destination: unknown }[]
  }[]
}

export function addCompare(program: Command, commandLine: CommandLine): void {
  overService(program, 'compare', 'compare one item with its copy, field by field, both read now')
    .argument('<entity>', 'what it is, as `storeferry entities` names it')
    .argument('<id>', 'the id of the item at the source')
    .requiredOption('--source <hash>', 'store of the item')
    .requiredOption('--destination <hash>', 'store of the copy')
    .option('--copy <id>', 'the id of the copy (default: as it was copied)')
    .addHelpText(
      'after',
      `
It ends with 0 when they are equal, and with 4 when they differ or there is no copy.

Example:
  storeferry compare products 12 --source abc123 --destination def456`,
    )
    .action((entity: string, id: string, options: CompareOptions) => compare(commandLine, entity, id, options))
}

const stateWords: Record<Comparison['state'], string> = {
  equal: 'the copy is equal',
  different: 'the copy differs',
  not_copied: 'it was not copied',
  missing_at_destination: 'its copy does not exist any more',
}

async function compare(commandLine: CommandLine, entity: string, id: string, options: CompareOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { source, destination, copy: destinationItemId } = options
  const body = { source, destination, entity, sourceItemId: id, destinationItemId }
  const found = await client.post<Comparison>('/v2/compare', body)
  if (found.state !== 'equal') commandLine.exitWith(exitCodes.open)
  if (options.json) return printJson(commandLine, found)
  const name = found.item.name === null ? '' : ` "${printable(found.item.name)}"`
  const copy = found.destinationId === null ? '' : ` (${found.destinationId} at the destination)`
  print(commandLine, `${entity} ${id}${name}: ${stateWords[found.state]}${copy}.`)
  const rows = rowsOf(found.differences)
  if (rows.length === 0) return
  const cut = ['at the source', 'at the destination', 'field']
  print(commandLine, formatTable(['item', 'field', ...cut.slice(0, 2)], rows, { width: widthOf(commandLine), cut }))
}

/** A row for each field; of an item that only one store has, one for the item. */
export function rowsOf(differences: Comparison['differences']): (string | null)[][] {
  return differences.flatMap(({ component, kind, sourceId, destinationId, fields }) => {
    const what = `${component} ${sourceId ?? destinationId ?? ''}`.trim()
    if (fields.length === 0) return [[what, kind, null, null]]
    return fields.map((field) => [
      what,
      field.path,
      ...(isWithheld(field) ? ['not shown', 'not shown'] : [textOf(field.source), textOf(field.destination)]),
    ])
  })
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
