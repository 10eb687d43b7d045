import { open, rm } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { printFile } from '../../shared/print-list.ts'
import { migrationPath } from '../../shared/service-client.ts'
import { migrationId, profileName, type ServiceOptions, signedIn } from '../../shared/signed-in.ts'

const files = {
  mappings: 'mappings.csv',
  issues: 'issues.csv',
  differences: 'differences.csv',
  deletions: 'deletions.csv',
  'before-images': 'before-images.ndjson',
} as const
type Exported = keyof typeof files

interface ExportOptions extends ServiceOptions {
  output?: string
  component?: string
  text?: string
}

export function addExport(program: Command, commandLine: CommandLine): void {
  program
    .command('export')
    .description('write a whole list of a migration to a file or standard output')
    .argument(...migrationId)
    .addArgument(new Argument('<what>', 'the list').choices(Object.keys(files)))
    .option('--profile <name>', 'act with the sign-in of this profile (else STOREFERRY_PROFILE)', profileName)
    .option('--output <file>', 'a new file; without it, standard output')
    .option('--component <key>', 'only items of this component')
    .option('--text <text>', 'only items with this text in their name or SKU, or with this id')
    .addHelpText(
      'after',
      `
mappings: which source item became which destination item. deletions: what a "replace" deletes, with the reason.
before-images: what was overwritten or deleted, as it was, one JSON object on each line. All others are CSV.

Examples:
  storeferry export 019a2c1e-... mappings --component orders --output orders.csv
  storeferry export 019a2c1e-... before-images | jq .destinationId`,
    )
    .action((id: string, what: Exported, options: ExportOptions) => exportList(commandLine, id, what, options))
}

async function exportList(commandLine: CommandLine, id: string, what: Exported, options: ExportOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const path = `${migrationPath(id)}/${files[what]}`
  const query = { component: options.component, text: options.text }
  if (options.output === undefined) return printFile(commandLine, client, path, query)
  // Never overwrites a file: it may be the only copy of an earlier export.
  const file = await open(options.output, 'wx', 0o600)
  try {
    for await (const chunk of client.file(path, query)) await file.writeFile(chunk)
  } catch (error) {
    // Part of a list must not be taken for all of it, nor stand in the way of the next try.
    await rm(options.output, { force: true })
    throw error
  } finally {
    await file.close()
  }
  print(commandLine, `${what} of migration ${id} are in ${options.output}.`)
}
