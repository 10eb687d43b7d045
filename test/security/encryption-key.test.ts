import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyIdOf } from '../../src/accounts/encryption.ts'
import { ensureEncryptionKey, keptEncryptionKeys, openKeyring } from '../../src/accounts/encryption-key.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { createDatabase } from '../harness/postgres.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storeferry-key-'))
})
afterEach(() => rm(directory, { recursive: true }))

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const created = await createDatabase()
  drop = created.drop
  database = openDatabase(created.url)
})
afterAll(async () => {
  await database?.destroy()
  await drop?.()
})

function location(changes: { given?: string; databaseGiven?: boolean } = {}) {
  const data = join(directory, 'data')
  return { given: undefined, databaseGiven: false, dataDirectory: data, databaseDirectory: data, ...changes }
}

test('S8: a new data directory gets a key that only its owner can read, and keeps it', async () => {
  const key = await ensureEncryptionKey(location())
  expect(key).toHaveLength(32)
  expect((await stat(join(directory, 'data/encryption.key'))).mode & 0o777).toBe(0o600)
  expect(await ensureEncryptionKey(location())).toEqual(key)
})

test('S8: processes that start at the same moment read one key and leave one file', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => ensureEncryptionKey(location())))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await readdir(join(directory, 'data'))).toEqual(['encryption.key'])
})

test.each([0o640, 0o604, 0o660, 0o601])('S8: a key file of mode %o stops the start with the remedy', async (mode) => {
  await ensureEncryptionKey(location())
  const { dataDirectory } = location()
  const file = join(dataDirectory, 'encryption.key')
  await chmod(file, mode)
  const remedy = new RegExp(
    `^Other users of this machine may read ${file} \\(mode ${mode.toString(8)}\\): run "chmod 600[^\n]*$`,
  )
  await expect(ensureEncryptionKey(location())).rejects.toThrow(remedy)
  await expect(keptEncryptionKeys(dataDirectory)).rejects.toThrow(remedy)
  await chmod(file, 0o400)
  expect(await keptEncryptionKeys(dataDirectory)).toEqual([await ensureEncryptionKey(location())])
})

test('S8: a given key is used and leaves no file', async () => {
  const given = Buffer.alloc(32, 9)
  expect(await ensureEncryptionKey(location({ given: given.toString('base64') }))).toEqual(given)
  expect(await readdir(directory)).toEqual([])
})

test('S8: with an external database a missing key stops the start, and none is created', async () => {
  await expect(ensureEncryptionKey(location({ databaseGiven: true }))).rejects.toThrow(
    /^STOREFERRY_KEY is missing[^\n]*$/,
  )
  expect(await readdir(directory)).toEqual([])
})

test.each([
  'password',
  'location',
  'cluster',
])('S8: beside a database (%s) a missing key stops the start', async (name) => {
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data', name), '')
  await expect(ensureEncryptionKey(location())).rejects.toThrow(/encryption\.key is missing[^\n]*restore[^\n]*$/)
  expect(await readdir(join(directory, 'data'))).toEqual([name])
})

test('S8: the first start records the key, and any other key stops the start with one line', async () => {
  const [right, wrong] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  await openKeyring(database, [right])
  await openKeyring(database, [right])
  await expect(openKeyring(database, [wrong])).rejects.toThrow(/^STOREFERRY_KEY is not the key[^\n]*$/)
  const { rows } = await sql<{ keyId: string }>`select key_id as "keyId" from encryption_check`.execute(database)
  expect(rows).toEqual([{ keyId: keyIdOf({ masterKey: right }) }])
})
