import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareRunRole, runTables } from '../../src/db/core/run-role.ts'
import { createDatabase } from '../harness/postgres.ts'

const password = 'a password/with %characters'
let database: Awaited<ReturnType<typeof createDatabase>>
let runUrl: string
let run: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  runUrl = await prepareRunRole(database.url, password)
  run = new pg.Client({ connectionString: runUrl })
  await run.connect()
})

afterAll(async () => {
  await run?.end()
  await database?.drop()
  await asOwner(database.url.replace(/\/[^/]*$/, '/postgres'), `drop role if exists ${databaseName()}_run`)
})

async function asOwner(url: string, statement: string): Promise<pg.QueryResult> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    return await owner.query(statement)
  } finally {
    await owner.end()
  }
}

function databaseName(): string {
  return new URL(database.url).pathname.slice(1)
}

test('S20: the run role may read and write the tables of runs; beside them it may only read organisations as a whole, and mappings with their pairs', async () => {
  const granted = await asOwner(
    database.url,
    `select table_name as name, string_agg(privilege_type, ' ' order by privilege_type) as rights
     from information_schema.role_table_grants where grantee = '${databaseName()}_run' group by table_name`,
  )
  const expected = runTables.map((name) => ({ name, rights: 'DELETE INSERT SELECT UPDATE' }))
  const sorted = (rows: { name: string; rights: string }[]) => rows.toSorted((a, b) => a.name.localeCompare(b.name))
  const readOnly = ['organisations', 'mappings_of_pairs'].map((name) => ({ name, rights: 'SELECT' }))
  expect(sorted(granted.rows)).toEqual(sorted([...expected, ...readOnly]))
})

test('S20: every table is granted to the run role or withheld by name', async () => {
  const withheld = [
    'app_installations',
    'organisations',
    'users',
    'memberships',
    'api_credentials',
    'stores',
    'signing_keys',
    'sessions',
    'bearer_tokens',
    'sign_offs',
    'one_time_links',
    'recovery_codes',
    'second_steps',
    'invitations',
    'webhooks',
    'webhook_secrets',
    'notification_mails',
    'notification_deliveries',
    'notification_tries',
  ]
  const ofTheService = [
    'encryption_check',
    'audit',
    'login_failures',
    'idempotency_keys',
    'schema_migrations',
    'surveys',
  ]
  const ofHosts = ['worker_hosts', 'admissions']
  const ofAssistants = ['oauth_records', 'oauth_connections', 'oauth_registrations']
  const all = await asOwner(database.url, "select tablename as name from pg_tables where schemaname = 'public'")
  expect(all.rows.map(({ name }) => name).sort()).toEqual(
    [...runTables, ...withheld, ...ofTheService, ...ofHosts, ...ofAssistants].sort(),
  )
})

test.each([
  'select * from users',
  'select * from memberships',
  'select * from api_credentials',
  'select * from signing_keys',
  'select * from encryption_check',
  'select * from audit',
  'select * from login_failures',
  'select * from idempotency_keys',
  'select * from oauth_records',
  'select * from oauth_connections',
  'select token_encrypted from stores',
  'select * from stores',
  "update stores set label = 'x'",
  "update organisations set name = 'x'",
  'insert into schema_migrations (name) values (1)',
  'create table planted ()',
  'create role planted',
  'set role pg_read_all_data',
])('S20: the run role may not: %s', async (statement) => {
  await expect(run.query(statement)).rejects.toThrow('permission denied')
})

test('S20: the run role may not read other schemas, such as the queue’s', async () => {
  await asOwner(database.url, 'create schema queue; create table queue.job (id integer)')
  await expect(run.query('select * from queue.job')).rejects.toThrow('permission denied for schema queue')
})

test('S20: the run role may read hash, label and platform client id of stores', async () => {
  await expect(run.query('select hash, label, platform_client_id from stores')).resolves.toMatchObject({ rows: [] })
})

test('S20: the password is stored as a verifier, and every host gets the same connection string', async () => {
  expect(await prepareRunRole(database.url, password)).toBe(runUrl)
  const kept = await asOwner(database.url, `select rolpassword from pg_authid where rolname = '${databaseName()}_run'`)
  expect(kept.rows[0].rolpassword).toMatch(/^SCRAM-SHA-256\$/)
})

test('S20: children connect as the run role, too, where user and password are query parameters', async () => {
  const { hostname, port, pathname, username, password: secret } = new URL(database.url)
  const [user, own] = [username, secret].map(decodeURIComponent)
  const given = `user=${user}&password=${encodeURIComponent(own ?? '')}`
  const socket = `host=${hostname}&port=${port || '5432'}`
  for (const url of [
    `postgres://${hostname}:${port}${pathname}?${given}`,
    `postgres://${pathname}?${socket}&${given}`,
  ]) {
    const { rows } = await asOwner(await prepareRunRole(url, password), 'select current_user as name')
    expect(rows).toEqual([{ name: `${databaseName()}_run` }])
  }
})

test('S20: another password does not open the run role', async () => {
  const url = new URL(runUrl)
  url.password = 'another'
  await expect(asOwner(url.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('hosts that start together get the same role', async () => {
  const urls = await Promise.all([1, 2, 3].map(() => prepareRunRole(database.url, password)))
  expect(new Set(urls)).toEqual(new Set([runUrl]))
})

test('a database user who may not create roles gets an error with the remedy', async () => {
  const limited = `${databaseName()}_limited`
  await asOwner(database.url, `create role ${limited} login password 'x'`)
  const url = new URL(database.url)
  url.username = limited
  url.password = 'x'
  await expect(prepareRunRole(url.href, password)).rejects.toThrow(/CREATEROLE/)
  await asOwner(database.url, `drop role ${limited}`)
})
