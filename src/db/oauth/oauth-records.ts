import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

/** What oidc-provider stores under an id; does not contain the id itself. */
export type OauthPayload = Tables['oauth_records']['payload']

type FoundRecord = Columns<'oauth_records', 'payload' | 'consumedAt'>

/** The only form in which an id reaches the database. */
export function recordKey(id: string): Buffer {
  return hash('sha256', id, 'buffer')
}

export async function saveRecord(
  database: Database | InTransaction,
  record: { model: string; id: string; payload: OauthPayload; expiresAt: Date | null; at: Date },
): Promise<void> {
  const { model, id, payload, expiresAt, at } = record
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  await sql`
    insert into oauth_records (model, id_hash, payload, grant_id, uid, expires_at, created_at)
    values (${model}, ${recordKey(id)}, ${JSON.stringify(payload)}::jsonb, ${text(payload.grantId)}, ${text(payload.uid)},
      ${expiresAt}, ${at})
    on conflict (model, id_hash) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      expires_at = excluded.expires_at`.execute(database)
}

/** Undefined when there is none, or when it has expired. */
export async function findRecord(
  database: Database,
  model: string,
  id: string,
  now: Date,
): Promise<FoundRecord | undefined> {
  const { rows } = await sql<FoundRecord>`
    select payload, consumed_at as "consumedAt" from oauth_records
    where model = ${model} and id_hash = ${recordKey(id)} and (expires_at is null or expires_at > ${now})`.execute(
    database,
  )
  return rows[0]
}

export async function findRecordByUid(
  database: Database,
  model: string,
  uid: string,
  now: Date,
): Promise<FoundRecord | undefined> {
  const { rows } = await sql<FoundRecord>`
    select payload, consumed_at as "consumedAt" from oauth_records
    where model = ${model} and uid = ${uid} and (expires_at is null or expires_at > ${now})`.execute(database)
  return rows[0]
}

/** Compare and set: of several concurrent calls exactly one returns true. */
export async function consumeRecord(database: Database, model: string, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update oauth_records set consumed_at = ${at}
    where model = ${model} and id_hash = ${recordKey(id)} and consumed_at is null returning model`.execute(database)
  return rows.length === 1
}

export async function deleteRecord(database: Database, model: string, id: string): Promise<void> {
  await sql`delete from oauth_records where model = ${model} and id_hash = ${recordKey(id)}`.execute(database)
}

/**
 * Deletes every code and token of a grant, the grant itself, and the connection that records who allowed it. The client
 * counts as unused from now on, so that it can be connected again within a day without a new registration (S16).
 */
export async function deleteGrant(database: Database | InTransaction, grantId: string): Promise<void> {
  await sql`
    update oauth_records client set created_at = now() from oauth_connections c
    where c.grant_id = ${grantId} and client.model = 'Client'
      and client.payload ->> 'client_id' = c.client_id`.execute(database)
  await sql`delete from oauth_records where grant_id = ${grantId}`.execute(database)
  await sql`delete from oauth_records where model = 'Grant' and id_hash = ${recordKey(grantId)}`.execute(database)
  await sql`delete from oauth_connections where grant_id = ${grantId}`.execute(database)
}

/**
 * Deletes expired records, clients without a grant since `unusedBefore`, and registrations until
 * `countedSince` (S16).
 */
export async function purgeRecords(
  database: Database,
  { now, unusedBefore, countedSince }: { now: Date; unusedBefore: Date; countedSince: Date },
): Promise<void> {
  await sql`delete from oauth_records where expires_at < ${now}`.execute(database)
  await sql`
    delete from oauth_connections c where not exists (
      select from oauth_records g where g.model = 'Grant' and g.id_hash = sha256(convert_to(c.grant_id, 'UTF8')))`.execute(
    database,
  )
  await sql`
    delete from oauth_records client where client.model = 'Client' and client.created_at < ${unusedBefore}
      and not exists (select from oauth_connections c where c.client_id = client.payload ->> 'client_id')`.execute(
    database,
  )
  await sql`delete from oauth_registrations where at <= ${countedSince}`.execute(database)
}

/** Makes registrations from one address wait for each other. */
export async function lockRegistrations(tx: InTransaction, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`registrations from ${address}`}, 0))`.execute(tx)
}

/** Counts registrations from an address since the given time, and all clients without a grant. */
export async function countRegistrations(
  tx: InTransaction,
  address: string,
  since: Date,
): Promise<{ fromAddress: number; unusedClients: number }> {
  const { rows } = await sql<{ fromAddress: number; unusedClients: number }>`
    select (select count(*)::integer from oauth_registrations where address = ${address} and at > ${since}) as "fromAddress",
      (select count(*)::integer from oauth_records client where client.model = 'Client'
        and not exists (select from oauth_connections c where c.client_id = client.payload ->> 'client_id')) as "unusedClients"`.execute(
    tx,
  )
  return rows[0] ?? { fromAddress: 0, unusedClients: 0 }
}

export async function recordRegistration(tx: InTransaction, address: string, at: Date): Promise<void> {
  await sql`insert into oauth_registrations (address, at) values (${address}, ${at})`.execute(tx)
}
