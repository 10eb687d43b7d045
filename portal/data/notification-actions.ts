import { client, orThrow } from './client.ts'
import type { EventKind } from './notification-queries.ts'
import type { Body } from './queries.ts'

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
