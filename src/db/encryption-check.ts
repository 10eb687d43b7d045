import { sql } from 'kysely'
import type { Database } from './database.ts'

export interface EncryptionCheckRow {
  keyId: string
  value: Buffer
}

export async function findEncryptionCheck(database: Database): Promise<EncryptionCheckRow | undefined> {
  const { rows } = await sql<EncryptionCheckRow>`
    select key_id as "keyId", value from encryption_check`.execute(database)
  return rows[0]
}

/** The first host to start writes it; one that starts at the same moment finds it written. */
export async function insertEncryptionCheck(database: Database, check: EncryptionCheckRow): Promise<void> {
  await sql`
    insert into encryption_check (key_id, value) values (${check.keyId}, ${check.value})
    on conflict do nothing`.execute(database)
}
