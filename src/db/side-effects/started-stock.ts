import { sql } from 'kysely'
import type { SetLevel } from '../../model/kept-sales.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** Stock that an item started with; the ids are those of the destination. */
export type StartedWith = Columns<'started_stock', 'productId' | 'variantId' | 'quantity'>

export type StartedRow = StartedWith & Columns<'started_stock', 'levels'> & { ageMs: number }

/** Committed with the result of the creation. */
export async function saveStartedStock(tx: InTransaction, pair: StorePair, items: StartedWith[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into started_stock (organisation_id, destination_store_id, product_id, variant_id, quantity)
    select ${pair.organisationId}, ${pair.destinationStoreId}, i."productId", i."variantId", i."quantity"
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("productId" bigint, "variantId" bigint, "quantity" integer)
    on conflict (destination_store_id, product_id, variant_id) do nothing`.execute(tx)
}

export async function startedStock(database: Database, pair: StorePair, productIds: number[]): Promise<StartedRow[]> {
  const { rows } = await sql<StartedRow>`
    select product_id::float8 as "productId", variant_id::float8 as "variantId", quantity, levels,
      (extract(epoch from now() - created_at) * 1000)::float8 as "ageMs"
    from started_stock
    where organisation_id = ${pair.organisationId} and destination_store_id = ${pair.destinationStoreId}
      and product_id = any(${productIds}::bigint[])`.execute(database)
  return rows
}

/** Committed before the call, so that a process that finds a level knows what to check. */
export async function intendLevels(
  tx: InTransaction,
  pair: StorePair,
  levels: { productId: number; variantId: number; location: string; level: SetLevel }[],
): Promise<void> {
  if (levels.length === 0) return
  await sql`
    update started_stock s set levels = s.levels || l.levels
    from (
      select "productId", "variantId", jsonb_object_agg("location", "level") as levels
      from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as one("productId" bigint, "variantId" bigint, "location" text,
        "level" jsonb)
      group by 1, 2) l
    where s.organisation_id = ${pair.organisationId} and s.destination_store_id = ${pair.destinationStoreId}
      and s.product_id = l."productId" and s.variant_id = l."variantId"`.execute(tx)
}

export async function forgetStartedStock(
  tx: InTransaction,
  pair: StorePair,
  items: Columns<'started_stock', 'productId' | 'variantId'>[],
): Promise<void> {
  if (items.length === 0) return
  await sql`
    delete from started_stock s
    using jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("productId" bigint, "variantId" bigint)
    where s.organisation_id = ${pair.organisationId} and s.destination_store_id = ${pair.destinationStoreId}
      and s.product_id = i."productId" and s.variant_id = i."variantId"`.execute(tx)
}

/**
 * Forgets the items whose levels a run has set. All are kept while some levels are to be set later: by this run or the
 * next because they failed, or by another run of the pair that has not ended. Copies from another source are left to its
 * own runs.
 */
export async function endStartedStock(
  tx: InTransaction,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  run: { id: string; component: string; products: string },
): Promise<void> {
  await sql`
    delete from started_stock s
    where s.organisation_id = ${organisationId} and s.destination_store_id = ${destinationStoreId} and s.levels <> '{}'
      and not exists (select from failed_items where run_id = ${run.id} and component = ${run.component})
      and not exists (
        select from runs where organisation_id = ${organisationId} and source_store_id = ${sourceStoreId}
          and destination_store_id = ${destinationStoreId} and id <> ${run.id} and mode = 'full'
          and status in ('queued', 'in_progress', 'paused'))
      and not exists (
        select from stores other join mappings_of_pairs m on m.source_store_id = other.id
          and m.destination_store_id = s.destination_store_id and m.scope = 'store'
          and m.component = ${run.products} and m.destination_id = s.product_id::text and m.origin = 'created'
        where other.organisation_id = ${organisationId} and other.id <> ${sourceStoreId})`.execute(tx)
}
