import { ensureNextKey, keepNextKey, openKeyring } from './accounts/encryption-key.ts'
import { type KeyRotation, rotateMasterKey } from './accounts/rotate-master-key.ts'
import { type Administration, administrationOf, noAdministrator } from './administration.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { type Restored, restoreBackup } from './db/backup/restore-backup.ts'
import { type BackupWritten, writeBackup } from './db/backup/write-backup.ts'
import type { Database } from './db/core/database.ts'
import {
  constructing,
  type Foundation,
  hostsLookThemselves,
  layFoundation,
  openSearchStore,
  provideDeps,
} from './foundation.ts'
import type { Log } from './log.ts'
import {
  type ErasedOrganisation,
  eraseOrganisation,
  type OrganisationToErase,
} from './operations/administration/erase-organisation.ts'
import { type ErasedShopper, eraseShopper, type ShopperToErase } from './operations/administration/erase-shopper.ts'
import type { Deps } from './operations/shared/operation.ts'
import { cleanIndex } from './search/clean-index.ts'
import { type Reindexed, reindex } from './search/reindex.ts'

/** Administration on the command line, with operations that no running server may do. */
export interface CommandAdministration extends Administration {
  /** Replaces the master key by STOREFERRY_KEY, or by a new key in the data directory (S8). */
  rotateKey(onProgress: (left: { table: string; count: number }) => void): Promise<KeyRotation>
  /** Fills the search index from PostgreSQL again. */
  reindex(options: Parameters<typeof reindex>[1]): Promise<Reindexed>
  /** Writes everything except the master key to a new file (S8). */
  backup(file: string, options: { version: string; signal: AbortSignal }): Promise<BackupWritten>
  /** Fills an empty database from such a file. Sessions and tokens end (S6). */
  restore(file: string): Promise<Restored>
  /** Erases a shopper, or an organisation, if `decide` agrees to what it would do (S9). */
  eraseShopper: Erase<ShopperToErase, ErasedShopper>
  eraseOrganisation: Erase<OrganisationToErase, ErasedOrganisation>
  close(): Promise<void>
}

/** @returns undefined if it was decided not to. */
type Erase<Named, Erased> = (
  named: Named,
  options: { decide: (would: Erased) => Promise<boolean>; signal: AbortSignal },
) => Promise<Erased | undefined>

/** The same database without server or worker: uses the running embedded one, or starts it. */
export function openAdministration(config: Config, log: Log): Promise<CommandAdministration> {
  return constructing(async (parts) => {
    const base = await layFoundation(config, log, parts)
    const deps = provideDeps(base, config, log, hostsLookThemselves, parts)
    return {
      ...administrationOf(deps),
      rotateKey: (onProgress) => rotateKey(base, config, onProgress),
      reindex: (options) => {
        const store = openSearchStore(base, config, parts)
        if (!store) throw new Error('There is no search index.')
        return reindex({ database: base.database, store, clock: systemClock }, options)
      },
      backup: (file, options) => writeBackup(base.database, file, { ...options, at: systemClock.now() }),
      restore: async (file) => {
        const checkKey = (restored: Database) => openKeyring(restored, base.masterKeys, base.keyFile)
        const restored = await restoreBackup(base.database, file, { at: systemClock.now(), checkKey })
        await openSearchStore(base, config, parts)?.clear().catch(notEmptied)
        return restored
      },
      ...erasures(base, deps, config, parts),
      close: () => parts.disposeAsync(),
    }
  })
}

function erasures(
  base: Foundation,
  deps: Deps,
  config: Config,
  parts: AsyncDisposableStack,
): Pick<CommandAdministration, 'eraseShopper' | 'eraseOrganisation'> {
  const { database, ownDatabase } = base
  async function thenClean<Erased extends { runIds: string[] }>(erased: Erased | undefined, signal: AbortSignal) {
    const store = erased && openSearchStore(base, config, parts)
    if (store) await cleanIndex({ database, store, clock: systemClock }, erased.runIds, signal).catch(notCleaned)
    return erased
  }
  const withIndex = { ...deps, hasIndex: ownDatabase !== undefined || config.openSearch !== undefined }
  return {
    eraseShopper: async (named, { decide, signal }) =>
      thenClean(await eraseShopper(deps, noAdministrator, named, decide), signal),
    eraseOrganisation: async (named, { decide, signal }) =>
      thenClean(await eraseOrganisation(withIndex, noAdministrator, named, decide), signal),
  }
}

function notCleaned(cause: unknown): never {
  throw new Error(
    'The database is done, but the search index could not be cleaned: run "storeferry reindex", which finishes it.',
    { cause },
  )
}

function notEmptied(cause: unknown): never {
  throw new Error(
    'The database is restored, but the search index could not be emptied: run "storeferry reindex", which brings it up to date.',
    { cause },
  )
}

async function rotateKey(
  { database, masterKeys, ownDatabase }: Foundation,
  { key, dataDirectory }: Config,
  onProgress: (left: { table: string; count: number }) => void,
): Promise<KeyRotation> {
  const deps = { database, clock: systemClock }
  if (key !== undefined || !ownDatabase) return rotateMasterKey(deps, masterKeys, noAdministrator, onProgress)
  // Before checking for other users of the database: any later one finds the key.
  const next = await ensureNextKey(dataDirectory)
  if (await ownDatabase.usedByOthers())
    throw new Error('The service is running with the old key: stop it, run this command again, then start it.')
  const rotated = await rotateMasterKey(deps, [next, ...masterKeys], noAdministrator, onProgress)
  if (rotated.left.length === 0) await keepNextKey(dataDirectory)
  return rotated
}
