import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'

// Locks between processes of one machine. The kernel keeps them (through SQLite), so a killed holder leaves none
// behind.

/** How long another process may take to start, including a first start on a slow disk. */
const lockPatienceMs = 60_000

async function openLock(path: string): Promise<DatabaseSync> {
  await (await open(path, 'a', 0o600)).close()
  return new DatabaseSync(path)
}

/** Runs `work` while no other process starts or stops this server. */
export async function holding<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const lock = await openLock(path)
  const deadline = clock.monotonicMs() + lockPatienceMs
  try {
    while (!tryExclusive(lock)) {
      if (clock.monotonicMs() > deadline)
        throw new Error(`Another process has been starting PostgreSQL for a minute (${path}).`)
      await clock.sleep(50)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryExclusive(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false
    throw error
  }
}

/** Source: SQLite result codes, SQLITE_BUSY. */
const sqliteBusy = 5

/** Every process that uses the server holds this lock, so that the first to stop does not take it from the others. */
export async function holdShared(path: string): Promise<DatabaseSync> {
  const lock = await openLock(path)
  lock.exec('begin; select count(*) from sqlite_master')
  return lock
}

/** @returns true if no other process holds it. */
export function releasedByAll(use: DatabaseSync): boolean {
  use.exec('commit')
  const alone = tryExclusive(use)
  use.close()
  return alone
}

/** Whether another process holds it. Call it under `start.lock`, because it briefly releases our own hold. */
export function heldByOthers(use: DatabaseSync): boolean {
  use.exec('commit')
  const alone = tryExclusive(use)
  if (alone) use.exec('commit')
  use.exec('begin; select count(*) from sqlite_master')
  return !alone
}
