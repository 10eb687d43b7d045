import { randomBytes } from 'node:crypto'
import { access, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/core/database.ts'
import { type EncryptionCheckRow, findEncryptionCheck, insertEncryptionCheck } from '../db/core/encryption-check.ts'
import { countSealed } from '../db/core/sealed-columns.ts'
import {
  createKeyring,
  type Keyring,
  keyCheckValue,
  keyIdOf,
  matchesKeyCheckValue,
  parseMasterKey,
} from './encryption.ts'

export interface EncryptionKeyLocation {
  /** STOREFERRY_KEY. */
  given: string | undefined
  /** Whether DATABASE_URL is set. If so, no key is generated. */
  databaseGiven: boolean
  dataDirectory: string
  /** Directory of the embedded PostgreSQL, which may not exist yet. */
  databaseDirectory: string
}

const fileName = 'encryption.key'

/** Where the key of an embedded database is, unless it is given. */
export function keyFileIn(dataDirectory: string): string {
  return join(dataDirectory, fileName)
}

/** The new key of an unfinished rotation. The database may be written with either of the two keys. */
const nextFileName = 'encryption.key.next'

/**
 * The master key: the configured one, the one in the data directory, or a new one for a new embedded database (S8).
 * Call before the database is started, while it can still be seen that the database is new.
 *
 * @throws with a one-line remedy if there is a database but no key
 */
export async function ensureEncryptionKey(location: EncryptionKeyLocation): Promise<Buffer> {
  if (location.given !== undefined) return parseMasterKey(location.given)
  if (location.databaseGiven) {
    throw new Error(
      'STOREFERRY_KEY is missing: with DATABASE_URL the encryption key must be given, the same for every host.',
    )
  }
  const file = keyFileIn(location.dataDirectory)
  if (await exists(file)) return readKey(file)
  if (await holdsDatabase(location.databaseDirectory)) {
    throw new Error(
      `${file} is missing, and the database was written with that key: restore the file or set STOREFERRY_KEY.`,
    )
  }
  return createKey(location.dataDirectory, fileName)
}

/**
 * The keys in the data directory, which are two during a rotation. Call while using the database: a rotation of the
 * embedded database only starts when no other process uses it, so no process can miss the new key.
 */
export async function keptEncryptionKeys(dataDirectory: string): Promise<Buffer[]> {
  const kept: Buffer[] = []
  // In this order, because otherwise a rotation that finishes in between would hide the new key.
  for (const name of [nextFileName, fileName]) {
    const file = join(dataDirectory, name)
    const key = await readKey(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (key !== undefined) kept.push(key)
  }
  return kept
}

/**
 * The next key: the one that an unfinished rotation left behind, or a new one. It is synced to disk before it is used.
 */
export function ensureNextKey(dataDirectory: string): Promise<Buffer> {
  return createKey(dataDirectory, nextFileName)
}

/** Replaces the current key with the next one. Call once no value needs the old key. */
export async function keepNextKey(dataDirectory: string): Promise<void> {
  await rename(join(dataDirectory, nextFileName), join(dataDirectory, fileName))
  await flushDirectory(dataDirectory)
}

/**
 * Written to a temporary file and then linked, so that two processes that start at the same time read the same complete
 * key.
 */
async function createKey(directory: string, name: string): Promise<Buffer> {
  const file = join(directory, name)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unfinished = join(directory, `${name}.${randomBytes(6).toString('hex')}`)
  await writeFile(unfinished, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(unfinished)
  }
  await flushDirectory(directory)
  return readKey(file)
}

/** @throws with one line if other users can read the file. Windows has no such permission bits. */
async function readKey(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { mode } = await handle.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Error(
        `Other users of this machine may read ${file} (mode ${(mode & 0o777).toString(8)}): run "chmod 600 ${file}". If one of them may have read it, rotate the key with "storeferry admin rotate-key" afterwards.`,
      )
    // A new key would not open the database.
    const remedy = 'the file is damaged: restore it from your copy of it'
    return parseMasterKey(await handle.readFile('utf8'), file, remedy)
  } finally {
    await handle.close()
  }
}

/** A new file name survives a power cut only once its directory is synced. Windows needs no sync and cannot open directories. */
async function flushDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

/** Whether the embedded PostgreSQL has been started here: it creates these files. */
async function holdsDatabase(directory: string): Promise<boolean> {
  for (const name of ['password', 'location', 'cluster']) if (await exists(join(directory, name))) return true
  return false
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

/**
 * The keyring of a database. The first start with an empty database records its key.
 *
 * @param masterKeys the first one encrypts in a new database
 * @param keyFile where it is from, if it is not STOREFERRY_KEY
 * @throws with one line if a key is missing with which the database is written or that values still need, because
 * nothing may be read or written with another key
 */
export async function openKeyring(
  database: Database,
  masterKeys: [Buffer, ...Buffer[]],
  keyFile?: string,
): Promise<Keyring> {
  const [first] = masterKeys
  await insertEncryptionCheck(database, { keyId: keyIdOf({ masterKey: first }), value: keyCheckValue(first) })
  const root = openRoot(await findEncryptionCheck(database), masterKeys, keyFile)
  const given = new Set(masterKeys.map((masterKey) => keyIdOf({ masterKey })))
  for (const { table, keyId, count } of await countSealed(database))
    if (!given.has(keyId))
      throw new Error(
        `${count} values of the table ${table} are still encrypted with the key ${keyId}: give it in STOREFERRY_OLD_KEYS, and finish with "storeferry admin rotate-key".`,
      )
  return createKeyring(
    masterKeys.map((masterKey) => ({ masterKey })),
    root,
  )
}

/**
 * The root for all purposes except encryption: the first master key that the database had, even after rotations.
 *
 * @throws with one line if the key with which the database is written was not given
 */
export function openRoot(
  check: EncryptionCheckRow | undefined,
  masterKeys: [Buffer, ...Buffer[]],
  keyFile?: string,
): Buffer {
  const named = masterKeys.find((masterKey) => check && matchesKeyCheckValue(masterKey, check.value))
  if (!check || !named) {
    const ids = `(its id is ${check?.keyId}, the given one's ${keyIdOf({ masterKey: masterKeys[0] })})`
    throw new Error(
      keyFile === undefined
        ? `STOREFERRY_KEY is not the key this database was written with ${ids}. To rotate, give the database's key in STOREFERRY_OLD_KEYS too.`
        : `${keyFile} is not the key this database was written with ${ids}: restore the file from your copy of it.`,
    )
  }
  if (check.rootSealed === null) return named
  return createKeyring([{ masterKey: named }], named).decrypt(check.rootSealed, rootContext)
}

export const rootContext = { table: 'encryption_check', column: 'root_sealed', row: 'true', organisation: null }
