import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

/** How long a claim is valid without renewal; after that, a dead consumer's part of the window is free. */
const claimSeconds = 10

/** Calls that ended in each of the last seconds, the latest first. */
export type RecentCalls = number[]

/** What a consumer has of a shop's quota, and what the others do with it. */
export interface Share {
  /** How many consumers the shop has now. */
  claims: number
  /** Calls of the others, of those too that have just given up their claim. */
  others: RecentCalls
}

/** Renews this consumer's claims on the shops it calls, with its own calls to each (E4). */
export async function renewShares(
  database: Database,
  shops: ReadonlyMap<string, RecentCalls>,
  consumer: string,
): Promise<Map<string, Share>> {
  type Row = Columns<'quota_shares', 'storeHash'> & {
    claims: number
    others: [ageSeconds: number, calls: RecentCalls][]
  }
  const { rows } = await sql<Row>`
    with gone as (delete from quota_shares where expires_at < now() - interval '1 minute'),
    mine as (
      insert into quota_shares (platform, store_hash, consumer, expires_at, recent_calls, seen_at)
      select 'BC', shop.hash, ${consumer}, now() + make_interval(secs => ${claimSeconds}), shop.calls, now()
      from ${rowsOf(shops)}
      on conflict (platform, store_hash, consumer) do update
        set expires_at = excluded.expires_at, recent_calls = excluded.recent_calls, seen_at = excluded.seen_at
      returning store_hash)
    select mine.store_hash as "storeHash", 1 + count(*) filter (where other.expires_at > now()) as claims,
      coalesce(json_agg(json_build_array(extract(epoch from now() - other.seen_at)::float8, other.recent_calls))
        filter (where other.recent_calls <> '{}'), '[]') as others
    from mine left join quota_shares other
      on other.platform = 'BC' and other.store_hash = mine.store_hash and other.consumer <> ${consumer}
    group by mine.store_hash`.execute(database)
  return new Map(
    rows.map(({ storeHash, claims, others }) => [
      storeHash,
      { claims, others: sumOfCalls(others.map(([seconds, calls]) => aged(calls, seconds))) },
    ]),
  )
}

function rowsOf(shops: ReadonlyMap<string, RecentCalls>) {
  const rows = [...shops].map(([hash, calls]) => ({ hash, calls }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as shop(hash text, calls integer[])`
}

/** Calls that were reported so many seconds ago, as of now. */
function aged(calls: RecentCalls, seconds: number): RecentCalls {
  return [...Array.from({ length: Math.floor(seconds) }, () => 0), ...calls]
}

function sumOfCalls(all: readonly RecentCalls[]): RecentCalls {
  const longest = Math.max(0, ...all.map(({ length }) => length))
  return Array.from({ length: longest }, (_, age) => all.reduce((sum, calls) => sum + (calls[age] ?? 0), 0))
}

/** Gives up the claims on these shops. What was called last is remembered while it counts. */
export async function leaveShops(
  database: Database,
  shops: ReadonlyMap<string, RecentCalls>,
  consumer: string,
): Promise<void> {
  await sql`
    update quota_shares share set expires_at = now(), recent_calls = shop.calls, seen_at = now() from ${rowsOf(shops)}
    where share.platform = 'BC' and share.store_hash = shop.hash and share.consumer = ${consumer}`.execute(database)
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
