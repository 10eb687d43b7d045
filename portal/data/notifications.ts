import { queryOptions } from '@tanstack/react-query'
import { client, orThrow } from './client.ts'
import { type Answer, type Body, ofOrganization, type Query } from './queries.ts'

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

export const deliveriesQuery = (filters: DeliveryFilters) =>
  queryOptions({
    queryKey: [...notificationsKey(), 'deliveries', filters],
    queryFn: () => orThrow(client.GET('/v2/deliveries', { params: { query: { limit: 20, ...filters } } })),
  })

export const mailChoicesQuery = () =>
  queryOptions({
    queryKey: [...notificationsKey(), 'mail choices'],
    queryFn: () => orThrow(client.GET('/v2/mail-choices')),
  })

type WebhookChange = Partial<Body<'create-webhook'>> & { enabled?: boolean }

const at = (id: string) => ({ params: { path: { id } } })

/** What owners do to webhooks, messages and mails. */
export const notificationActions = {
  create: (body: Body<'create-webhook'>) => orThrow(client.POST('/v2/webhooks', { body })),
  change: (id: string, body: WebhookChange) => orThrow(client.PATCH('/v2/webhooks/{id}', { ...at(id), body })),
  remove: (id: string) => orThrow(client.DELETE('/v2/webhooks/{id}', at(id))),
  rotate: (id: string, overlapHours: number) =>
    orThrow(client.POST('/v2/webhooks/{id}/secret', { ...at(id), body: { overlapHours } })),
  test: (id: string) => orThrow(client.POST('/v2/webhooks/{id}/test', at(id))),
  sendAgain: (id: string) => orThrow(client.POST('/v2/deliveries/{id}/redeliver', at(id))),
  chooseMails: (userId: string, events: EventKind[]) =>
    orThrow(client.PATCH('/v2/mail-choices/{userId}', { params: { path: { userId } }, body: { events } })),
}
