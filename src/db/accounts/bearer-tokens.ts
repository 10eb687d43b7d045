import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

type IssuedToken = Columns<
  'bearer_tokens',
  'id' | 'organisationId' | 'userId' | 'secretVersion' | 'generation' | 'address' | 'issuedAt' | 'expiresAt'
>

/** Also deletes tokens that expired before `expiredBefore`. */
export async function insertBearerToken(database: Database, token: IssuedToken, expiredBefore: Date): Promise<void> {
  await sql`
    with expired as (delete from bearer_tokens where expires_at < ${expiredBefore})
    insert into bearer_tokens (id, organisation_id, user_id, secret_version, generation, address, issued_at, expires_at)
    values (${token.id}, ${token.organisationId}, ${token.userId}, ${token.secretVersion}, ${token.generation},
      ${token.address}, ${token.issuedAt}, ${token.expiresAt})`.execute(database)
}

export type UsableToken = Pick<IssuedToken, 'id' | 'organisationId' | 'address' | 'issuedAt' | 'expiresAt'> &
  Renamed<'organisations', { organisationName: 'name' }>

/**
 * The page of tokens after the position, newest first, without those that a rotation, a removal or a new password made
 * void.
 */
export async function listUsableTokens(
  database: Database,
  userId: string,
  { now, after, limit }: { now: Date; after: { issuedAt: string; id: string } | null; limit: number },
): Promise<UsableToken[]> {
  const { rows } = await sql<UsableToken>`
    select token.id, token.organisation_id as "organisationId", organisation.name as "organisationName", token.address,
      token.issued_at as "issuedAt", token.expires_at as "expiresAt"
    from bearer_tokens token
      join users person on person.id = token.user_id and person.active and person.tokens_since <= token.issued_at
      join memberships member on member.user_id = token.user_id and member.organisation_id = token.organisation_id
        and member.active and member.since_generation <= token.generation
      join organisations organisation on organisation.id = token.organisation_id and organisation.store_migration_enabled
      join api_credentials credential on credential.organisation_id = token.organisation_id
        and credential.enabled and credential.version = token.secret_version
    where token.user_id = ${userId} and token.expires_at > ${now}
      and (${after === null} or (token.issued_at, token.id) < (${after?.issuedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by token.issued_at desc, token.id desc limit ${limit}`.execute(database)
  return rows
}

/** @returns the organisation of the deleted token; undefined when the user has no token with this id. */
export async function deleteBearerToken(
  database: InTransaction,
  token: { id: string; userId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ organisationId: string }>`
    delete from bearer_tokens where id = ${token.id} and user_id = ${token.userId}
    returning organisation_id as "organisationId"`.execute(database)
  return rows[0]?.organisationId
}
