import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import { lockNumbers } from './lock-numbers.ts'

const folder = new URL('./sql/', import.meta.url)

/** Applies the numbered files in `sql/` that this database has not seen; forward only. */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'storeferry migrate' })
  await client.connect()
  try {
    // Hosts that start at the same time wait for each other.
    await client.query('select pg_advisory_lock($1)', [lockNumbers.migration])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, at timestamptz not null default now())',
    )
    const applied = new Set(
      (await client.query<{ name: string }>('select name from schema_migrations')).rows.map((row) => row.name),
    )
    const files = await migrations()
    for (const file of files) if (!applied.has(file)) await apply(client, file)
    refuseNewerDatabase(applied, files)
  } finally {
    await client.end()
  }
}

/** Whether the database has every migration of this version. It may have later ones, from a version that replaces this one. */
export async function isSchemaCurrent(database: Database): Promise<boolean> {
  const { rows } = await sql<{ missing: number }>`
    select count(*)::integer as missing from unnest(${await migrations()}::text[]) as file
    where not exists (select from schema_migrations where name = file)`.execute(database)
  return rows[0]?.missing === 0
}

async function migrations(): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
}

async function apply(client: pg.Client, file: string): Promise<void> {
  const statements = await readFile(new URL(file, folder), 'utf8')
  await client.query('begin')
  try {
    await client.query(statements)
    await client.query('insert into schema_migrations (name) values ($1)', [file])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Database migration ${file} failed and was rolled back.`, { cause: error })
  }
}

function refuseNewerDatabase(applied: Set<string>, files: string[]): void {
  const unknown = [...applied].filter((name) => !files.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `The database was migrated by a newer Storeferry (${unknown.join(', ')}); start that version or a later one.`,
    )
}
