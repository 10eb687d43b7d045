import { sql } from 'kysely'
import type { Columns, OrNull, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type ApiCredentialRow = Columns<
  'api_credentials',
  'organisationId' | 'clientId' | 'secretHash' | 'lastFour' | 'version' | 'enabled'
>

const columns = sql`organisation_id as "organisationId", client_id as "clientId", secret_hash as "secretHash",
  last_four as "lastFour", version, enabled`

/** Locks the row, so that two administrators cannot both issue or rotate. */
export async function lockApiCredential(
  database: InTransaction,
  organisationId: string,
): Promise<ApiCredentialRow | undefined> {
  const { rows } = await sql<ApiCredentialRow>`
    select ${columns} from api_credentials where organisation_id = ${organisationId} for update`.execute(database)
  return rows[0]
}

type IssuedCredential = Omit<ApiCredentialRow, 'secretHash'> &
  Columns<'api_credentials', 'updatedAt'> &
  OrNull<Renamed<'audit', { issuedAt: 'at' }>> & {
    /** Null when it was issued from the command line. */
    issuedBy: string | null
  }

/**
 * The credential without its secret, with the time of its last change, and when and by whom the current secret was
 * issued.
 *
 * @returns undefined when none was ever issued.
 */
export async function findApiCredential(
  database: Database,
  organisationId: string,
): Promise<IssuedCredential | undefined> {
  const { rows } = await sql<IssuedCredential>`
    select c.organisation_id as "organisationId", c.client_id as "clientId", c.last_four as "lastFour", c.version, c.enabled,
      c.updated_at as "updatedAt", issue.at as "issuedAt", issue.by as "issuedBy"
    from api_credentials c left join lateral (
      select entry.at, person.first_name || ' ' || person.last_name as by
      from audit entry left join users person on person.id = entry.actor_user_id
      where entry.organisation_id = c.organisation_id and entry.action in ('credential.issue', 'credential.rotate')
      order by entry.id desc limit 1) issue on true
    where c.organisation_id = ${organisationId}`.execute(database)
  return rows[0]
}

/** Never changes the client id of an existing row, and never lowers its version (S6). */
export async function saveApiCredential(database: InTransaction, credential: ApiCredentialRow): Promise<void> {
  await sql`
    insert into api_credentials (organisation_id, client_id, secret_hash, last_four, version, enabled)
    values (${credential.organisationId}, ${credential.clientId}, ${credential.secretHash}, ${credential.lastFour},
      ${credential.version}, ${credential.enabled})
    on conflict (organisation_id) do update set
      secret_hash = excluded.secret_hash, last_four = excluded.last_four, enabled = excluded.enabled, updated_at = now(),
      version = greatest(api_credentials.version, excluded.version)`.execute(database)
}

export type CredentialForLogin = ApiCredentialRow &
  Columns<'organisations', 'storeMigrationEnabled'> &
  Renamed<'organisations', { organisationName: 'name'; organisationNameKey: 'nameKey' }>

export async function findCredentialByClientId(
  database: Database,
  clientId: string,
): Promise<CredentialForLogin | undefined> {
  const { rows } = await sql<CredentialForLogin>`
    select ${columns}, o.name as "organisationName", o.name_key as "organisationNameKey",
      o.store_migration_enabled as "storeMigrationEnabled"
    from api_credentials join organisations o on o.id = organisation_id
    where client_id = ${clientId}`.execute(database)
  return rows[0]
}

export type CallerAccess = Columns<'memberships', 'role'> & Columns<'organisations', 'storeMigrationEnabled'>

/**
 * What a bearer token allows right now, in one round trip. Undefined when the token was ended, the secret rotated, the
 * credential disabled, the user deactivated, the membership ended (even if it has begun again since), the password
 * changed, or the signing key dropped.
 */
export async function findCallerAccess(
  database: Database,
  claims: {
    tokenId: string
    userId: string
    organisationId: string
    secretVersion: number
    issuedAt: Date
    kid: string
    keysRetiredAfter: Date
  },
): Promise<CallerAccess | undefined> {
  const { rows } = await sql<CallerAccess>`
    /* kept: caller-access */ select m.role, o.store_migration_enabled as "storeMigrationEnabled"
    from memberships m
      join users u on u.id = m.user_id and u.active and u.tokens_since <= ${claims.issuedAt}
      join organisations o on o.id = m.organisation_id
      join api_credentials c on c.organisation_id = o.id and c.enabled and c.version = ${claims.secretVersion}
      join bearer_tokens t on t.id = ${claims.tokenId} and t.organisation_id = o.id and t.user_id = u.id
      join signing_keys k on k.kid = ${claims.kid} and (k.retired_at is null or k.retired_at > ${claims.keysRetiredAfter})
    where m.organisation_id = ${claims.organisationId} and m.user_id = ${claims.userId} and m.active
      and m.since_generation <= t.generation`.execute(database)
  return rows[0]
}
