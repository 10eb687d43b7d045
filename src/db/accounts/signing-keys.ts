import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { lockNumbers } from '../core/lock-numbers.ts'

export type SigningKeyRow = Columns<'signing_keys', 'kid' | 'publicJwk' | 'privateKeyEncrypted'>

const columns = sql`kid, public_jwk as "publicJwk", private_key_encrypted as "privateKeyEncrypted"`
/** Two servers that start on an empty database must not create a key each. */
export async function lockSigningKeyCreation(database: InTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumbers.signingKey})`.execute(database)
}

/** The key that signs now. */
export async function findCurrentSigningKey(database: Database | InTransaction): Promise<SigningKeyRow | undefined> {
  const { rows } = await sql<SigningKeyRow>`
    select ${columns} from signing_keys where retired_at is null order by created_at desc, kid limit 1`.execute(
    database,
  )
  return rows[0]
}

export async function findSigningKey(database: Database, kid: string): Promise<SigningKeyRow | undefined> {
  const { rows } = await sql<SigningKeyRow>`select ${columns} from signing_keys where kid = ${kid}`.execute(database)
  return rows[0]
}

export async function insertSigningKey(
  database: InTransaction,
  key: SigningKeyRow & { createdAt: Date },
): Promise<void> {
  await sql`
    insert into signing_keys (kid, public_jwk, private_key_encrypted, created_at)
    values (${key.kid}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.privateKeyEncrypted}, ${key.createdAt})`.execute(
    database,
  )
}

export async function retireSigningKeys(database: InTransaction, at: Date): Promise<void> {
  await sql`update signing_keys set retired_at = ${at} where retired_at is null`.execute(database)
}

/** With every token that they have signed, so that open streams end too (S6). */
export async function deleteSigningKeys(database: InTransaction): Promise<void> {
  await sql`with signed as (delete from bearer_tokens) delete from signing_keys`.execute(database)
}
