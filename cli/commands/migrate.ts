import { type Command, InvalidArgumentError, Option } from 'commander'
import { themeWishes } from '../../src/contract/create-migration.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { conflictStrategies, modes } from '../../src/contract/modes.ts'
import type { PickedIds } from '../../src/contract/selection.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { exitCodeOf, followMigration, printEnd } from '../shared/follow-migration.ts'
import type { ServiceClient } from '../shared/service-client.ts'
import { signedIn } from '../shared/signed-in.ts'

interface MigrateOptions {
  source: string
  destination: string
  mode?: string
  strategy?: string
  overwriteLiving?: string[]
  pruneLive?: string[]
  recreateErased?: string[]
  customerConsent?: boolean
  orderStatuses?: string[]
  themes?: string
  entities?: string[]
  pick?: PickedIds
  pageTemplate?: string[]
  globals?: boolean
  sourceStorefront?: string
  destStorefront?: string
  label?: string
  watch?: boolean
  verify?: boolean
}

export function addMigrate(program: Command, commandLine: CommandLine): void {
  program
    .command('migrate')
    .description('copy one store to another; without --watch or --verify it prints the id and returns')
    .requiredOption('--source <hash>', 'store to copy from; it is only read')
    .requiredOption('--destination <hash>', 'store to copy to')
    .addOption(new Option('--mode <mode>', 'what to do (default: full)').choices(modes))
    .addOption(
      new Option('--strategy <strategy>', 'what to do with what exists (default: skip)').choices(conflictStrategies),
    )
    .option('--entities <keys>', 'phases to copy, separated by commas (default: all)', (keys) => keys.split(','))
    .option(
      '--pick <entity=ids>',
      'copy picked items and what they need, e.g. products=12,34; may be repeated',
      addPick,
    )
    .option(
      '--page-template <files>',
      'copy the pages of these template files, e.g. pages/home, separated by commas',
      (files) => files.split(','),
    )
    .option('--globals', 'with --page-template: also copy the content shown on all pages of a channel')
    .option('--source-storefront <id>', 'copy only this storefront (channel id); needs --dest-storefront')
    .option('--dest-storefront <id>', 'storefront of the destination to copy it to')
    .option(
      '--overwrite-living <components>',
      'also overwrite destination-owned values (stock) of these components, separated by commas',
      (keys) => keys.split(','),
    )
    .option(
      '--prune-live <components>',
      'with --strategy replace: also delete what shoppers made at the destination (customers, wishlists, product-reviews), separated by commas; owners only',
      (keys) => keys.split(','),
    )
    .option(
      '--recreate-erased <components>',
      'create again what people (customers, subscribers, wishlists) had at the destination and was deleted there',
      (keys) => keys.split(','),
    )
    .option('--customer-consent', 'also copy each customer’s consent to tracking; takes one more call per customer')
    .option('--order-statuses <ids>', 'copy only orders in these statuses, e.g. 2,10,11 (default: all)', (ids) =>
      ids.split(',').map((id) => id.trim()),
    )
    .addOption(
      new Option(
        '--themes <wish>',
        'also copy the themes that storefronts show; activate: make the destination show them',
      ).choices(themeWishes),
    )
    .option('--label <text>', 'a label for the migration')
    .option('--watch', 'follow it until it has ended')
    .option('--verify', 'follow it, then compare both stores and follow that')
    .action((options: MigrateOptions) => migrate(commandLine, options))
}

/** `products=12,34`; the ids of a repeated entity are merged. */
function addPick(text: string, picked: PickedIds = {}): PickedIds {
  const [, entity, ids] = text.match(/^([^=,]+)=([^=]+)$/) ?? []
  if (!entity || !ids) throw new InvalidArgumentError('Give an entity and ids, for example products=12,34.')
  const all = [...(picked[entity]?.ids ?? []), ...ids.split(',').map((id) => id.trim())]
  return { ...picked, [entity]: { ids: all } }
}

function selectionOf({ pick, pageTemplate, globals = false }: MigrateOptions): object | undefined {
  const pageTemplates = pageTemplate?.map((file) => ({ file: file.trim(), globals }))
  return pick || pageTemplates ? { ...pick, ...(pageTemplates && { pageTemplates }) } : undefined
}

async function migrate(commandLine: CommandLine, options: MigrateOptions): Promise<void> {
  const client = await signedIn(commandLine)
  const { source, destination, mode, entities, label, sourceStorefront, destStorefront } = options
  const part = { entities, selection: selectionOf(options), sourceStorefront, destStorefront }
  const request = {
    source,
    destination,
    mode,
    conflictStrategy: options.strategy,
    ...part,
    label,
    overwriteLiving: options.overwriteLiving,
    pruneLive: options.pruneLive,
    recreateErased: options.recreateErased,
    customerConsent: options.customerConsent,
    orderStatuses: options.orderStatuses,
    themes: options.themes,
  }
  const { requestId } = await client.post<MigrationDetail>('/v2/migrations', request)
  if (!options.watch && !options.verify) return print(commandLine, requestId)
  print(commandLine, `Migration ${requestId}`)
  const detail = await followMigration(commandLine, client, requestId)
  printEnd(commandLine, detail)
  commandLine.exitWith(exitCodeOf(detail))
  if (options.verify && detail.status === 'completed') await verify(commandLine, client, requestId)
}

async function verify(commandLine: CommandLine, client: ServiceClient, id: string): Promise<void> {
  const { requestId } = await client.post<MigrationDetail>(`/v2/migrations/${id}/verify`)
  print(commandLine, `Verify ${requestId}`)
  const detail = await followMigration(commandLine, client, requestId)
  printEnd(commandLine, detail)
  commandLine.exitWith(detail.failuresOpen > 0 ? 1 : exitCodeOf(detail))
}
