import { sql } from 'kysely'
import type { Columns } from './columns.ts'
import type { Database, InTransaction } from './database.ts'

/** `rootSealed` is null while the key of this row is the root itself. */
export type EncryptionCheckRow = Columns<'encryption_check', 'keyId' | 'value' | 'rootSealed'>

const columns = sql`key_id as "keyId", value, root_sealed as "rootSealed"`

export async function findEncryptionCheck(database: Database): Promise<EncryptionCheckRow | undefined> {
  const { rows } = await sql<EncryptionCheckRow>`select ${columns} from encryption_check`.execute(database)
  return rows[0]
}

/** The first host that starts writes it. */
export async function insertEncryptionCheck(
  database: Database,
  check: Omit<EncryptionCheckRow, 'rootSealed'>,
): Promise<void> {
  await sql`
    insert into encryption_check (key_id, value) values (${check.keyId}, ${check.value})
    on conflict do nothing`.execute(database)
}

/** Waits for transactions that hold the writing key, and blocks new ones until this transaction ends. */
export async function lockEncryptionCheck(database: InTransaction): Promise<EncryptionCheckRow | undefined> {
  const { rows } = await sql<EncryptionCheckRow>`select ${columns} from encryption_check for update`.execute(database)
  return rows[0]
}

export async function saveEncryptionCheck(database: InTransaction, check: EncryptionCheckRow): Promise<void> {
  await sql`
    update encryption_check set key_id = ${check.keyId}, value = ${check.value}, root_sealed = ${check.rootSealed}`.execute(
    database,
  )
}

/**
 * Locks the current encryption key until the transaction ends, so that nothing encrypted with an old key is stored
 * after a rotation. Take it before the row that holds the value, in the same order as the rotation.
 *
 * @returns its id.
 */
export async function holdWritingKey(database: InTransaction): Promise<string> {
  const { rows } = await sql<
    Columns<'encryption_check', 'keyId'>
  >`select key_id as "keyId" from encryption_check for share`.execute(database)
  if (!rows[0]) throw new Error('The database does not say which key it is written with; a start records it.')
  return rows[0].keyId
}
