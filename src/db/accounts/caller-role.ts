import { sql } from 'kysely'
import type { Role } from '../../contract/accounts/permissions.ts'
import { limits } from '../../contract/primitives/limits.ts'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'

interface OfMember {
  userId: string
  organisationId: string
}

interface ByToken {
  secretVersion: number
  tokenId: string
}

interface BySession {
  sessionHash: Buffer
}

/**
 * The caller's current role, locked until the transaction ends: a later rotation or removal waits, an earlier one is
 * seen (S6). Rows are locked in the order in which `for share` names them, which is that of what ends access: otherwise the two could
 * wait for each other.
 *
 * @returns undefined when the credential, the membership, the user or the organisation no longer admits the caller, when
 * a new password has ended the token, or when the token or the session has expired.
 */
export async function lockCallerRole(
  tx: InTransaction,
  caller: OfMember & (ByToken | BySession),
): Promise<Role | undefined> {
  return 'sessionHash' in caller ? lockRoleBySession(tx, caller) : lockRoleByCredential(tx, caller)
}

async function lockRoleByCredential(tx: InTransaction, caller: OfMember & ByToken): Promise<Role | undefined> {
  const found = await sql<Columns<'memberships', 'role'>>`
    select member.role
    from memberships member
      join users person on person.id = member.user_id and person.active
      join organisations organisation on organisation.id = member.organisation_id and organisation.store_migration_enabled
      join api_credentials credential on credential.organisation_id = organisation.id
        and credential.enabled and credential.version = ${caller.secretVersion}
      join bearer_tokens token on token.id = ${caller.tokenId} and token.organisation_id = organisation.id
        and token.user_id = person.id and token.generation >= member.since_generation
        and token.issued_at >= person.tokens_since and token.expires_at > now()
    where member.organisation_id = ${caller.organisationId} and member.user_id = ${caller.userId} and member.active
    for share of organisation, person, member, credential, token`.execute(tx)
  return found.rows[0]?.role
}

/** The lock only keeps the session from being deleted: `seen_at` may still be updated. */
async function lockRoleBySession(tx: InTransaction, caller: OfMember & BySession): Promise<Role | undefined> {
  const found = await sql<Columns<'memberships', 'role'>>`
    select member.role
    from memberships member
      join users person on person.id = member.user_id and person.active
      join organisations organisation on organisation.id = member.organisation_id and organisation.store_migration_enabled
      join sessions session on session.user_id = person.id and session.id_hash = ${caller.sessionHash}
        and session.generation >= member.since_generation
        and session.started_at > now() - make_interval(secs => ${limits.sessionSeconds})
        and session.seen_at > now() - make_interval(secs => ${limits.sessionIdleSeconds})
    where member.organisation_id = ${caller.organisationId} and member.user_id = ${caller.userId} and member.active
    for share of organisation, person, member
    for key share of session`.execute(tx)
  return found.rows[0]?.role
}
