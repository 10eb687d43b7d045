import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

/** How long a claim is valid without renewal; after that, a dead consumer's part of the window is free. */
const claimSeconds = 10

/** Renews this consumer's claims on the shops it calls. @returns how many consumers each shop now has (E4). */
export async function renewShares(
  database: Database,
  hashes: string[],
  consumer: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<Columns<'quota_shares', 'storeHash'> & { claims: number }>`
    with gone as (delete from quota_shares where expires_at < now() - interval '1 minute'),
    mine as (
      insert into quota_shares (platform, store_hash, consumer, expires_at)
      select 'BC', hash, ${consumer}, now() + make_interval(secs => ${claimSeconds}) from unnest(${hashes}::text[]) as hash
      on conflict (platform, store_hash, consumer) do update set expires_at = excluded.expires_at
      returning store_hash)
    select m.store_hash as "storeHash", 1 + (
      select count(*) from quota_shares as q
      where q.platform = 'BC' and q.store_hash = m.store_hash and q.consumer <> ${consumer} and q.expires_at > now()) as claims
    from mine as m`.execute(database)
  return new Map(rows.map((row) => [row.storeHash, row.claims]))
}

export async function dropShares(database: Database, consumer: string): Promise<void> {
  await sql`delete from quota_shares where consumer = ${consumer}`.execute(database)
}

/** Gives up the claims on these shops only. */
export async function leaveShops(database: Database, hashes: string[], consumer: string): Promise<void> {
  await sql`delete from quota_shares where consumer = ${consumer} and store_hash = any(${hashes}::text[])`.execute(
    database,
  )
}

/** Records for how many milliseconds the windows of these shops are used up, for consumers about to begin. Skips 0. */
export async function reportUsedUp(database: Database, windows: Map<string, number>): Promise<void> {
  const used = [...windows].flatMap(([hash, ms]) => (ms > 0 ? [{ hash, ms }] : []))
  if (used.length === 0) return
  await sql`
    insert into used_up_windows (platform, store_hash, ends_at)
    select 'BC', w.hash, now() + make_interval(secs => w.ms / 1000)
    from jsonb_to_recordset(${JSON.stringify(used)}::jsonb) as w(hash text, ms float8)
    on conflict (platform, store_hash) do update set ends_at = excluded.ends_at`.execute(database)
}

/** For how many more milliseconds the windows of these shops are known to be used up; other shops are absent. */
export async function usedUpMs(database: Database, hashes: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<Renamed<'used_up_windows', { hash: 'storeHash' }> & { ms: number }>`
    select store_hash as hash, (extract(epoch from ends_at - now()) * 1000)::float8 as ms from used_up_windows
    where platform = 'BC' and store_hash = any(${hashes}::text[]) and ends_at > now()`.execute(database)
  return new Map(rows.map(({ hash, ms }) => [hash, ms]))
}
