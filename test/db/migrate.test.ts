import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/db/core/migrate.ts'
import { describeUnreachable } from '../../src/db/core/unreachable.ts'
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

test('a user who may not create tables in the database is told to own it', async () => {
  const role = `${new URL(database.url).pathname.slice(1)}_reader`
  await client.query(`create role ${role} login password 'x'`)
  onTestFinished(async () => void (await client.query(`drop role ${role}`)))
  const url = new URL(database.url)
  url.username = role
  url.password = 'x'
  const refusal = describeUnreachable(await migrate(url.href).catch((error: unknown) => error))
  expect((refusal as Error).message).toBe(
    'The database of DATABASE_URL cannot be used: its user may not create tables and has to be its owner. Correct it, then start again.',
  )
})
