import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
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
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    for (const file of files) if (!applied.has(file)) await apply(client, file)
    refuseNewerDatabase(applied, files)
  } finally {
    await client.end()
  }
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
