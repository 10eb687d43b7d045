import { sql } from 'kysely'
import type { EventKind } from '../../contract/event-kinds.ts'
import type { MigrationDetail } from '../../contract/migration.ts'
import type { EventData, testEvent } from '../../contract/notifications.ts'
import type { Database, InTransaction } from '../core/database.ts'

interface NewEvent {
  organisationId: string
  kind: EventKind
  /** Null for events about a webhook. */
  runId: string | null
  data: EventData[keyof EventData]
  /** For a change that may be recorded more than once: what makes it the same one. */
  occasion?: string
}

/** Call it in the transaction of the change, so that there is neither a change without its event nor an event without it. */
export async function recordEvent(tx: InTransaction, event: NewEvent): Promise<void> {
  const { organisationId, kind, runId, data, occasion = null } = event
  await sql`
    insert into notification_events (organisation_id, kind, run_id, occasion, data)
    values (${organisationId}, ${kind}, ${runId}, ${occasion}, ${JSON.stringify(data)}::jsonb)
    on conflict (run_id, kind, occasion) do nothing`.execute(tx)
}

/** What an event says about a migration: nothing that a store or a person has typed (S26). */
export function migrationFacts(detail: MigrationDetail): EventData['migration'] {
  const { mode, status, source, destination, summaryLine, counters, failuresOpen } = detail
  return { mode, status, source: source.hash, destination: destination.hash, summaryLine, counters, failuresOpen }
}

/** The delivery of a test that is not sent yet, of a webhook whose row the caller has locked. */
export async function findWaitingTest(
  tx: InTransaction,
  { organisationId, webhookId }: Target,
): Promise<string | undefined> {
  const kind: typeof testEvent = 'webhook.test'
  const { rows } = await sql<{ id: string }>`
    select delivery.id from notification_deliveries delivery join notification_events event on event.id = delivery.event_id
    where delivery.organisation_id = ${organisationId} and delivery.webhook_id = ${webhookId} and delivery.state = 'pending'
      and event.kind = ${kind} limit 1`.execute(tx)
  return rows[0]?.id
}

/** An event that is sent to one webhook only. @returns the id of its delivery. */
export async function recordTest(
  tx: InTransaction,
  { organisationId, webhookId, data, at }: Target & { data: EventData['webhook']; at: Date },
): Promise<string> {
  const kind: typeof testEvent = 'webhook.test'
  const { rows } = await sql<{ id: string }>`
    with event as (
      insert into notification_events (organisation_id, kind, data, at, distributed_at)
      values (${organisationId}, ${kind}, ${JSON.stringify(data)}::jsonb, ${at}, ${at}) returning id)
    insert into notification_deliveries (organisation_id, event_id, webhook_id, next_try_at, since, created_at)
    select ${organisationId}, id, ${webhookId}, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz from event
    returning id`.execute(tx)
  // One row is inserted, or the statement fails.
  return rows[0]?.id ?? ''
}

interface Target {
  organisationId: string
  webhookId: string
}

/** Larger: more rows are locked at the same time; smaller: more statements after many changes. */
const eventsAtOnce = 200

/**
 * Writes the deliveries of new events. Rows may be committed in another order than their positions, so each is marked and no position
 * kept. Across organisations: for the sender only.
 */
export async function distributeEvents(
  database: Database,
  { now, mails }: { now: Date; mails: boolean },
): Promise<void> {
  await sql`
    with fresh as (
      update notification_events set distributed_at = ${now} where id in (
        select id from notification_events where distributed_at is null order by position limit ${eventsAtOnce}
        for update skip locked)
      returning id, organisation_id, kind),
    allowed as (
      select fresh.* from fresh
      join organisations on organisations.id = fresh.organisation_id and organisations.store_migration_enabled),
    mailed as (
      select event.id, event.organisation_id, choice.user_id from allowed event
      join notification_mails choice on choice.organisation_id = event.organisation_id and event.kind = any(choice.events)
      union
      select event.id, event.organisation_id, owner.user_id from allowed event
      join memberships owner on owner.organisation_id = event.organisation_id and owner.active and owner.role = 'owner'
      where event.kind = 'webhook.disabled')
    insert into notification_deliveries (organisation_id, event_id, webhook_id, user_id, next_try_at, since, created_at)
    select to_send.*, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from (
      select event.organisation_id, event.id, webhook.id, null::uuid from allowed event
      join webhooks webhook on webhook.organisation_id = event.organisation_id and webhook.enabled
        and (webhook.events is null or event.kind = any(webhook.events))
      union all
      select organisation_id, id, null::uuid, user_id from mailed where ${mails}) to_send
    on conflict do nothing`.execute(database)
}

/** Forgets events with their deliveries and tries. Across organisations: for the sender only. */
export async function forgetEvents(database: Database, before: Date): Promise<void> {
  await sql`delete from notification_events where at < ${before}`.execute(database)
}
