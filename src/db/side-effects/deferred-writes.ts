import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** Fields that an item of the destination gets when everything else is done. */
export type DeferredWrite = Columns<'duties', 'component' | 'sourceId' | 'fields'>

/** Saved once: a second run that reaches the item keeps the first row. */
export async function saveDeferredWrites(
  tx: InTransaction,
  pair: StorePair,
  deferredWrites: DeferredWrite[],
): Promise<void> {
  if (deferredWrites.length === 0) return
  await sql`
    insert into duties (organisation_id, source_store_id, destination_store_id, component, source_id, fields)
    select ${pair.organisationId}, ${pair.sourceStoreId}, ${pair.destinationStoreId}, d."component", d."sourceId", d."fields"
    from jsonb_to_recordset(${JSON.stringify(deferredWrites)}::jsonb) as d("component" text, "sourceId" text, "fields" jsonb)
    on conflict do nothing`.execute(tx)
}

/** Everything else is done: from now on a host may do what the run does not reach. */
export async function makeDue(tx: InTransaction, pair: StorePair, components: string[]): Promise<void> {
  await sql`
    update duties set due_at = now(), tried_at = now(), told_at = null
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = any(${components}::text[])`.execute(tx)
}

/** Deferred writes of the components, in the order of their items; `after` is the last one seen. */
export async function openDeferredWrites(
  database: Database,
  pair: StorePair,
  {
    components,
    after,
    limit,
  }: { components: string[]; after: Pick<DeferredWrite, 'component' | 'sourceId'>; limit: number },
): Promise<DeferredWrite[]> {
  const { rows } = await sql<DeferredWrite>`
    select component, source_id as "sourceId", fields from duties
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = any(${components}::text[])
      and (component, source_id) > (${after.component}, ${after.sourceId})
    order by component, source_id limit ${limit}`.execute(database)
  return rows
}

export async function endDeferredWrite(
  tx: InTransaction,
  pair: StorePair,
  { component, sourceId }: Pick<DeferredWrite, 'component' | 'sourceId'>,
): Promise<void> {
  await sql`
    delete from duties
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = ${component} and source_id = ${sourceId}`.execute(
    tx,
  )
}
