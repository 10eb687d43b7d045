import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/db/core/migrate.ts'
import { createDatabase } from '../harness/postgres.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

afterAll(async () => {
  await client?.end()
  await database?.drop()
})

const applied = async () => (await client.query('select name, at from schema_migrations order by name')).rows

test('no migration is applied to an up-to-date database', async () => {
  const before = await applied()
  await migrate(database.url)
  expect(await applied()).toEqual(before)
  expect(before[0]).toMatchObject({ name: '0001_schema.sql' })
})

test('a database of a newer version is refused, with the files that this version does not have', async () => {
  await client.query(`insert into schema_migrations (name) values ('9999_later.sql')`)
  await expect(migrate(database.url)).rejects.toThrow(/newer Storeferry \(9999_later\.sql\)/)
  await client.query(`delete from schema_migrations where name = '9999_later.sql'`)
  await migrate(database.url)
})
