import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

/** A store that has installed the app. A table constraint guarantees that it is either claimed or claimable. */
export type InstallationRow = Tables['app_installations']

/** An installation that no organisation has claimed. */
export type UnclaimedInstallation = Columns<'app_installations', 'hash' | 'installedAt'> & {
  tokenEncrypted: Buffer
  claimHash: Buffer
  claimUntil: Date
}

export type ClaimedInstallation = Columns<'app_installations', 'hash' | 'installedAt'> & {
  organisationId: string
  storeId: string
}

const columns = sql`hash, installed_at as "installedAt", token_encrypted as "tokenEncrypted", claim_hash as "claimHash",
  claim_until as "claimUntil", organisation_id as "organisationId", store_id as "storeId"`

/** Makes everything that changes the installation of a store wait for each other, until the transaction ends. */
export async function lockInstallation(tx: InTransaction, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`app installation of ${hash}`}, 0))`.execute(tx)
}

export async function findInstallation(
  database: Database | InTransaction,
  hash: string,
): Promise<InstallationRow | undefined> {
  const { rows } = await sql<InstallationRow>`
    select ${columns} from app_installations where hash = ${hash}`.execute(database)
  return rows[0]
}

/** The installation that a link is for, while it can be claimed. */
export async function findUnclaimed(
  database: Database | InTransaction,
  { claimHash, at }: { claimHash: Buffer; at: Date },
): Promise<UnclaimedInstallation | undefined> {
  const { rows } = await sql<UnclaimedInstallation>`
    select ${columns} from app_installations where claim_hash = ${claimHash} and claim_until > ${at}`.execute(database)
  return rows[0]
}

/** Replaces an earlier installation of the store. */
export async function saveUnclaimed(tx: InTransaction, installation: UnclaimedInstallation): Promise<void> {
  const { hash, installedAt, tokenEncrypted, claimHash, claimUntil } = installation
  await sql`
    insert into app_installations (hash, installed_at, token_encrypted, claim_hash, claim_until)
    values (${hash}, ${installedAt}, ${tokenEncrypted}, ${claimHash}, ${claimUntil})
    on conflict (hash) do update set installed_at = excluded.installed_at, token_encrypted = excluded.token_encrypted,
      claim_hash = excluded.claim_hash, claim_until = excluded.claim_until, organisation_id = null, store_id = null`.execute(
    tx,
  )
}

/** Call after `saveStore`, which ends what was known about the origin of the store's token. */
export async function saveClaimed(tx: InTransaction, installation: ClaimedInstallation): Promise<void> {
  const { hash, installedAt, organisationId, storeId } = installation
  await sql`
    insert into app_installations (hash, installed_at, organisation_id, store_id)
    values (${hash}, ${installedAt}, ${organisationId}, ${storeId})
    on conflict (hash) do update set installed_at = excluded.installed_at, token_encrypted = null, claim_hash = null,
      claim_until = null, organisation_id = excluded.organisation_id, store_id = excluded.store_id`.execute(tx)
}

/** A new link in place of the one before; the time to use it stays the same. */
export async function saveClaimHash(tx: InTransaction, hash: string, claimHash: Buffer): Promise<void> {
  await sql`update app_installations set claim_hash = ${claimHash} where hash = ${hash}`.execute(tx)
}

export async function deleteInstallation(tx: InTransaction, hash: string): Promise<void> {
  await sql`delete from app_installations where hash = ${hash}`.execute(tx)
}

/** Deletes the tokens of stores that no one claimed in time. */
export async function deleteExpiredInstallations(database: Database, at: Date): Promise<void> {
  await sql`delete from app_installations where claim_until <= ${at}`.execute(database)
}

/** What the token of an unclaimed installation is bound to when encrypted (S8). */
export function installationTokenContext(hash: string) {
  return { table: 'app_installations', column: 'token_encrypted', row: hash, organisation: null }
}
