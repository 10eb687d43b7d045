import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { recordKey } from './oauth-records.ts'

/** The client name is what the client calls itself, and is not verified. */
export type Connection = Columns<
  'oauth_connections',
  'grantId' | 'organisationId' | 'userId' | 'clientId' | 'clientName' | 'redirectHost' | 'connectedAt' | 'generation'
>

export async function saveConnection(tx: InTransaction | Database, connection: Connection): Promise<void> {
  const { grantId, organisationId, userId, clientId, clientName, redirectHost, connectedAt, generation } = connection
  await sql`
    insert into oauth_connections (grant_id, organisation_id, user_id, client_id, client_name, redirect_host, connected_at,
      generation)
    values (${grantId}, ${organisationId}, ${userId}, ${clientId}, ${clientName}, ${redirectHost}, ${connectedAt},
      ${generation})`.execute(tx)
}

export type TokenAccess = Columns<'oauth_connections', 'organisationId' | 'userId' | 'lastUsedAt'> &
  Columns<'memberships', 'role'> &
  Renamed<'organisations', { organisationName: 'name' }> & {
    payload: { clientId: string; aud?: string; scope?: string }
    expiresAt: Date
    userName: string
  }

/**
 * What an access token allows right now, in one round trip. Undefined when it has expired, when its client, grant or
 * connection is gone, or when the user, the membership or the organisation's Store Migration has ended.
 *
 * Subqueries instead of joins, because PostgreSQL would consider every join order of the seven tables. The names save a
 * second round trip.
 */
export async function findTokenAccess(database: Database, token: string, now: Date): Promise<TokenAccess | undefined> {
  const { rows } = await sql<TokenAccess>`
    /* kept: token-access */ select c.organisation_id as "organisationId", c.user_id as "userId", token.payload, token.expires_at as "expiresAt",
      c.last_used_at as "lastUsedAt",
      (select m.role from memberships m where m.organisation_id = c.organisation_id and m.user_id = c.user_id and m.active
        and m.since_generation <= c.generation) as role,
      (select u.first_name || ' ' || u.last_name from users u where u.id = c.user_id) as "userName",
      (select o.name from organisations o where o.id = c.organisation_id) as "organisationName"
    from oauth_records token join oauth_connections c on c.grant_id = token.grant_id
    where token.model = 'AccessToken' and token.id_hash = ${recordKey(token)} and token.expires_at > ${now}
      and token.payload ->> 'accountId' = c.user_id::text and token.payload ->> 'clientId' = c.client_id
      and (select granted.expires_at > ${now} from oauth_records granted
        where granted.model = 'Grant' and granted.id_hash = sha256(convert_to(c.grant_id, 'UTF8')))
      -- One that describes itself at an address of its own has not registered.
      and (c.client_id like 'https://%' or (select true from oauth_records client
        where client.model = 'Client' and client.id_hash = sha256(convert_to(c.client_id, 'UTF8'))))
      and (select u.active and c.connected_at >= u.tokens_since from users u where u.id = c.user_id)
      and (select o.store_migration_enabled from organisations o where o.id = c.organisation_id)`.execute(database)
  const [access] = rows
  return access?.role ? access : undefined
}

export async function noteUse(database: Database, token: string, now: Date): Promise<void> {
  await sql`
    update oauth_connections set last_used_at = ${now}
    where grant_id = (select grant_id from oauth_records where model = 'AccessToken' and id_hash = ${recordKey(token)})`.execute(
    database,
  )
}

/**
 * Whether a user's grant is valid: the user is active and a member, Store Migration is enabled, and the password has
 * not changed.
 */
export async function isGrantUsable(database: Database, grantId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from oauth_connections c
      join users u on u.id = c.user_id and u.active and c.connected_at >= u.tokens_since
      join memberships m on m.organisation_id = c.organisation_id and m.user_id = c.user_id and m.active
        and m.since_generation <= c.generation
      join organisations o on o.id = c.organisation_id and o.store_migration_enabled
    where c.grant_id = ${grantId} and c.user_id = ${userId}`.execute(database)
  return rows.length === 1
}

export type ConnectedClient = Columns<
  'oauth_connections',
  'grantId' | 'clientName' | 'redirectHost' | 'connectedAt' | 'lastUsedAt'
> &
  Renamed<'organisations', { organisationName: 'name' }>

/** A user's connections that still give an assistant access, newest first; the page after one of them. */
export async function listConnections(
  database: Database,
  userId: string,
  { after, limit }: { after: { connectedAt: Date; grantId: string } | null; limit: number },
): Promise<ConnectedClient[]> {
  const { rows } = await sql<ConnectedClient>`
    select c.grant_id as "grantId", c.client_name as "clientName", c.redirect_host as "redirectHost",
      o.name as "organisationName", c.connected_at as "connectedAt", c.last_used_at as "lastUsedAt"
    from oauth_connections c
      join users u on u.id = c.user_id and c.connected_at >= u.tokens_since
      join memberships m on m.organisation_id = c.organisation_id and m.user_id = c.user_id and m.active
        and m.since_generation <= c.generation
      join organisations o on o.id = c.organisation_id and o.store_migration_enabled
    where c.user_id = ${userId} and (${after?.connectedAt ?? null}::timestamptz is null
      or (c.connected_at, c.grant_id) < (${after?.connectedAt ?? null}::timestamptz, ${after?.grantId ?? null}::text))
    order by c.connected_at desc, c.grant_id desc limit ${limit}`.execute(database)
  return rows
}

/** @returns the organisation and client of a connection, if it belongs to this user. */
export async function findConnection(
  database: InTransaction,
  userId: string,
  grantId: string,
): Promise<Columns<'oauth_connections', 'organisationId' | 'clientId'> | undefined> {
  const { rows } = await sql<Columns<'oauth_connections', 'organisationId' | 'clientId'>>`
    select organisation_id as "organisationId", client_id as "clientId" from oauth_connections
    where grant_id = ${grantId} and user_id = ${userId}`.execute(database)
  return rows[0]
}
