import type { WebhookEntry } from '../../data/notification-queries.ts'

/** What each webhook is called, by its id: its host, or its whole address if another one has the same host. */
export function webhookNames(webhooks: readonly Pick<WebhookEntry, 'id' | 'url'>[]): Record<string, string> {
  const hosts = webhooks.map(({ url }) => new URL(url).host)
  const isShared = (host: string) => hosts.filter((one) => one === host).length > 1
  return Object.fromEntries(
    webhooks.map(({ id, url }, at) => {
      const host = hosts[at] ?? ''
      return [id, isShared(host) ? url.replace('https://', '') : host]
    }),
  )
}
