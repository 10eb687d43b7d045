import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

export interface StoreRow {
  /** Our own id: the same shop in another organisation has another one (S2). */
  id: string
  organisationId: string
  platform: 'BC'
  hash: string
  label: string
  tokenEncrypted: Buffer
  platformClientId: string | null
  connectedAt: Date
}

const columns = sql`id, organisation_id as "organisationId", platform, hash, label, token_encrypted as "tokenEncrypted",
  platform_client_id as "platformClientId", connected_at as "connectedAt"`

export async function listStores(database: Database, organisationId: string): Promise<StoreRow[]> {
  const { rows } = await sql<StoreRow>`
    select ${columns} from stores where organisation_id = ${organisationId} order by label, hash`.execute(database)
  return rows
}

export async function findStore(
  database: Database | InTransaction,
  organisationId: string,
  hash: string,
): Promise<StoreRow | undefined> {
  const { rows } = await sql<StoreRow>`
    select ${columns} from stores where organisation_id = ${organisationId} and hash = ${hash}`.execute(database)
  return rows[0]
}

/**
 * Connects a shop, or gives a connected one its new token and label.
 * The caller has taken `id` from `findStore` when the shop was connected before: the token is encrypted for that row.
 */
export async function saveStore(
  database: InTransaction,
  store: Pick<StoreRow, 'id' | 'organisationId' | 'hash' | 'label' | 'tokenEncrypted'>,
): Promise<void> {
  await sql`
    insert into stores (id, organisation_id, hash, label, token_encrypted)
    values (${store.id}, ${store.organisationId}, ${store.hash}, ${store.label}, ${store.tokenEncrypted})
    on conflict (id) do update set label = excluded.label, token_encrypted = excluded.token_encrypted`.execute(database)
}

/** What a store's token is encrypted for: this row of this organisation and no other (S8). */
export function storeTokenContext(store: Pick<StoreRow, 'id' | 'organisationId'>) {
  return { table: 'stores', column: 'token_encrypted', row: store.id, organisation: store.organisationId }
}
