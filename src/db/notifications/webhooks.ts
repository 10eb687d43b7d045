import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { endPending, makeDue } from './deliveries.ts'

export type WebhookRow = Columns<
  'webhooks',
  | 'id'
  | 'organisationId'
  | 'url'
  | 'description'
  | 'events'
  | 'enabled'
  | 'disabledBecause'
  | 'failingSince'
  | 'createdAt'
> & { previousSecretUntil: Date | null }

const columns = sql`webhook.id, webhook.organisation_id as "organisationId", webhook.url, webhook.description, webhook.events,
  webhook.enabled, webhook.disabled_because as "disabledBecause", webhook.failing_since as "failingSince",
  webhook.created_at as "createdAt", (
    select max(expires_at) from webhook_secrets secret
    where secret.webhook_id = webhook.id and secret.organisation_id = webhook.organisation_id) as "previousSecretUntil"`

export async function listWebhooks(database: Database, organisationId: string): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from webhooks webhook where webhook.organisation_id = ${organisationId}
    order by webhook.created_at, webhook.id`.execute(database)
  return rows
}

export async function hasWebhook(database: Database, organisationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhooks where organisation_id = ${organisationId} and id = ${id}`.execute(database)
  return rows.length > 0
}

/** Lets only one change to an organisation's webhooks run at a time, so that their number cannot pass its limit. */
export async function lockWebhooks(tx: InTransaction, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${organisationId}`}, 0))`.execute(tx)
}

export async function hasWebhookTo(tx: InTransaction, organisationId: string, url: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhooks where organisation_id = ${organisationId} and url = ${url}`.execute(tx)
  return rows.length > 0
}

export async function countWebhooks(tx: InTransaction, organisationId: string): Promise<number> {
  const { rows } = await sql<{ webhooks: number }>`
    select count(*) as webhooks from webhooks where organisation_id = ${organisationId}`.execute(tx)
  return rows[0]?.webhooks ?? 0
}

/** The row, locked until the transaction ends. */
export async function lockWebhook(
  tx: InTransaction,
  organisationId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from webhooks webhook
    where webhook.organisation_id = ${organisationId} and webhook.id = ${id} for update of webhook`.execute(tx)
  return rows[0]
}

export type NewWebhook = Pick<WebhookRow, 'id' | 'organisationId' | 'url' | 'description' | 'events' | 'createdAt'>

export async function insertWebhook(tx: InTransaction, webhook: NewWebhook): Promise<void> {
  await sql`
    insert into webhooks (id, organisation_id, url, description, events, created_at)
    values (${webhook.id}, ${webhook.organisationId}, ${webhook.url}, ${webhook.description}, ${webhook.events}::text[],
      ${webhook.createdAt})`.execute(tx)
}

/** Switched on or with another address, it starts without failures; switched off, nothing is tried any more. */
export async function saveWebhook(
  tx: InTransaction,
  webhook: Pick<WebhookRow, 'id' | 'organisationId' | 'url' | 'description' | 'events' | 'enabled'>,
  { restarts, now }: { restarts: boolean; now: Date },
): Promise<void> {
  await sql`
    update webhooks set url = ${webhook.url}, description = ${webhook.description}, events = ${webhook.events}::text[],
      enabled = ${webhook.enabled},
      disabled_because = case when ${webhook.enabled} then null else disabled_because end,
      failing_since = case when ${restarts} then null else failing_since end
    where organisation_id = ${webhook.organisationId} and id = ${webhook.id}`.execute(tx)
  const key = { ...webhook, webhookId: webhook.id }
  if (!webhook.enabled) await endPending(tx, key, now)
  else if (restarts) await makeDue(tx, key, now)
}

/** Also deletes its deliveries. */
export async function deleteWebhook(tx: InTransaction, organisationId: string, id: string): Promise<void> {
  await sql`delete from webhooks where organisation_id = ${organisationId} and id = ${id}`.execute(tx)
}

/** What a secret is bound to when encrypted (S8). */
export function webhookSecretContext(secret: { id: string; organisationId: string }) {
  return {
    table: 'webhook_secrets',
    column: 'secret_encrypted',
    row: secret.id,
    organisation: secret.organisationId,
  }
}

/**
 * Makes a secret the present one. The one before signs too until `previousUntil`; null ends it at once. Any older one ends.
 *
 * @param seal encrypts the secret for the row with this id.
 */
export async function saveSecret(
  tx: InTransaction,
  { organisationId, webhookId, at }: { organisationId: string; webhookId: string; at: Date },
  { previousUntil, seal }: { previousUntil: Date | null; seal(id: string): Buffer },
): Promise<void> {
  const ofWebhook = sql`organisation_id = ${organisationId} and webhook_id = ${webhookId}`
  await sql`delete from webhook_secrets where ${ofWebhook} and (expires_at is not null or ${previousUntil === null})`.execute(
    tx,
  )
  await sql`update webhook_secrets set expires_at = ${previousUntil} where ${ofWebhook}`.execute(tx)
  const id = randomUUID()
  await sql`
    insert into webhook_secrets (id, organisation_id, webhook_id, secret_encrypted, created_at)
    values (${id}, ${organisationId}, ${webhookId}, ${seal(id)}, ${at})`.execute(tx)
}

/** Those that sign now, the present one first. */
export async function listSecrets(
  database: Database,
  { organisationId, webhookId, now }: { organisationId: string; webhookId: string; now: Date },
): Promise<Columns<'webhook_secrets', 'id' | 'organisationId' | 'secretEncrypted'>[]> {
  const { rows } = await sql<Columns<'webhook_secrets', 'id' | 'organisationId' | 'secretEncrypted'>>`
    select id, organisation_id as "organisationId", secret_encrypted as "secretEncrypted" from webhook_secrets
    where organisation_id = ${organisationId} and webhook_id = ${webhookId} and (expires_at is null or expires_at > ${now})
    order by expires_at desc nulls first`.execute(database)
  return rows
}
