import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/**
 * What a line of a copied order sells; the ids are those of the destination, and the variant is 0 if the line names
 * none.
 */
export type SoldLine = Columns<'stock_sold', 'productId' | 'variantId' | 'quantity'>

/** A stock level from before orders were copied; the variant is 0 if the platform names none. */
type StockBefore = Columns<'stock_before', 'productId' | 'variantId' | 'locationId' | 'quantity'>

/** `seen` and `target` are null until the stock is about to be given back. */
export type OpenStock = StockBefore & Columns<'stock_before', 'seen' | 'target'>

/**
 * Pieces sold by existing orders, and pieces named by refused calls; `unsettled` while the write of an order is
 * unconfirmed.
 */
type Sold = SoldLine & Columns<'stock_sold', 'refused'> & { unsettled: boolean }

const nothingToGiveBack = sql`stock_before.target is null and not exists (
  select from stock_sold s where s.platform = stock_before.platform and s.store_hash = stock_before.store_hash
    and s.product_id = stock_before.product_id)`

const ofStore = (storeHash: string) => sql`platform = 'BC' and store_hash = ${storeHash}`

/**
 * Saves stock levels. A stored level is kept while stock for orders of the product must still be given back, because it
 * is older than they are. Any other is replaced by the current level, or deleted if the product is sold out.
 */
export async function saveStockBefore(database: Database, storeHash: string, levels: StockBefore[]): Promise<void> {
  if (levels.length === 0) return
  await sql`
    with listed as (
      select * from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as l("productId" bigint, "variantId" bigint,
        "locationId" bigint, "quantity" integer)),
    sold_out as (
      delete from stock_before using listed l
      where ${ofStore(storeHash)} and product_id = l."productId" and variant_id = l."variantId"
        and location_id = l."locationId" and l."quantity" <= 0 and ${nothingToGiveBack})
    insert into stock_before (platform, store_hash, product_id, variant_id, location_id, quantity)
    select 'BC', ${storeHash}, "productId", "variantId", "locationId", "quantity" from listed where "quantity" > 0
    on conflict (platform, store_hash, product_id, variant_id, location_id) do update set quantity = excluded.quantity
    where ${nothingToGiveBack}`.execute(database)
}

/** Committed before the order is sent. */
export async function saveSold(
  database: Database,
  pair: StorePair,
  storeHash: string,
  orders: { component: string; sourceId: string; lines: SoldLine[] }[],
): Promise<void> {
  const rows = orders.flatMap(({ lines, ...order }) => lines.map((line) => ({ ...order, ...line })))
  if (rows.length === 0) return
  const { numAffectedRows } = await sql`
    insert into stock_sold (platform, store_hash, organisation_id, source_store_id, destination_store_id, component, source_id,
      product_id, variant_id, quantity)
    select 'BC', ${storeHash}, ${pair.organisationId}, ${pair.sourceStoreId}, ${pair.destinationStoreId}, s."component",
      s."sourceId", s."productId", s."variantId", sum(s."quantity")
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s("component" text, "sourceId" text, "productId" bigint,
      "variantId" bigint, "quantity" integer)
    where exists (select from side_effects where ${ofStore(storeHash)} and kind = 'stock')
    group by s."component", s."sourceId", s."productId", s."variantId"
    on conflict (platform, store_hash, product_id, variant_id, source_store_id, component, source_id)
      do update set quantity = excluded.quantity`.execute(database)
  if (numAffectedRows === 0n)
    throw new Error(`The stock of ${storeHash} is no longer watched, so no order may be sent.`)
}

/** Refused orders exist only in another form, but the refused calls may have reduced the stock. */
export async function noteRefusedSales(
  tx: InTransaction,
  pair: StorePair,
  component: string,
  sourceIds: string[],
): Promise<void> {
  await sql`
    update stock_sold set refused = refused + quantity, quantity = 0
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = ${component}
      and source_id = any(${sourceIds}::text[])`.execute(tx)
}

/** Products with stock to give back, ordered by id; `begun`: only those where giving back has begun. */
export async function productsToGiveBack(
  database: Database,
  storeHash: string,
  { after, limit, begun }: { after: number; limit: number; begun: boolean },
): Promise<number[]> {
  const from = begun
    ? sql`stock_before where target is not null and ${ofStore(storeHash)}`
    : sql`stock_sold where ${ofStore(storeHash)}`
  const { rows } = await sql<Renamed<'stock_before', { id: 'productId' }>>`
    select distinct product_id as id from ${from} and product_id > ${after} order by 1 limit ${limit}`.execute(database)
  return rows.map(({ id }) => id)
}

