import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/db/core/migrate.ts'
import { describeUnreachable } from '../../src/db/core/unreachable.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

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

describe('an upgrade beside a long transaction', () => {
  const waits = { lockMs: 400, pauseMs: 50, tries: 3 }
  let other: pg.Client
  beforeEach(async () => {
    await client.query('alter table quota_shares drop column recent_calls, drop column seen_at')
    await client.query(`delete from schema_migrations where name = '0042_recent_calls.sql'`)
    other = new pg.Client({ connectionString: database.url, application_name: 'a report' })
    await other.connect()
    await other.query('begin; select from quota_shares')
    return async () => {
      await other.end()
      await migrate(database.url)
    }
  })
  const isApplied = async () => (await applied()).some(({ name }) => name === '0042_recent_calls.sql')
  const pidOf = async (one: pg.Client) =>
    (await one.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

  test('gives up after a time, and names what is in the way and how to end it', async () => {
    const pid = await pidOf(other)
    await expect(migrate(database.url, { waits })).rejects.toThrow(
      new RegExp(
        `^Database migration 0042_recent_calls\\.sql was not applied, .* process ${pid} \\(a report\\), in a transaction for \\d+ s\\. .*select pg_terminate_backend\\(${pid}\\)`,
      ),
    )
    expect(await isApplied()).toBe(false)
  })

  test('lets other queries through between its tries', async () => {
    const refused = migrate(database.url, { waits }).catch((error: unknown) => error)
    await until('the migration waits', async () => (await waiting()) > 0)
    await client.query('select from quota_shares')
    expect(await isApplied()).toBe(false)
    expect(await refused).toBeInstanceOf(Error)
  })

  test('goes on as soon as that has ended, and says that it waits', async () => {
    const said: string[] = []
    const done = migrate(database.url, {
      waits: { ...waits, tries: 100 },
      onWait: (message) => void said.push(message),
    })
    await until('it says that it waits', async () => said.length > 0)
    await other.query('rollback')
    await done
    expect(said).toEqual(['Database migration 0042_recent_calls.sql waits for tables that are in use.'])
    expect(await isApplied()).toBe(true)
  })

  async function waiting(): Promise<number> {
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
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
