import { type EventKind, eventKinds } from '../../../src/contract/event-kinds.ts'
import type { DeliveryEntry } from '../../data/notification-queries.ts'

/** What each event is called in lists; its meaning is beside it where a person chooses. */
export const eventWords: Record<DeliveryEntry['event']['type'], string> = {
  'migration.finished': 'A migration ended',
  'migration.needs_review': 'Items need review',
  'migration.paused': 'A migration was paused by the service',
  'migration.waiting_for_store': 'A migration waits for a store',
  'migration.waiting_for_confirmation': 'A migration waits for an owner',
  'store.mails_off': 'Emails of a store still off',
  'store.stock_not_restored': 'Stock not given back',
  'webhook.disabled': 'A webhook was switched off',
  'webhook.test': 'Test',
}

/** @param events null for every kind */
export function eventsSaid(events: readonly EventKind[] | null): string {
  if (events === null) return 'Every event'
  if (events.length === 0) return 'Nothing'
  if (events.length > 2) return `${events.length} of ${eventKinds.length} kinds`
  return events.map((event) => eventWords[event]).join('; ')
}

export const stateWords: Record<DeliveryEntry['state'], string> = {
  pending: 'Waiting',
  delivered: 'Arrived',
  failed: 'Failed',
}

type Try = DeliveryEntry['tries'][number]

/** Why a try failed; of an answer, which status it had. */
export function problemSaid({ problem, httpStatus }: Try): string | undefined {
  if (problem === 'http_status') return `The address answered ${httpStatus}.`
  return problem === null ? undefined : problemWords[problem]
}

const problemWords: Record<Exclude<Try['problem'], 'http_status' | null>, string> = {
  timeout: 'No answer within 15 seconds.',
  address_refused: 'The name does not lead to a public address.',
  unreachable: 'No connection, or no valid certificate.',
  webhook_disabled: 'The webhook was switched off before.',
  mail_refused: 'The mail server refused it.',
  mail_server_unreachable: 'The mail server did not accept it.',
  not_a_member: 'The person is no longer a member.',
}
