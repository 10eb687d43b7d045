import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Mapping, StorePair } from './store-pair.ts'

/**
 * Saves mappings of a run that writes nothing, which replace the real ones: those that a dry run simulates, and those
 * that a comparison finds. An existing mapping keeps its origin, unless it was forgotten (F2).
 */
export async function saveSimulated(
  tx: InTransaction,
  pair: StorePair,
  runId: string,
  mappings: Mapping[],
  manyToOne: boolean,
): Promise<void> {
  await sql`
    insert into planned_mappings (run_id, scope, component, source_id, destination_id, many_to_one, origin, owed,
      draft_checksum, destination_checksum, made_by)
    select ${runId}, m."scope", m."component", m."sourceId", m."destinationId", ${manyToOne},
      coalesce(real.origin, m."origin"), array(select jsonb_array_elements_text(m."owed")), m."draftChecksum",
      m."destinationChecksum", coalesce(real.run_id, m."runId"::uuid)
    from jsonb_to_recordset(${JSON.stringify(mappings)}::jsonb) as m("scope" text, "component" text, "sourceId" text,
      "destinationId" text, "origin" text, "owed" jsonb, "draftChecksum" text, "destinationChecksum" text, "runId" text)
    left join lateral (
      select origin, run_id from mappings_of_pairs
      where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
        and destination_store_id = ${pair.destinationStoreId} and scope = m."scope" and component = m."component"
        and source_id = m."sourceId" and not exists (
          select from planned_mappings p
          where p.run_id = ${runId} and p.scope = m."scope" and p.component = m."component"
            and p.source_id = m."sourceId" and p.forgotten) offset 0) real on true
    on conflict (run_id, scope, component, source_id) do update set
      destination_id = excluded.destination_id, owed = excluded.owed, draft_checksum = excluded.draft_checksum,
      destination_checksum = excluded.destination_checksum, forgotten = false,
      origin = case when planned_mappings.forgotten then excluded.origin else planned_mappings.origin end`.execute(tx)
}

/** Hides mappings of items that no longer exist at the destination; a full run would delete them. */
export async function forgetSimulated(
  tx: InTransaction,
  runId: string,
  items: { scope: string; component: string; sourceId: string }[],
): Promise<void> {
  await sql`
    insert into planned_mappings (run_id, scope, component, source_id, destination_id, origin, made_by, forgotten)
    select ${runId}, i."scope", i."component", i."sourceId", '', 'created', ${runId}, true
    from (
      select distinct * from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("scope" text, "component" text, "sourceId" text)) i
    on conflict (run_id, scope, component, source_id) do update set origin = excluded.origin, made_by = excluded.made_by, forgotten = true`.execute(
    tx,
  )
}

/**
 * Items whose comparison waits for others of their component, ordered by id. Unlike `pendingOnOwnKind`, without copies
 * that only lack a reference: those were compared with their page.
 */
export async function waitingForOthers(
  database: Database,
  runId: string,
  { scope, component, after, limit }: { scope: string; component: string; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Columns<'planned_mappings', 'sourceId'>>`
    select source_id as "sourceId" from planned_mappings
    where run_id = ${runId} and scope = ${scope} and component = ${component} and owed <> '{}' and source_id > ${after}
    order by source_id limit ${limit}`.execute(database)
  return rows.map(({ sourceId }) => sourceId)
}

/**
 * Takes keys that only one item of a store can have. The first item to take one keeps it, whichever process it is in.
 *
 * @returns the first key held by another item, with its holder; undefined if this item holds them all.
 */
export async function takeKeys(
  database: Database,
  runId: string,
  holder: string,
  keys: string[],
): Promise<Columns<'planned_keys', 'key' | 'holder'> | undefined> {
  if (keys.length === 0) return undefined
  const { rows } = await sql<Columns<'planned_keys', 'key' | 'holder'>>`
    select key, holder from planned_keys where run_id = ${runId} and key = any(${keys}) and holder <> ${holder}
    order by key limit 1`.execute(database)
  if (rows[0]) return rows[0]
  await sql`
    insert into planned_keys (run_id, key, holder)
    select ${runId}, key, ${holder} from unnest(${keys}::text[]) as key on conflict do nothing`.execute(database)
  return undefined
}

/**
 * The same for the items of one call, in their order.
 *
 * @returns by holder, which other item has one of its keys
 */
export async function takeKeysInTurn(
  database: Database,
  runId: string,
  items: { holder: string; keys: string[] }[],
): Promise<Map<string, string>> {
  const keys = items.flatMap((item) => item.keys)
  const holders = items.flatMap(({ holder, keys: own }) => own.map(() => holder))
  await sql`
    insert into planned_keys (run_id, key, holder)
    select ${runId}, key, holder from unnest(${keys}::text[], ${holders}::text[]) as i(key, holder)
    on conflict do nothing`.execute(database)
  const { rows } = await sql<{ holder: string; other: string }>`
    select i.holder, held.holder as other from unnest(${keys}::text[], ${holders}::text[]) as i(key, holder)
    join planned_keys held on held.run_id = ${runId} and held.key = i.key and held.holder <> i.holder`.execute(database)
  return new Map(rows.map(({ holder, other }) => [holder, other]))
}

/** Reserves the addresses of items listed at the destination. */
export async function holdListedAddresses(database: Database, runId: string, component: string): Promise<void> {
  await sql`
    insert into planned_keys (run_id, key, holder)
    select run_id, 'url:' || lower(rtrim(body #>> '{item,path}', '/')), 'destination:' || component || '/' || destination_id
    from destination_items
    where run_id = ${runId} and component = ${component} and body #>> '{item,path}' <> ''
    on conflict do nothing`.execute(database)
}