export async function stockBefore(database: Database, storeHash: string, productIds: number[]): Promise<OpenStock[]> {
  const { rows } = await sql<OpenStock>`
    select product_id::float8 as "productId", variant_id::float8 as "variantId", location_id::float8 as "locationId",
      quantity, seen, target
    from stock_before where ${ofStore(storeHash)} and product_id = any(${productIds}::bigint[])
    order by product_id, variant_id, location_id`.execute(database)
  return rows
}

/** An order with a mapping exists, one with only an intent may exist, and any other does not. */
export async function soldOf(database: Database, storeHash: string, productIds: number[]): Promise<Sold[]> {
  const { rows } = await sql<Sold>`
    with sold as (
      select s.product_id, s.variant_id, s.quantity, s.refused, exists (
          select from mappings_of_pairs m
          where m.organisation_id = s.organisation_id and m.source_store_id = s.source_store_id
            and m.destination_store_id = s.destination_store_id and m.component = s.component
            and m.source_id = s.source_id offset 0) as copied,
        exists (
          select from intents i
          where i.organisation_id = s.organisation_id and i.source_store_id = s.source_store_id
            and i.destination_store_id = s.destination_store_id and i.component = s.component
            and i.items @> jsonb_build_array(jsonb_build_object('sourceId', s.source_id))) as intended
      from stock_sold s where ${ofStore(storeHash)} and s.product_id = any(${productIds}::bigint[]))
    select product_id::float8 as "productId", variant_id::float8 as "variantId",
      coalesce(sum(quantity) filter (where copied), 0)::integer as quantity,
      sum(refused)::integer as refused, bool_or(intended and not copied) as unsettled
    from sold group by product_id, variant_id`.execute(database)
  return rows
}

/**
 * Committed before the call, so that a process that finds it knows what to check, and that repeating the call is
 * harmless.
 */
export async function intendStock(
  tx: InTransaction,
  storeHash: string,
  levels: (StockBefore & { seen: number; target: number })[],
): Promise<void> {
  if (levels.length === 0) return
  await sql`
    update stock_before b set seen = l."seen", target = l."target"
    from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as l("productId" bigint, "variantId" bigint,
      "locationId" bigint, "seen" integer, "target" integer)
    where b.platform = 'BC' and b.store_hash = ${storeHash} and b.product_id = l."productId"
      and b.variant_id = l."variantId" and b.location_id = l."locationId"`.execute(tx)
}

/** Called when everything is given back for these products: deletes their levels and what was sold. */
export async function endStock(
  tx: InTransaction,
  storeHash: string,
  { items, lines }: Record<'items' | 'lines', { productId: number; variantId: number }[]>,
): Promise<void> {
  const these = (keys: object[]) => sql`(product_id, variant_id) in (
    select * from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k("productId" bigint, "variantId" bigint))`
  await sql`delete from stock_before where ${ofStore(storeHash)} and ${these(items)}`.execute(tx)
  await sql`delete from stock_sold where ${ofStore(storeHash)} and ${these(lines)}`.execute(tx)
}

/** Whether something that was sold had been in stock, or is being given back. */
export async function hasStockToGiveBack(database: Database, storeHash: string): Promise<boolean> {
  const { rows } = await sql`
    select from stock_before b where ${ofStore(storeHash)} and (b.target is not null or exists (
      select from stock_sold s
      where s.platform = b.platform and s.store_hash = b.store_hash and s.product_id = b.product_id)) limit 1`.execute(
    database,
  )
  return rows.length > 0
}

/**
 * Stops watching a shop's stock once nothing is open; with `evenIf`, even if sold items remain that had not been in
 * stock.
 *
 * @returns whether it did.
 */
export async function endWatch(
  tx: InTransaction,
  storeHash: string,
  { evenIf }: { evenIf?: 'sold' } = {},
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      delete from side_effects where ${ofStore(storeHash)} and kind = 'stock'
        and (${evenIf === 'sold'} or not exists (select from stock_sold where ${ofStore(storeHash)}))
        and not exists (select from stock_before where ${ofStore(storeHash)} and target is not null)
      returning id),
    levels as (delete from stock_before where ${ofStore(storeHash)} and exists (select from ended)),
    sold as (delete from stock_sold where ${ofStore(storeHash)} and exists (select from ended))
    select id from ended`.execute(tx)
  return rows.length > 0
}
