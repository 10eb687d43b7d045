import { type Command, Option } from 'commander'
import type { z } from 'zod'
import type { DeliveryEntry, webhookList } from '../../src/contract/notifications.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { printJsonList } from '../shared/print-list.ts'
import { everyItem, type Query } from '../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface DeliveriesOptions extends ServiceOptions {
  state?: string
}

export function addWebhooks(program: Command, commandLine: CommandLine): void {
  overService(program, 'webhooks', 'list the webhooks of the organisation, and whether they work')
    .addHelpText(
      'after',
      `
Owners add and change webhooks in the portal, at /app/notifications.

Examples:
  storeferry webhooks
  storeferry webhooks --json`,
    )
    .action((options: ServiceOptions) => listWebhooks(commandLine, options))
  overService(program, 'deliveries', 'list what was sent to webhooks and by mail in the last 30 days, newest first')
    .argument('[webhook]', 'only messages to this webhook')
    .addOption(new Option('--state <state>', 'only messages in this state').choices(['pending', 'delivered', 'failed']))
    .addHelpText(
      'after',
      `
Examples:
  storeferry deliveries
  storeferry deliveries 019a2c1e-... --state failed`,
    )
    .action((webhook: string | undefined, options: DeliveriesOptions) => listDeliveries(commandLine, webhook, options))
}

type Webhook = z.infer<typeof webhookList>['items'][number]

const offBecause = {
  failures: 'off: it failed for three days',
  gone: 'off: it answered that it is gone',
  access_removed: 'off: the organisation had lost access',
}

function stateOf({ enabled, disabledBecause, failingSince }: Webhook): string {
  if (!enabled) return disabledBecause === null ? 'off' : offBecause[disabledBecause]
  return failingSince === null ? 'works' : `fails since ${failingSince}`
}

async function listWebhooks(commandLine: CommandLine, options: ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { items } = await client.get<z.infer<typeof webhookList>>('/v2/webhooks')
  if (options.json) return printJson(commandLine, items)
  if (items.length === 0) return print(commandLine, 'There are no webhooks.')
  const rows = items.map((webhook) => [
    webhook.id,
    webhook.url,
    stateOf(webhook),
    webhook.events === null ? 'every event' : webhook.events.join(', '),
  ])
  const fit = { width: widthOf(commandLine), cut: ['events', 'address'], drop: ['events'] }
  print(commandLine, formatTable(['id', 'address', 'state', 'events'], rows, fit))
}

async function listDeliveries(
  commandLine: CommandLine,
  webhookId: string | undefined,
  { state, ...options }: DeliveriesOptions,
): Promise<void> {
  const client = await signedIn(commandLine, options)
  const query: Query = { webhookId, state }
  if (options.json) return printJsonList(commandLine, client, '/v2/deliveries', query)
  let any = false
  for await (const one of everyItem<DeliveryEntry>(client, '/v2/deliveries', query)) {
    commandLine.signal.throwIfAborted()
    any = true
    print(commandLine, describe(one))
  }
  if (!any) print(commandLine, 'Nothing was sent.')
}

function describe({ id, event, webhookId, state, nextTryAt, tries }: DeliveryEntry): string {
  const target = webhookId === null ? 'by mail' : `to ${webhookId}`
  const [last] = tries
  const outcome = last && (last.problem === null ? 'accepted' : `${last.problem} ${last.httpStatus ?? ''}`.trim())
  const facts = [
    state,
    ...(outcome ? [`last try ${last.at}: ${outcome}`] : []),
    ...(nextTryAt ? [`next ${nextTryAt}`] : []),
  ]
  return `${event.at} ${event.type} ${target}: ${facts.join('; ')} [${id}]`
}
