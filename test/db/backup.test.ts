import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openKeyring } from '../../src/accounts/encryption-key.ts'
import { newLinkToken } from '../../src/accounts/one-time-links.ts'
import { recordAudit } from '../../src/db/accounts/audit.ts'
import { insertInvitation } from '../../src/db/accounts/invitations.ts'
import { restoreBackup } from '../../src/db/backup/restore-backup.ts'
import { writeBackup } from '../../src/db/backup/write-backup.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { anEndedRun } from '../search/a-search.ts'

/** Characters that end a line, a field or a value somewhere on the way. */
const awkward = 'Brass "lamp", (no. 1)\\\n\u2028 \u{1F4A1}'
const masterKey = Buffer.alloc(32, 7)
const at = new Date('2027-01-31T12:00:00Z')
const signal = new AbortController().signal

let service: Service
let organisation: Organisation
let directory: string
let file: string
/** What the backup was written of. */
let written: Record<string, string[]>
beforeAll(async () => {
  service = await aService()
  directory = await mkdtemp(join(tmpdir(), 'sf-backup-'))
  file = join(directory, 'storeferry.backup')
  organisation = await anOrganisation(service, { name: 'Reed Lamps', storeToken: 'planted-token' })
  await organisation.token()
  await organisation.cookie()
  await anEndedRun(service, organisation, { name: awkward })
  await invite()
  await newLinkToken(service.deps.database, service.clock, { purpose: 'reset', userId: organisation.userId })
  await writeBackup(service.deps.database, file, { version: '9.9.9', at, signal })
  written = contentOf(await everyRow(service.deps.database))
})
afterAll(async () => {
  await service?.close()
  await rm(directory, { recursive: true, force: true })
})

async function invite(): Promise<void> {
  const email = 'mary@shop.example'
  const person = { id: randomUUID(), firstName: 'Mary', lastName: 'Shelley', email, emailKey: email }
  const link = { tokenHash: Buffer.alloc(32, 1), expiresAt: new Date('2099-01-01') }
  await service.deps.database
    .transaction()
    .execute((tx) => insertInvitation(tx, { ...person, ...link, organisationId: organisation.id, role: 'viewer' }))
}

async function anEmptyDatabase(): Promise<Database> {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.destroy()
    await drop()
  })
  return database
}

function restore(database: Database, { path = file, key = masterKey } = {}) {
  return restoreBackup(database, path, { at, checkKey: (tx) => openKeyring(tx, [key]) })
}

/** Every row of every table, as text. */
async function everyRow(database: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(database)
  const everything: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select each::text as "row" from ${sql.table(name)} as each order by 1`.execute(database)
    everything[name] = rows.map(({ row }) => row)
  }
  return everything
}

/** Tables without the first moment of an applied migration, which is no content. */
const contentOf = ({ schema_migrations: _, ...tables }: Record<string, string[]>) => tables

async function newAudits(database: Database): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit where at = ${at} and actor = 'command line' order by id`.execute(database)
  return rows.map(({ action }) => action)
}

test('S6, S8: a restored database has every row of the backup, but no session, token, link or signing key', async () => {
  const database = await anEmptyDatabase()
  // As after a start, which writes these.
  await openKeyring(database, [masterKey])
  const before = written
  const restored = await restore(database)
  expect(restored).toMatchObject({ backedUpAt: at, paused: 0 })
  expect(await newAudits(database)).toEqual(['database.restore'])
  await sql`delete from audit where action = 'database.restore'`.execute(database)
  const after = contentOf(await everyRow(database))

  const voided = ['sessions', 'bearer_tokens', 'one_time_links', 'signing_keys']
  for (const table of voided) {
    expect(before[table], table).not.toEqual([])
    expect(after[table], table).toEqual([])
  }
  const kept = Object.keys(before).filter((table) => !voided.includes(table) && table !== 'invitations')
  for (const table of kept) expect(after[table], table).toEqual(before[table])
  expect(restored.rows).toBe(kept.flatMap((table) => before[table]).length + 1)
  expect(
    (await sql`select 1 from issues where item ->> 'name' = ${`${awkward} 1`}`.execute(database)).rows,
  ).toHaveLength(1)
})

test('S6: the link of an invitation does not survive a restore, the invitation does', async () => {
  const database = await anEmptyDatabase()
  await restore(database)
  const { rows } = await sql`select email, token_hash as hash, expires_at as until from invitations`.execute(database)
  expect(rows).toEqual([{ email: 'mary@shop.example', hash: null, until: null }])
})

test('a restored database goes on counting, refuses what refers to nothing, and has the same keys', async () => {
  const database = await anEmptyDatabase()
  await restore(database)
  const entry = { organisationId: organisation.id, actorUserId: null, actor: 'visitor', action: 'login', at } as const
  await recordAudit(database, entry)
  await expect(recordAudit(database, { ...entry, organisationId: randomUUID() })).rejects.toThrow(/foreign key/)
  const keys = sql<{ name: string }>`
    select conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) as name from pg_constraint order by 1`
  expect((await keys.execute(database)).rows).toEqual((await keys.execute(service.deps.database)).rows)
})

