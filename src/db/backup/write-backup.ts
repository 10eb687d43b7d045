import { sql } from 'kysely'
import type { Database, InTransaction } from '../core/database.ts'
import { listMigrations, listTables, prepareCopying } from './backed-up-tables.ts'
import { type BackupHeader, type BackupLine, format, writeBackupFile } from './backup-file.ts'

export interface BackupWritten {
  tables: number
  rows: number
}

/** Rows per answer. Larger: a few large documents take more memory. Our choice. */
const fetchedAtOnce = 250

/**
 * Writes everything that has to survive to one new file, as it is at one moment; the service may be running. The master key is not in
 * the database and so not in the file (S8).
 */
export function writeBackup(
  database: Database,
  path: string,
  { version, at, signal }: { version: string; at: Date; signal: AbortSignal },
): Promise<BackupWritten> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await prepareCopying(tx)
      const migrations = await listMigrations(tx)
      const { backedUp } = await listTables(tx)
      // After the first statement, which took the snapshot: no row in it has a later number.
      const header: BackupHeader = {
        format,
        version,
        at: at.toISOString(),
        migrations,
        sequences: await readSequences(tx),
      }
      const rows = await writeBackupFile(path, header, everyRow(tx, backedUp), signal)
      return { tables: backedUp.length, rows }
    })
}

async function readSequences(tx: InTransaction): Promise<BackupHeader['sequences']> {
  const { rows } = await sql<{ name: string; value: number }>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by sequencename`.execute(tx)
  return rows
}

async function* everyRow(tx: InTransaction, tables: string[]): AsyncGenerator<BackupLine> {
  for (const table of tables) {
    yield { table }
    await sql`
      declare backed_up no scroll cursor for
      select whole_row::text as "row" from ${sql.table(table)} as whole_row`.execute(tx)
    for (;;) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(fetchedAtOnce)} from backed_up`.execute(tx)
      for (const { row } of rows) yield row
      if (rows.length < fetchedAtOnce) break
    }
    await sql`close backed_up`.execute(tx)
  }
}
