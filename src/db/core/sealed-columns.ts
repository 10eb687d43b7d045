import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

/** A column of values that the master key encrypts, and what is authenticated with each: its row and organisation. */
export interface SealedColumn {
  table: string
  column: string
  row: string
  organisation: string | null
}

/** All of them. A rotation goes through this list, and a test compares it with the database. */
export const sealedColumns: SealedColumn[] = [
  { table: 'stores', column: 'token_encrypted', row: 'id', organisation: 'organisation_id' },
  { table: 'app_installations', column: 'token_encrypted', row: 'hash', organisation: null },
  { table: 'signing_keys', column: 'private_key_encrypted', row: 'kid', organisation: null },
  { table: 'second_steps', column: 'secret_encrypted', row: 'user_id', organisation: null },
  { table: 'webhook_secrets', column: 'secret_encrypted', row: 'id', organisation: 'organisation_id' },
]

export interface SealedValue {
  row: string
  organisation: string | null
  sealed: Buffer
}

/**
 * The key id that `sealedKeyId` reads, in hex; null for an unsealed value. Nonce and tag take 28 bytes, so a value of
 * 30 bytes or less is not sealed.
 */
function keyIdOf(column: string) {
  const value = sql.ref(column)
  return sql`case when octet_length(${value}) > 30 and get_byte(${value}, 0) = 1
    then encode(substring(${value} from 3 for get_byte(${value}, 1)), 'hex') end`
}

/** How many values are encrypted with each key. */
export async function countSealed(database: Database): Promise<{ table: string; keyId: string; count: number }[]> {
  const counted = sealedColumns.map(
    ({ table, column }) => sql`
      select ${table} as "table", ${keyIdOf(column)} as hex, count(*)::int as count from ${sql.table(table)} group by 2`,
  )
  const { rows } = await sql<{ table: string; hex: string; count: number }>`
    select * from (${sql.join(counted, sql` union all `)}) as counted where hex is not null order by 1, 2`.execute(
    database,
  )
  return rows.map(({ hex, ...row }) => ({ ...row, keyId: Buffer.from(hex, 'hex').toString() }))
}

/** A page of values sealed with another key, ordered by row. */
export async function listSealedOtherwise(
  database: InTransaction,
  { table, column, row, organisation }: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedValue[]> {
  const belongsTo = organisation === null ? sql`null` : sql.ref(organisation)
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(row)}::text as "row", ${belongsTo}::text as organisation, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${keyIdOf(column)} <> ${Buffer.from(keyId).toString('hex')} and ${sql.ref(row)}::text > ${after}
    order by ${sql.ref(row)}::text limit ${limit}`.execute(database)
  return rows
}

/** Only replaces the value that was read: one written since wins. */
export async function replaceSealed(
  database: InTransaction,
  { table, column, row }: SealedColumn,
  { row: id, sealed }: SealedValue,
  replacement: Buffer,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${replacement}
    where ${sql.ref(row)}::text = ${id} and ${sql.ref(column)} = ${sealed}`.execute(database)
}
