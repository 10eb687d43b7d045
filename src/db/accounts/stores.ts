import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** A connected store. A table constraint guarantees its token. */
export type StoreRow = Columns<
  'stores',
  | 'id'
  | 'organisationId'
  | 'platform'
  | 'hash'
  | 'label'
  | 'platformClientId'
  | 'connectedAt'
  | 'accessState'
  | 'accessCheckedAt'
  | 'accessLatencyMs'
> & { tokenEncrypted: Buffer }

const columns = sql`id, organisation_id as "organisationId", platform, hash, label, token_encrypted as "tokenEncrypted",
  platform_client_id as "platformClientId", connected_at as "connectedAt",
  access_state as "accessState", access_checked_at as "accessCheckedAt", access_latency_ms as "accessLatencyMs"`

export async function listStores(database: Database, organisationId: string): Promise<StoreRow[]> {
  const { rows } = await sql<StoreRow>`
    select ${columns} from stores where organisation_id = ${organisationId} and disconnected_at is null
    order by label, hash`.execute(database)
  return rows
}

export async function findStore(
  database: Database | InTransaction,
  organisationId: string,
  hash: string,
): Promise<StoreRow | undefined> {
  const { rows } = await sql<StoreRow>`
    select ${columns} from stores
    where organisation_id = ${organisationId} and hash = ${hash} and disconnected_at is null`.execute(database)
  return rows[0]
}

/** Those of these shops that are or were connected. */
export async function knownHashes(database: Database, organisationId: string, hashes: string[]): Promise<string[]> {
  const { rows } = await sql<Columns<'stores', 'hash'>>`
    select hash from stores where organisation_id = ${organisationId} and hash = any(${hashes})`.execute(database)
  return rows.map(({ hash }) => hash)
}

/**
 * The row of a shop, connected or not, locked until the transaction ends. What refers to it can be saved meanwhile: a
 * run in progress does so while it holds its own row, which an uninstallation waits for.
 */
export async function lockStore(
  database: InTransaction,
  organisationId: string,
  hash: string,
): Promise<(Columns<'stores', 'id' | 'label'> & { connected: boolean }) | undefined> {
  const { rows } = await sql<Columns<'stores', 'id' | 'label'> & { connected: boolean }>`
    select id, label, disconnected_at is null as connected from stores
    where organisation_id = ${organisationId} and hash = ${hash} for no key update`.execute(database)
  return rows[0]
}

/** Keeps these stores connected until the transaction ends. @returns the hashes of those that are not, or not for long. */
export async function holdConnected(database: InTransaction, organisationId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<Columns<'stores', 'hash'> & { connected: boolean }>`
    select hash, disconnected_at is null and uninstalled_at is null as connected from stores
    where organisation_id = ${organisationId} and id = any(${ids}::uuid[]) order by id for share`.execute(database)
  return rows.filter(({ connected }) => !connected).map(({ hash }) => hash)
}

export async function saveStoreLabel(
  database: InTransaction,
  store: { id: string; organisationId: string; label: string },
) {
  await sql`
    update stores set label = ${store.label}
    where organisation_id = ${store.organisationId} and id = ${store.id}`.execute(database)
}

/** Deletes the token and keeps the row for the history. If the token came from the app, its installation ends, too. */
export async function disconnectStore(
  database: InTransaction,
  store: { id: string; organisationId: string; at: Date },
): Promise<void> {
  await sql`
    with ended as (${installationOf(store)})
    update stores set token_encrypted = null, disconnected_at = ${store.at}, uninstalled_at = null
    where organisation_id = ${store.organisationId} and id = ${store.id}`.execute(database)
}

/** Side effects of one kind that a run left at a store. */
export type LeftAtStore = Columns<'side_effects', 'kind'> & { count: number; subjects: string[] }

