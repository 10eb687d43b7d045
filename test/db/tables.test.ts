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
