import { eventMeanings } from '../contract/event-kinds.ts'
import { testEvent } from '../contract/notifications.ts'
import type { DueDelivery } from '../db/notifications/deliveries.ts'

type Event = Pick<DueDelivery, 'organisationId' | 'eventId' | 'kind' | 'runId' | 'data' | 'at'>

/** The id that receivers see, the same in every try and for every webhook. */
export function messageId({ eventId }: Pick<Event, 'eventId'>): string {
  return `msg_${eventId.replaceAll('-', '')}`
}

/** The body of a message. Source: Standard Webhooks 1.0.0, "Payload structure". */
export function bodyOf({ organisationId, kind, runId, data, at }: Event, siteUrl: string): string {
  const about = runId === null ? {} : { migrationId: runId, url: addressOf({ organisationId, runId }, siteUrl) }
  return JSON.stringify({ type: kind, timestamp: at.toISOString(), data: { ...about, ...data } })
}

/** The text of a mail, which holds no more than a message to a webhook. */
export function mailOf(
  { organisationId, kind, runId, data }: Event,
  siteUrl: string,
): { subject: string; text: string } {
  const meaning = kind === testEvent ? 'A test.' : eventMeanings[kind]
  const link = runId === null ? '' : `\n${addressOf({ organisationId, runId }, siteUrl)}\n`
  return {
    subject: subjects[kind],
    text: `${meaning}

${data.summaryLine}
${link}
You get this mail because an owner of your organization chose it for you in Storeferry at ${siteUrl}.
`,
  }
}

/** Names the organization, because the reader may be a member of several. */
function addressOf({ organisationId, runId }: { organisationId: string; runId: string }, siteUrl: string): string {
  return `${siteUrl}/app/migrations/${runId}/report?org=${organisationId}`
}

const subjects: Record<Event['kind'], string> = {
  'migration.finished': 'Storeferry: migration ended',
  'migration.needs_review': 'Storeferry: migration needs review',
  'migration.paused': 'Storeferry: migration paused',
  'migration.waiting_for_store': 'Storeferry: migration is waiting',
  'migration.waiting_for_confirmation': 'Storeferry: migration waits for a confirmation',
  'store.mails_off': 'Storeferry: emails about orders are still off',
  'store.stock_not_restored': 'Storeferry: stock not restored',
  'webhook.disabled': 'Storeferry: webhook switched off',
  'webhook.test': 'Storeferry: test',
}
