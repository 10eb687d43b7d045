import type { Command } from 'commander'
import { type CommandLine, print, widthOf } from '../../shared/command-line.ts'
import { wholeNumber } from '../../shared/numbers.ts'
import { printJson } from '../../shared/print-json.ts'
import type { Page } from '../../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'
import { formatTable } from '../../shared/table.ts'

interface ItemsOptions extends ServiceOptions {
  text?: string
  storefront?: string
  parent?: string
  limit: number
  cursor?: string
}

interface Item {
  id: string
  name: string | null
  sku: string | null
  path: string | null
}

export function addItems(program: Command, commandLine: CommandLine): void {
  overService(program, 'items', 'list items of a store, read now, such as the ids that --pick takes')
    .argument('<hash>', 'the store')
    .argument('<entity>', 'what to list, as `storeferry entities` names it')
    .option('--text <text>', 'only items with this text in their name or SKU')
    .option('--storefront <id>', 'only items of this storefront (channel id)')
    .option('--parent <id>', 'only items below this one')
    .option('--limit <number>', 'at most so many, up to 200', wholeNumber, 50)
    .option('--cursor <cursor>', 'the page after another one, as that one ends')
    .addHelpText('after', '\nExample:\n  storeferry items abc123 products --text lamp')
    .action((hash: string, entity: string, options: ItemsOptions) => listItems(commandLine, hash, entity, options))
}

async function listItems(commandLine: CommandLine, hash: string, entity: string, options: ItemsOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { text, storefront, parent: parentId, limit, cursor } = options
  const path = `/v2/stores/${encodeURIComponent(hash)}/catalog/${encodeURIComponent(entity)}`
  const page = await client.get<Page<Item>>(path, { text, storefront, parentId, limit, cursor })
  if (options.json) return printJson(commandLine, page)
  const rows = page.items.map(({ id, name, sku, path: address }) => [id, name, sku, address])
  const fit = { width: widthOf(commandLine), cut: ['name', 'address', 'sku'], drop: ['address'] }
  print(commandLine, rows.length > 0 ? formatTable(['id', 'name', 'sku', 'address'], rows, fit) : 'No such items here.')
  if (page.nextCursor !== null) print(commandLine, `More: the same with --cursor ${page.nextCursor}`)
}