/** What still needs a store's token: unfinished runs, and what earlier runs left to do or to put back there. */
export async function whatNeedsStore(
  database: InTransaction,
  { id, organisationId }: { id: string; organisationId: string },
): Promise<{ runs: string[]; left: LeftAtStore[] }> {
  const runs = await sql<Columns<'runs', 'id'>>`
    select id from runs where organisation_id = ${organisationId} and status in ('queued', 'in_progress', 'paused')
      and ${id} in (source_store_id, destination_store_id) order by created_at`.execute(database)
  const left = await sql<LeftAtStore>`
    select kind, count(*) as count, array_agg(subject order by subject) as subjects from side_effects
    where organisation_id = ${organisationId} and ${id} in (source_store_id, destination_store_id)
    group by kind order by kind`.execute(database)
  return { runs: runs.rows.map((run) => run.id), left: left.rows }
}

/** Deletes the installation through which a store was connected. The app may still be installed there. */
function installationOf({ id, organisationId }: Pick<StoreRow, 'id' | 'organisationId'>) {
  return sql`delete from app_installations where organisation_id = ${organisationId} and store_id = ${id}`
}

/**
 * Connects a shop, or saves a new token and label. If the shop was connected before, take `id` from `lockStore`,
 * because the token is encrypted for that row. The token counts as given by a person until `saveClaimed` says
 * otherwise.
 */
export async function saveStore(
  database: InTransaction,
  store: Pick<StoreRow, 'id' | 'organisationId' | 'hash' | 'label' | 'tokenEncrypted'>,
): Promise<void> {
  await sql`
    with ended as (${installationOf(store)})
    insert into stores (id, organisation_id, hash, label, token_encrypted)
    values (${store.id}, ${store.organisationId}, ${store.hash}, ${store.label}, ${store.tokenEncrypted})
    on conflict (id) do update set label = excluded.label, token_encrypted = excluded.token_encrypted,
      disconnected_at = null, uninstalled_at = null`.execute(database)
}

/** Records that the app was uninstalled from a store that migrations in progress still need. */
export async function saveUninstalled(
  database: InTransaction,
  { id, organisationId, at }: Pick<StoreRow, 'id' | 'organisationId'> & { at: Date },
): Promise<void> {
  await sql`
    update stores set uninstalled_at = ${at} where organisation_id = ${organisationId} and id = ${id}`.execute(database)
}

/** Connected stores of all organisations from which the app was uninstalled. */
export async function listUninstalled(database: Database): Promise<Pick<StoreRow, 'id' | 'organisationId' | 'hash'>[]> {
  const { rows } = await sql<Pick<StoreRow, 'id' | 'organisationId' | 'hash'>>`
    select id, organisation_id as "organisationId", hash from stores where uninstalled_at is not null order by id`.execute(
    database,
  )
  return rows
}

/** Whether the store is still to be disconnected, locked until the transaction ends. */
export async function lockUninstalled(
  database: InTransaction,
  { id, organisationId }: Pick<StoreRow, 'id' | 'organisationId'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from stores where organisation_id = ${organisationId} and id = ${id} and uninstalled_at is not null
    for no key update`.execute(database)
  return rows.length > 0
}

/** Saves the result of an access check. */
export async function saveAccess(
  database: Database | InTransaction,
  store: Pick<StoreRow, 'id' | 'organisationId'> & {
    state: NonNullable<StoreRow['accessState']>
    checkedAt: Date
    latencyMs: number | null
  },
): Promise<void> {
  await sql`
    update stores set access_state = ${store.state}, access_checked_at = ${store.checkedAt},
      access_latency_ms = ${store.latencyMs}
    where organisation_id = ${store.organisationId} and id = ${store.id}`.execute(database)
}

/** What a store's token is bound to when encrypted: it decrypts only for this row and organisation (S8). */
export function storeTokenContext(store: Pick<StoreRow, 'id' | 'organisationId'>) {
  return { table: 'stores', column: 'token_encrypted', row: store.id, organisation: store.organisationId }
}
