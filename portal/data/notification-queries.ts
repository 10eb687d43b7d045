import { queryOptions } from '@tanstack/react-query'
import { client, orThrow } from './client.ts'
import { type Answer, ofOrganization, type Query } from './queries.ts'

export type WebhookEntry = Answer<'list-webhooks'>['items'][number]
export type DeliveryEntry = Answer<'list-deliveries'>['items'][number]
export type MailChoice = Answer<'list-mail-choices'>['items'][number]
export type EventKind = MailChoice['events'][number]
export type DeliveryFilters = Query<'list-deliveries'>

/** Of everything about notifications, because most changes are in more than one of its lists. */
export const notificationsKey = () => ofOrganization('notifications')

export const webhooksQuery = () =>
  queryOptions({
    queryKey: [...notificationsKey(), 'webhooks'],
    queryFn: () => orThrow(client.GET('/v2/webhooks')),
  })

/** Without a webhook that does not exist any more: its log went with it. */
export function existingFilters(filters: DeliveryFilters, { items }: Answer<'list-webhooks'>): DeliveryFilters {
  const isThere = filters.webhookId === undefined || items.some(({ id }) => id === filters.webhookId)
  return isThere ? filters : { ...filters, webhookId: undefined, cursor: undefined }
}

export const deliveriesQuery = (filters: DeliveryFilters) =>
  queryOptions({
    queryKey: [...notificationsKey(), 'deliveries', filters],
    queryFn: () => orThrow(client.GET('/v2/deliveries', { params: { query: { limit: 20, ...filters } } })),
    // A person who sends a test waits for how it ends.
    refetchInterval: ({ state }) => (state.data?.items.some(({ state }) => state === 'pending') ? 5_000 : false),
  })

export const mailChoicesQuery = () =>
  queryOptions({
    queryKey: [...notificationsKey(), 'mail choices'],
    queryFn: () => orThrow(client.GET('/v2/mail-choices')),
  })
