import { readdir, readFile } from 'node:fs/promises'
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

test('B6: an upgrade to mappings in sets keeps every mapping, and shortens the checksums that it and a paused run know', async () => {
  const earlier = await createDatabase()
  const owner = new pg.Client({ connectionString: earlier.url })
  await owner.connect()
  onTestFinished(async () => {
    await owner.end()
    await earlier.drop()
  })
  await owner.query('drop schema public cascade; create schema public')
  const folder = new URL('../../src/db/core/sql/', import.meta.url)
  const files = (await readdir(folder)).sort().filter((file) => file < '0044')
  for (const file of files) await owner.query(await readFile(new URL(file, folder), 'utf8'))
  await owner.query('create table schema_migrations (name text primary key, at timestamptz not null default now())')
  await owner.query('insert into schema_migrations (name) select unnest($1::text[])', [files])
  // Stores without their organisations.
  await owner.query('set session_replication_role = replica')
  await owner.query(`
    insert into stores (id, organisation_id, hash, label, token_encrypted)
    select md5(store || n)::uuid, md5('organization ' || of)::uuid, store || n, 'shop', ''
    from generate_series(0, 6) n, generate_series(0, 1) of, (values ('source'), ('destination')) stores (store)
    where (store = 'source' and n % 2 = of) or (store = 'destination' and n = of)`)
  await owner.query(`
    insert into mappings (organisation_id, source_store_id, destination_store_id, scope, component, source_id, destination_id, origin,
      many_to_one, owed, draft_checksum, destination_checksum, run_id, created_at, extra_children, name, sku)
    select md5('organization ' || pair % 2)::uuid, md5('source' || pair)::uuid, md5('destination' || pair % 2)::uuid,
      scope, component, n::text, case when component = 'products' then n + pair * 100 else 1 end, 'created', component <> 'products',
      case when n = 1 then array['children'] else '{}' end, 'storefront view ' || repeat(n::text, 43), null, md5('run')::uuid, '2026-01-01', n = 2, 'Lamp ' || n, null
    from generate_series(1, 6) pair, (values ('store'), ('storefront:1>2')) scopes (scope),
      (values ('products'), ('categories')) components (component), generate_series(1, 3) n`)
  const listed = [{ checksum: 'a'.repeat(43), item: { name: 'Lamp' } }, { item: { name: 'Lamp' } }]
  await owner.query(
    `insert into destination_items (run_id, component, destination_id, body)
     select md5('run')::uuid, 'products', n, body from jsonb_array_elements($1) with ordinality items (body, n)`,
    [JSON.stringify(listed)],
  )
  const columns = `organisation_id, source_store_id, destination_store_id, scope, component, source_id, destination_id, origin,
    many_to_one, owed, draft_checksum, destination_checksum, run_id, created_at, updated_at, extra_children, name, sku`
  const all = async (from: string) =>
    (await owner.query(`select ${columns} from ${from} order by 1, 2, 3, 4, 5, 6`)).rows
  const before = await all('mappings')
  expect(before).toHaveLength(72)
  await migrate(earlier.url)
  const shortened = before.map((row) => ({ ...row, draft_checksum: row.draft_checksum.slice(0, -21) }))
  expect(await all('mappings_of_pairs')).toEqual(shortened)
  const bodies = (await owner.query('select body from destination_items order by destination_id')).rows
  expect(bodies).toEqual([{ body: { ...listed[0], checksum: 'a'.repeat(22) } }, { body: listed[1] }])
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
