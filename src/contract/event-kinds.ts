/** Every event that a webhook or a member can be sent, with its meaning for people. docs/webhooks.md describes each. */
export const eventMeanings = {
  'migration.finished': 'A migration has ended: completed, canceled or failed.',
  'migration.needs_review': 'A migration has ended and left items that need review.',
  'migration.paused': 'A migration was paused by the service: a person has to do something before it can go on.',
  'migration.waiting_for_store': 'A migration has been waiting for a store, a quota or the database for some minutes.',
  'migration.waiting_for_confirmation': 'A migration waits for an owner to confirm what it would delete.',
  'store.mails_off': 'Emails about orders are still switched off at a store after a migration.',
  'store.stock_not_restored': 'Stock that copied orders took has not been given back yet.',
  'webhook.disabled': 'A webhook was switched off because it failed for too long. Owners are always mailed.',
} as const
export type EventKind = keyof typeof eventMeanings
// Object.keys() gives the keys of the literal above.
export const eventKinds = Object.keys(eventMeanings) as [EventKind, ...EventKind[]]
