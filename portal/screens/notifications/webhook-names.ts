import type { WebhookEntry } from '../../data/notification-queries.ts'
import { distinctNames } from '../../format/distinct-names.ts'

/** What each webhook is called, by its id: its host, or its whole address if another one has the same host. */
export function webhookNames(webhooks: readonly Pick<WebhookEntry, 'id' | 'url'>[]): Record<string, string> {
  const nameOf = distinctNames(
    webhooks,
    ({ url }) => new URL(url).host,
    ({ url }) => url.replace('https://', ''),
  )
  return Object.fromEntries(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]))
}
