import { sql } from 'kysely'
import type { DeliveryEntry, DeliveryProblem } from '../../contract/notifications.ts'
import { limits } from '../../contract/primitives/limits.ts'
import type { Columns, OrNull, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** A delivery to try now, with what is sent and where. */
export type DueDelivery = Columns<
  'notification_deliveries',
  'id' | 'organisationId' | 'webhookId' | 'userId' | 'since'
> &
  Columns<'notification_deliveries', 'tries'> &
  Renamed<'notification_events', { eventId: 'id'; kind: 'kind'; runId: 'runId'; data: 'data'; at: 'at' }> &
  OrNull<Columns<'webhooks', 'url'>> & {
    /** Null for a webhook, and for a person who is no active member any more. */
    email: string | null
  }

/** How long a try may be under way before another process repeats it, because the one that began it has died. */
const triedAgainAfter = sql`interval '2 minutes'`

const targetOf = sql`coalesce(delivery.webhook_id, delivery.user_id)`

/**
 * Takes deliveries that are due, the oldest event of each target, and counts the try. Across organisations: for the sender only.
 *
 * @param busy targets with a try under way.
 */
export async function claimDue(
  database: Database,
  { now, busy, limit, mails }: { now: Date; busy: string[]; limit: number; mails: boolean },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with first as (
      select distinct on (${targetOf}) delivery.id, event.position
      from notification_deliveries delivery join notification_events event on event.id = delivery.event_id
        join organisations organisation on organisation.id = delivery.organisation_id and organisation.store_migration_enabled
      where delivery.state = 'pending' and delivery.next_try_at <= ${now}
        and not ${targetOf} = any(${busy}::uuid[]) and (${mails} or delivery.user_id is null)
      order by ${targetOf}, event.position),
    claimed as (
      update notification_deliveries delivery
      set tries = tries + 1, next_try_at = ${now}::timestamptz + ${triedAgainAfter}
      where delivery.id in (select id from first order by position limit ${limit}) and delivery.state = 'pending'
      returning delivery.*)
    select claimed.id, claimed.organisation_id as "organisationId", claimed.webhook_id as "webhookId",
      claimed.user_id as "userId", claimed.since, claimed.tries, event.id as "eventId", event.kind, event.run_id as "runId",
      event.data, event.at, webhook.url, case when member.active then person.email end as email
    from claimed join notification_events event on event.id = claimed.event_id
      left join webhooks webhook on webhook.id = claimed.webhook_id
      left join users person on person.id = claimed.user_id and person.active
      left join memberships member on member.user_id = person.id and member.organisation_id = claimed.organisation_id
    order by event.position`.execute(database)
  return rows
}

export interface Tried {
  at: Date
  durationMs: number
  httpStatus: number | null
  problem: DeliveryProblem | null
}

type DeliveryKey = Pick<DueDelivery, 'id' | 'organisationId'>

/** @param nextTryAt null if it is not tried again. */
export async function saveTry(
  tx: InTransaction,
  { id, organisationId }: DeliveryKey,
  { at, durationMs, httpStatus, problem }: Tried,
  nextTryAt: Date | null,
): Promise<void> {
  await sql`
    insert into notification_tries (organisation_id, delivery_id, at, duration_ms, http_status, problem)
    select organisation_id, id, ${at}, ${durationMs}, ${httpStatus}, ${problem} from notification_deliveries
    where organisation_id = ${organisationId} and id = ${id}`.execute(tx)
  const state = problem === null ? 'delivered' : nextTryAt === null ? 'failed' : 'pending'
  await sql`
    update notification_deliveries set state = ${state}, next_try_at = coalesce(${nextTryAt}, next_try_at)
    where organisation_id = ${organisationId} and id = ${id} and state = 'pending'`.execute(tx)
}

/** Gives back a delivery whose try was broken off; it is repeated soon. */
export async function releaseDelivery(
  database: Database,
  { id, organisationId }: DeliveryKey,
  now: Date,
): Promise<void> {
  await sql`
    update notification_deliveries set tries = tries - 1, next_try_at = ${now}
    where organisation_id = ${organisationId} and id = ${id} and state = 'pending'`.execute(database)
}

interface WebhookKey {
  organisationId: string
  webhookId: string
}

/** A webhook works. If it had failed before, whatever waits for it is due at once. */
export async function endFailures(
  tx: InTransaction,
  { organisationId, webhookId }: WebhookKey,
  now: Date,
): Promise<void> {
  const { rows } = await sql`
    update webhooks set failing_since = null
    where organisation_id = ${organisationId} and id = ${webhookId} and failing_since is not null returning id`.execute(
    tx,
  )
  if (rows.length > 0) await makeDue(tx, { organisationId, webhookId }, now)
}

/** Whatever waits for a webhook is tried at once. */
export async function makeDue(tx: InTransaction, { organisationId, webhookId }: WebhookKey, now: Date): Promise<void> {
  await sql`
    update notification_deliveries set next_try_at = ${now}
    where organisation_id = ${organisationId} and webhook_id = ${webhookId} and state = 'pending'`.execute(tx)
}

/**
 * A try has failed. @returns since when the webhook fails; undefined if it was deleted, or has another address by now,
 * about which the try says nothing.
 */
export async function beginFailures(
  tx: InTransaction,
  { organisationId, webhookId, url }: WebhookKey & { url: string },
  now: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date }>`
    update webhooks set failing_since = coalesce(failing_since, ${now})
    where organisation_id = ${organisationId} and id = ${webhookId} and url = ${url}
    returning failing_since as since`.execute(tx)
  return rows[0]?.since
}

/** Switches a webhook off. @returns whether it was on. */
export async function disableWebhook(
  tx: InTransaction,
  { organisationId, webhookId }: WebhookKey,
  reason: 'failures' | 'gone',
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update webhooks set enabled = false, disabled_because = ${reason}
    where organisation_id = ${organisationId} and id = ${webhookId} and enabled returning id`.execute(tx)
  if (rows.length === 0) return false
  await endPending(tx, { organisationId, webhookId }, now)
  return true
}

/** What waits for a webhook that was switched off is not tried any more. */
export async function endPending(
  tx: InTransaction,
  { organisationId, webhookId }: WebhookKey,
  now: Date,
): Promise<void> {
  const problem: DeliveryProblem = 'webhook_disabled'
  await sql`
    with ended as (
      update notification_deliveries set state = 'failed'
      where organisation_id = ${organisationId} and webhook_id = ${webhookId} and state = 'pending' returning id)
    insert into notification_tries (organisation_id, delivery_id, at, duration_ms, problem)
    select ${organisationId}, id, ${now}, 0, ${problem} from ended`.execute(tx)
}

/**
 * Ends what members are sent when they lose access (S31): their mails, and with the access of a whole organisation its webhooks too.
 *
 * @param userId null for the whole organisation.
 */
export async function endNotifications(
  tx: InTransaction | Database,
  organisationId: string,
  userId: string | null,
): Promise<void> {
  const theirs = sql`organisation_id = ${organisationId} and (${userId}::uuid is null or user_id = ${userId})`
  await sql`delete from notification_mails where ${theirs}`.execute(tx)
  // Before their deliveries, as where one is tried: otherwise the two could wait for each other.
  if (userId === null)
    await sql`
      update webhooks set enabled = false, disabled_because = 'access_removed'
      where organisation_id = ${organisationId} and enabled`.execute(tx)
  const problem: DeliveryProblem = 'not_a_member'
  await sql`
    with ended as (
      update notification_deliveries set state = 'failed' where ${theirs} and state = 'pending'
      returning organisation_id, id)
    insert into notification_tries (organisation_id, delivery_id, at, duration_ms, problem)
    select organisation_id, id, now(), 0, ${problem} from ended where ${userId}::uuid is not null`.execute(tx)
}

export type DeliveryRow = Columns<
  'notification_deliveries',
  'id' | 'webhookId' | 'userId' | 'state' | 'nextTryAt' | 'createdAt'
> &
  Renamed<'notification_events', { eventId: 'id'; kind: 'kind'; runId: 'runId'; at: 'at' }> & {
    tried: DeliveryEntry['tries']
    memberName: string | null
  }

export interface DeliveryFilters {
  webhookId?: string | undefined
  state?: DeliveryRow['state'] | undefined
}

/** A page of the log, newest first. */
export async function listDeliveries(
  database: Database,
  organisationId: string,
  { webhookId = undefined, state = undefined }: DeliveryFilters,
  { after, limit }: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select delivery.id, delivery.webhook_id as "webhookId", delivery.user_id as "userId", delivery.state,
      delivery.next_try_at as "nextTryAt", delivery.created_at as "createdAt", event.id as "eventId", event.kind,
      event.run_id as "runId", event.at, person.first_name || ' ' || person.last_name as "memberName", (
        select coalesce(json_agg(json_build_object(
          'at', to_char(shown.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', shown.duration_ms,
          'httpStatus', shown.http_status, 'problem', shown.problem) order by shown.id desc), '[]')
        from (
          select * from notification_tries one where one.delivery_id = delivery.id
          order by one.id desc limit ${limits.deliveryTriesShown}) shown) as tried
    from notification_deliveries delivery join notification_events event on event.id = delivery.event_id
      left join users person on person.id = delivery.user_id
    where delivery.organisation_id = ${organisationId}
      and (${webhookId ?? null}::uuid is null or delivery.webhook_id = ${webhookId ?? null})
      and (${state ?? null}::text is null or delivery.state = ${state ?? null})
      and (${after?.id ?? null}::uuid is null
        or (delivery.created_at, delivery.id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by delivery.created_at desc, delivery.id desc limit ${limit}`.execute(database)
  return rows
}

/** Sends a delivery again, or at once if it waits. @returns undefined if there is none, else whether its webhook is on. */
export async function redeliver(
  tx: InTransaction,
  { id, organisationId }: DeliveryKey,
  now: Date,
): Promise<{ enabled: boolean } | undefined> {
  const { rows } = await sql<{ enabled: boolean }>`
    select coalesce(webhook.enabled, true) as enabled
    from notification_deliveries delivery left join webhooks webhook on webhook.id = delivery.webhook_id
    where delivery.organisation_id = ${organisationId} and delivery.id = ${id} for update of delivery`.execute(tx)
  if (!rows[0]?.enabled) return rows[0]
  await sql`
    update notification_deliveries set state = 'pending', tries = 0, next_try_at = ${now}, since = ${now}
    where organisation_id = ${organisationId} and id = ${id}`.execute(tx)
  return rows[0]
}
