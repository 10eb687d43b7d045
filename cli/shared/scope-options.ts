import { type Command, InvalidArgumentError, Option } from 'commander'
import { themeWishes } from '../../src/contract/create-migration.ts'
import { conflictStrategies, modes } from '../../src/contract/modes.ts'
import type { PickedIds } from '../../src/contract/selection.ts'
import { commaSeparated } from './comma-separated.ts'

/** What to copy, as `migrate`, `forecast` and `preflight` accept it. */
export interface ScopeOptions {
  source: string
  destination: string
  mode?: string
  dryRun?: boolean
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
}

export function withScope(command: Command): Command {
  return command
    .requiredOption('--source <hash>', 'store to copy from; it is only read')
    .requiredOption('--destination <hash>', 'store to copy to')
    .addOption(new Option('--mode <mode>', 'what to do (default: full)').choices(modes))
    .addOption(new Option('--dry-run', 'the same as --mode dry-run: plan everything, write nothing').conflicts('mode'))
    .addOption(
      new Option('--strategy <strategy>', 'what to do with what exists (default: skip)').choices(conflictStrategies),
    )
    .option(
      '--entities <keys>',
      'what to copy, by the keys of "storeferry entities", separated by commas (default: all)',
      commaSeparated,
    )
    .option(
      '--pick <entity=ids>',
      'copy picked items and what they need, e.g. products=12,34; may be repeated',
      addPick,
    )
    .option(
      '--page-template <files>',
      'copy the pages of these template files, e.g. pages/home, separated by commas',
      commaSeparated,
    )
    .option('--globals', 'with --page-template: also copy the widgets on all pages, such as in header and footer')
    .option('--source-storefront <id>', 'copy only this storefront (channel id); needs --dest-storefront')
    .option('--dest-storefront <id>', 'storefront of the destination to copy it to')
    .option(
      '--overwrite-living <components>',
      'also overwrite destination-owned values (stock) of these components, separated by commas',
      commaSeparated,
    )
    .option(
      '--prune-live <components>',
      'with --strategy replace: also delete what shoppers made at the destination (customers, wishlists, product-reviews), separated by commas; owners only',
      commaSeparated,
    )
    .option(
      '--recreate-erased <components>',
      'create again what was deleted at the destination of these kinds (customers, subscribers, wishlists), separated by commas',
      commaSeparated,
    )
    .option('--customer-consent', 'also copy each customer’s consent to tracking; takes one more call per customer')
    .option('--order-statuses <ids>', 'copy only orders in these statuses, e.g. 2,10,11 (default: all)', commaSeparated)
    .addOption(
      new Option(
        '--themes <wish>',
        'also copy the themes that storefronts show; activate: make the destination show them',
      ).choices(themeWishes),
    )
}

/** The fields of a request that define what to copy. */
export function scopeOf(options: ScopeOptions) {
  return {
    source: options.source,
    destination: options.destination,
    mode: options.dryRun ? 'dry-run' : options.mode,
    conflictStrategy: options.strategy,
    entities: options.entities,
    selection: selectionOf(options),
    sourceStorefront: options.sourceStorefront,
    destStorefront: options.destStorefront,
    overwriteLiving: options.overwriteLiving,
    pruneLive: options.pruneLive,
    recreateErased: options.recreateErased,
    customerConsent: options.customerConsent,
    orderStatuses: options.orderStatuses,
    themes: options.themes,
  }
}

/** `products=12,34`; the ids of a repeated entity are merged. */
function addPick(text: string, picked: PickedIds = {}): PickedIds {
  const [, entity, ids] = text.match(/^([^=,]+)=([^=]+)$/) ?? []
  if (!entity || !ids) throw new InvalidArgumentError('Give an entity and ids, for example products=12,34.')
  return { ...picked, [entity]: { ids: [...(picked[entity]?.ids ?? []), ...commaSeparated(ids)] } }
}

function selectionOf({ pick, pageTemplate, globals = false }: ScopeOptions): object | undefined {
  if (globals && !pageTemplate) throw new Error('--globals is about the pages of --page-template: add it, too.')
  const pageTemplates = pageTemplate?.map((file) => ({ file, globals }))
  return pick || pageTemplates ? { ...pick, ...(pageTemplates && { pageTemplates }) } : undefined
}
