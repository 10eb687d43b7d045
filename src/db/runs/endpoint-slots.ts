import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

export type Slot = Columns<'endpoint_slots', 'storeHash' | 'endpoint' | 'slot' | 'consumer'>

/**
 * How long a holder keeps its slot whatever its claim says, because a statement may see claims as they were when it
 * began. A larger value lets a process that dies right after a call began block others longer; with a smaller one its
 * slot could be taken during its call.
 */
const certainSeconds = 5

/**
 * Takes one of an endpoint's slots (E4). A slot is free once its holder's claim on the shop has expired: that process
 * died or froze.
 *
 * @param endpoint its name, the same for every consumer.
 * @returns undefined when all are taken.
 */
export async function takeSlot(
  database: Database,
  requested: { storeHash: string; endpoint: string; limit: number; consumer: string },
): Promise<Slot | undefined> {
  const { storeHash, endpoint, limit, consumer } = requested
  const { rows } = await sql<Columns<'endpoint_slots', 'slot'>>`
    with free as (
      select slot from generate_series(1, ${limit}::integer) as slot
      where not exists (
        select from endpoint_slots held where held.platform = 'BC' and held.store_hash = ${storeHash}
          and held.endpoint = ${endpoint} and held.slot = slot.slot and ${isHeld})
      order by slot limit 1)
    insert into endpoint_slots as held (platform, store_hash, endpoint, slot, consumer)
    select 'BC', ${storeHash}, ${endpoint}, slot, ${consumer} from free
    on conflict (platform, store_hash, endpoint, slot) do update set consumer = excluded.consumer, taken_at = now()
      where not (${isHeld})
    returning slot`.execute(database)
  return rows[0] && { storeHash, endpoint, slot: rows[0].slot, consumer }
}

/** For a row with the alias `held`. */
const isHeld = sql`(held.taken_at > clock_timestamp() - make_interval(secs => ${certainSeconds}) or exists (
  select from quota_shares claim where claim.platform = held.platform and claim.store_hash = held.store_hash
    and claim.consumer = held.consumer and claim.expires_at > clock_timestamp()))`

/** Frees a slot, unless it expired and another consumer has taken it. */
export async function freeSlot(database: Database, slot: Slot): Promise<void> {
  await sql`
    delete from endpoint_slots where platform = 'BC' and store_hash = ${slot.storeHash} and endpoint = ${slot.endpoint}
      and slot = ${slot.slot} and consumer = ${slot.consumer}`.execute(database)
}
