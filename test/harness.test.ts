import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from './harness/postgres.ts'

test('each database is migrated, empty and its own', async () => {
  const [one, other] = await Promise.all([createDatabase(), createDatabase()])
  try {
    expect(one.url).not.toBe(other.url)
    const client = new pg.Client({ connectionString: one.url })
    await client.connect()
    const migrations = await client.query('select name from schema_migrations')
    await client.end()
    expect(migrations.rowCount).toBeGreaterThan(0)
  } finally {
    await Promise.all([one.drop(), other.drop()])
  }
})