test('S8: nobody else can read a backup; it holds neither the master key nor a store token in clear; a file is never overwritten', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = (await promisify(gunzip)(await readFile(file))).toString()
  expect(text).toContain('Reed Lamps')
  for (const secret of ['planted-token', masterKey.toString('base64'), masterKey.toString('hex')])
    expect(text.includes(secret), secret).toBe(false)
  const before = await readFile(file)
  await expect(writeBackup(service.deps.database, file, { version: '1', at, signal })).rejects.toThrow(/EEXIST/)
  expect(await readFile(file)).toEqual(before)
})

test('an interrupted backup leaves no file, and one of the same name from before stays', async () => {
  const path = join(directory, 'interrupted.backup')
  const stopped = AbortSignal.abort(new Error('Ctrl-C'))
  const interrupted = () => writeBackup(service.deps.database, path, { version: '1', at, signal: stopped })
  await expect(interrupted()).rejects.toThrow()
  await expect(stat(path)).rejects.toThrow(/ENOENT/)
  await writeFile(path, 'an earlier backup')
  await expect(interrupted()).rejects.toThrow()
  expect(await readFile(path, 'utf8')).toBe('an earlier backup')
})

test('S8: with another master key nothing is restored', async () => {
  const database = await anEmptyDatabase()
  const before = await everyRow(database)
  await expect(restore(database, { key: Buffer.alloc(32, 8) })).rejects.toThrow(
    /^STOREFERRY_KEY is not the key this database was written with/,
  )
  expect(await everyRow(database)).toEqual(before)
})

test('a database that holds anything is not restored into', async () => {
  const database = await anEmptyDatabase()
  await restore(database)
  const before = await everyRow(database)
  await expect(restore(database)).rejects.toThrow(
    /^The database is not empty \(.*\.\.\.\): restore into a new STOREFERRY_DATA, or a new database in DATABASE_URL\.$/,
  )
  expect(await everyRow(database)).toEqual(before)
})

test('a backup of another schema is refused, with the version that can restore it', async () => {
  const older = await anEmptyDatabase()
  await sql`insert into schema_migrations (name) values ('9999_later.sql')`.execute(older)
  await expect(restore(older)).rejects.toThrow(
    /^The backup was written by Storeferry 9\.9\.9, before the schema changed \(9999_later\.sql\): restore it with that version/,
  )
  const newer = await anEmptyDatabase()
  await sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`.execute(newer)
  await expect(restore(newer)).rejects.toThrow(
    /^The backup was written by a newer Storeferry \(9\.9\.9\): restore it with/,
  )
})

test.each<[string, (whole: Buffer) => Buffer | string]>([
  ['was cut off', (whole) => whole.subarray(0, whole.length - 200)],
  [
    'has a changed byte',
    (whole) => Buffer.from(whole.map((byte, index) => (index === whole.length >> 1 ? byte ^ 1 : byte))),
  ],
  ['is empty', () => ''],
  ['is something else', () => 'not a backup'],
])('a file that %s is refused, and nothing is restored', async (_, change) => {
  const database = await anEmptyDatabase()
  const before = await everyRow(database)
  const path = join(directory, 'changed.backup')
  await writeFile(path, change(await readFile(file)))
  await expect(restore(database, { path })).rejects.toThrow(`${path} is damaged or not a backup of Storeferry`)
  expect(await everyRow(database)).toEqual(before)
})

test('D5: runs that were queued or in progress are paused by a restore, on record, and hold no store', async () => {
  await aQueuedRun(service, organisation)
  const running = await aQueuedRun(service, organisation)
  await bringTo(service, organisation.id, running, 'in_progress')
  await sql`
    insert into destination_leases (platform, store_hash, run_id) values ('BC', 'store2', ${running})`.execute(
    service.deps.database,
  )
  const path = join(directory, 'running.backup')
  await writeBackup(service.deps.database, path, { version: '1', at, signal })
  const database = await anEmptyDatabase()
  expect(await restore(database, { path })).toMatchObject({ paused: 2 })
  const { rows } = await sql`select status from runs where status <> 'completed'`.execute(database)
  expect(rows).toEqual([{ status: 'paused' }, { status: 'paused' }])
  expect((await sql`select 1 from destination_leases`.execute(database)).rows).toEqual([])
  expect(await newAudits(database)).toEqual(['migration.pause', 'migration.pause', 'database.restore'])
})

test('a restore that waits for a process which waits for it says that the database is in use', async () => {
  const database = await anEmptyDatabase()
  const other = await database.startTransaction().execute()
  // Tables are locked in the order of their names.
  await sql`set local deadlock_timeout = '1min'`.execute(other)
  await sql`select from webhooks`.execute(other)
  const restoring = restore(database)
  restoring.catch(() => undefined)
  await until('the restore waits for it', async () => {
    const { rows } = await sql`
      select from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(database)
    return rows.length > 0
  })
  await sql`select from api_credentials`.execute(other)
  await other.rollback().execute()
  await expect(restoring).rejects.toThrow('Another process uses the database: stop the service, then run this again.')
})
