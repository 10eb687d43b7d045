import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'
import { LeaseLost } from './leases.ts'
import type { StorePair } from './store-pair.ts'

export type IntendedItem = Tables['intents']['items'][number]

/**
 * `waitMs`: how long the call may still take effect, by the database clock; null while a process may be waiting for its
 * answer.
 */
export type Intent = Columns<
  'intents',
  'id' | 'runId' | 'scope' | 'component' | 'pass' | 'action' | 'items' | 'baseline'
> & { waitMs: number | null }

/** What is about to be overwritten or deleted at the destination; exactly one of the two bodies is set (D6, S9). */
export interface BeforeImage {
  destinationId: string
  body: unknown
  /** The encrypted body of a personal or secret component, in base64. */
  sealed: string | null
  /** Null for personal and secret components. */
  item: Tables['before_images']['item']
}

export interface NewIntent {
  intent: Omit<Intent, 'id' | 'runId' | 'waitMs'>
  before: BeforeImage[]
}

/**
 * Commits what is about to be sent and what it will overwrite: all or nothing, and nothing if the run was taken over
 * (B1, D6). One round trip.
 *
 * @returns an id for each intent
 */
export async function commitIntents(
  database: Database,
  run: { id: string; epoch: number },
  pair: StorePair,
  intents: NewIntent[],
): Promise<number[]> {
  const given = JSON.stringify(intents.map(({ intent, before }) => ({ ...intent, before })))
  // Ids ascend in insertion order.
  const { rows } = await sql<Columns<'intents', 'id'>>`
    /* kept: commit-intents */
    with lease as (select run_id, epoch from run_leases where run_id = ${run.id} and epoch = ${run.epoch} for key share),
    given as (
      select lease.run_id, lease.epoch, i.n, i.intent from lease, jsonb_array_elements(${given}::jsonb) with ordinality as i(intent, n)),
    images as (
      insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed, item)
      select ${pair.organisationId}, run_id, intent ->> 'component', b."destinationId", intent ->> 'action', b."body",
        decode(b."sealed", 'base64'), nullif(b."item", 'null'::jsonb)
      from given, jsonb_to_recordset(intent -> 'before') as b("destinationId" text, "body" jsonb, "sealed" text, "item" jsonb)
      order by n
      on conflict do nothing)
    insert into intents (organisation_id, source_store_id, destination_store_id, run_id, epoch, scope, component, action, pass,
      items, baseline)
    select ${pair.organisationId}, ${pair.sourceStoreId}, ${pair.destinationStoreId}, run_id, epoch, intent ->> 'scope',
      intent ->> 'component', intent ->> 'action', intent ->> 'pass', intent -> 'items', nullif(intent -> 'baseline', 'null'::jsonb)
    from given order by n returning id`.execute(database)
  if (rows.length < intents.length) throw new LeaseLost(run.id)
  return rows.map(({ id }) => id).sort((left, right) => left - right)
}

export async function deleteIntents(tx: Database | InTransaction, ids: number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from intents where id = any(${ids})`.execute(tx)
}

/**
 * Ends intents that never got an answer. Creations are remembered for a while, because a store may apply them later
 * than we wait (G10).
 */
export async function settleIntents(
  tx: InTransaction,
  ids: number[],
  { watched }: { watched: boolean },
): Promise<void> {
  await sql`
    with ended as (delete from intents where id = any(${ids}) returning *)
    insert into settled_writes (organisation_id, source_store_id, destination_store_id, scope, component, items, baseline)
    select organisation_id, source_store_id, destination_store_id, scope, component, items, baseline from ended
    where ${watched} and action = 'create'
    order by id`.execute(tx)
}

/**
 * `items`: each as last sent, by source id. `older`: ids of destination items that existed before one of them was sent.
 */
export interface SettledCreations {
  items: ReadonlyMap<string, IntendedItem>
  older: ReadonlySet<string>
}

/** Creations between these stores that never got an answer. */
export async function settledCreations(
  database: Database,
  pair: StorePair,
  { scope, component }: { scope: string; component: string },
): Promise<SettledCreations> {
  const { rows } = await sql<Columns<'settled_writes', 'items' | 'baseline'>>`
    select items, baseline from settled_writes
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and scope = ${scope} and component = ${component}
      and settled_at > now() - interval '30 days'
    order by id`.execute(database)
  return {
    items: new Map(rows.flatMap((write) => write.items.map((item) => [item.sourceId, item]))),
    older: new Set(rows.flatMap(({ baseline }) => baseline ?? [])),
  }
}

export async function forgetSettledWrites(database: Database): Promise<void> {
  await sql`delete from settled_writes where settled_at <= now() - interval '30 days'`.execute(database)
}

/** By the database clock, because another process may have to wait for it (G9). */
export async function markUnconfirmed(database: Database, id: number, waitMs: number): Promise<void> {
  await sql`
    update intents set doubtful_until = clock_timestamp() + make_interval(secs => ${waitMs / 1000})
    where id = ${id}`.execute(database)
}

/** Calls between these stores, of any run, that have no recorded outcome (B4). */
export async function leftoverIntents(database: Database, pair: StorePair): Promise<Intent[]> {
  const { rows } = await sql<Intent>`
    select id, run_id as "runId", scope, component, pass, action, items, baseline,
      (extract(epoch from greatest(doubtful_until - clock_timestamp(), interval '0')) * 1000)::float8 as "waitMs"
    from intents
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId}
    order by id`.execute(database)
  return rows
}
