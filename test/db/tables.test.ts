import { readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from '../harness/postgres.ts'
import { writeTableTypes } from './table-types.ts'

test('the types of tables are those of the migrated database', async () => {
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const file = new URL('../../src/db/core/tables.ts', import.meta.url)
    const generated = await writeTableTypes(client)
    if (process.env.UPDATE_TABLES) await writeFile(file, generated)
    expect(await readFile(file, 'utf8'), 'run UPDATE_TABLES=1 npm test -- test/db/tables.test.ts').toBe(generated)
  } finally {
    await client.end()
    await database.drop()
  }
})

test('PostgreSQL keeps no statistics of JSON, whose sorting takes longer than the rest of an analysis', async () => {
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select t.relname || '.' || c.attname as column from pg_class t
      join pg_attribute c on c.attrelid = t.oid and not c.attisdropped
      where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
        and c.atttypid in ('json'::regtype, 'jsonb'::regtype) and coalesce(c.attstattarget, -1) <> 0`)
    expect(rows, 'a new column needs "alter column … set statistics 0"').toEqual([])
  } finally {
    await client.end()
    await database.drop()
  }
})
