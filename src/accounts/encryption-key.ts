import { randomBytes } from 'node:crypto'
import { access, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { findEncryptionCheck, insertEncryptionCheck } from '../db/encryption-check.ts'
import { type Keyring, keyCheckValue, matchesKeyCheckValue, parseMasterKey } from './encryption.ts'

export interface EncryptionKeyPlace {
  /** STOREFERRY_KEY. */
  given: string | undefined
  /** Whether DATABASE_URL names the database: its key is never made here. */
  databaseGiven: boolean
  dataDirectory: string
  /** Where the embedded PostgreSQL lies or will lie. */
  databaseDirectory: string
}

const fileName = 'encryption.key'

/**
 * The master key: the given one, the one kept in the data directory, or a new one when the embedded database is about to be made
 * (S8). Call it before the database is started, so that "about to be made" can be seen.
 *
 * @throws with one line that says what to do, when there is a database already and no key.
 */
export async function ensureEncryptionKey(place: EncryptionKeyPlace): Promise<Buffer> {
  if (place.given !== undefined) return parseMasterKey(place.given)
  if (place.databaseGiven) {
    throw new Error(
      'STOREFERRY_KEY is missing: with DATABASE_URL the encryption key must be given, the same for every host.',
    )
  }
  const file = join(place.dataDirectory, fileName)
  if (await exists(file)) return parseMasterKey(await readFile(file, 'utf8'))
  if (await holdsDatabase(place.databaseDirectory)) {
    throw new Error(
      `${file} is missing, and the database was written with that key: restore the file or set STOREFERRY_KEY.`,
    )
  }
  return createKey(place.dataDirectory, file)
}

/** Written whole beside it and then linked: a second process that starts at the same moment reads the winner's key, never half. */
async function createKey(directory: string, file: string): Promise<Buffer> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unfinished = join(directory, `${fileName}.${randomBytes(6).toString('hex')}`)
  await writeFile(unfinished, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(unfinished)
  }
  return parseMasterKey(await readFile(file, 'utf8'))
}

/** The supervisor of the embedded PostgreSQL leaves one of these from its first start on. */
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
 * Whether this is the key the database was written with; the first start on an empty database records it.
 *
 * @throws with one line: nothing may be read or written with another key.
 */
export async function verifyEncryptionKey(database: Database, keyring: Keyring): Promise<void> {
  await insertEncryptionCheck(database, { keyId: keyring.keyId, value: keyCheckValue(keyring) })
  const check = await findEncryptionCheck(database)
  if (check && matchesKeyCheckValue(keyring, check.value)) return
  throw new Error(
    `STOREFERRY_KEY is not the key this database was written with (its id is ${check?.keyId}, the given one's ${keyring.keyId}).`,
  )
}
