import { type RawBuilder, sql } from 'kysely'
import type { Columns, OrNull } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'
import { hasLetGo } from '../ledger/waiting.ts'
import { recordEvent } from '../notifications/events.ts'

export type NewSideEffect = Columns<'side_effects', 'kind' | 'component' | 'subject' | 'desired'> &
  Partial<Columns<'side_effects', 'ours' | 'scope' | 'item'>>

/** A change at a shop that must be put back, or a write that waits until everything else is done. */
export type SideEffect = NewSideEffect &
  Columns<'side_effects', 'id' | 'storeHash' | 'organisationId' | 'sourceStoreId' | 'runId' | 'ours' | 'item'> & {
    /** Whether one of its run's issues reports it. */
    reported: boolean
  }

/** With the copy that a deferred write changes; null for all other kinds. */
export type DueSideEffect = SideEffect & OrNull<Columns<'mappings', 'destinationId' | 'owed'>>

export type OverdueSideEffect = DueSideEffect & {
  /** Whether a run had done everything else, or ended before it could. */
  due: boolean
  /** False if the store was disconnected, so that nothing can be done there. */
  connected: boolean
}

/** How soon another host may try again; by then the platform's stock lists show what the last orders took. */
const triedAgainAfter = sql`interval '1 minute'`
const overdueAfter = sql`interval '15 minutes'`

const columns = sql`effect.id, effect.store_hash as "storeHash", effect.kind, effect.component, effect.subject, effect.desired,
  effect.ours, effect.item, effect.organisation_id as "organisationId", effect.source_store_id as "sourceStoreId", effect.run_id as "runId",
  effect.reported_at is not null as reported`

function isCopyOf(effect: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`copy.organisation_id = ${effect}.organisation_id and copy.source_store_id = ${effect}.source_store_id
    and copy.destination_store_id = ${effect}.destination_store_id and copy.scope = ${effect}.scope
    and copy.component = ${effect}.component and copy.source_id = ${effect}.subject`
}

/**
 * Side effects that no run holds any more. A deferred write also waits for all unfinished runs between its stores,
 * however long.
 */
const released = sql`
  side_effects effect
  join organisations org on org.id = effect.organisation_id
  join stores dst on dst.organisation_id = effect.organisation_id and dst.id = effect.destination_store_id
  left join mappings_of_pairs copy on effect.kind = 'deferred-write' and ${isCopyOf(sql`effect`)}
  where not exists (
      select from destination_leases lease join runs holder on holder.id = lease.run_id
      where lease.platform = effect.platform and lease.store_hash = effect.store_hash and not ${hasLetGo(sql`holder`)})
    and (effect.kind <> 'deferred-write' or (org.store_migration_enabled and copy.destination_id is not null and not exists (
      select from runs run where run.organisation_id = effect.organisation_id and run.source_store_id = effect.source_store_id
        and run.destination_store_id = effect.destination_store_id and run.mode = 'full'
        and run.status in ('queued', 'in_progress', 'paused'))))`

const canEnd = sql`effect.due_at is not null and coalesce(copy.owed, '{}') = '{}'`

/** Committed before the change, or together with the item. What an earlier run left belongs to this run from now on. */
export async function saveSideEffects(
  tx: Database | InTransaction,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  runId: string,
  effects: NewSideEffect[],
): Promise<void> {
  if (effects.length === 0) return
  await sql`
    insert into side_effects (platform, store_hash, kind, component, scope, subject, organisation_id, source_store_id,
      destination_store_id, run_id, desired, ours, item, due_at)
    select dst.platform, dst.hash, e."kind", e."component", coalesce(e."scope", 'store'), e."subject", dst.organisation_id,
      case e."kind" when 'deferred-write' then ${sourceStoreId}::uuid end, dst.id, ${runId}, e."desired", e."ours", e."item",
      case e."kind" when 'deferred-write' then null else now() end
    from jsonb_to_recordset(${JSON.stringify(effects)}::jsonb) as e("kind" text, "component" text, "scope" text,
      "subject" text, "desired" jsonb, "ours" jsonb, "item" jsonb)
    join stores dst on dst.organisation_id = ${organisationId} and dst.id = ${destinationStoreId}
    on conflict (platform, store_hash, kind, source_store_id, component, scope, subject) do update set
      organisation_id = excluded.organisation_id, destination_store_id = excluded.destination_store_id,
      run_id = excluded.run_id, desired = excluded.desired, ours = excluded.ours, item = excluded.item, due_at = excluded.due_at,
      reported_at = null`.execute(tx)
}

/** Open side effects at a shop. */
export async function sideEffectsOf(
  database: Database | InTransaction,
  storeHash: string,
  kind: SideEffect['kind'],
): Promise<SideEffect[]> {
  const { rows } = await sql<SideEffect>`
    select ${columns} from side_effects effect
    where platform = 'BC' and store_hash = ${storeHash} and kind = ${kind} order by subject`.execute(database)
  return rows
}

/** Other copies of the item, on other storefronts, that are not switched on yet: their destination ids. */
export async function otherCopiesOff(tx: Database | InTransaction, { id }: Pick<SideEffect, 'id'>): Promise<string[]> {
  const { rows } = await sql<Columns<'mappings', 'destinationId'>>`
    select copy.destination_id as "destinationId" from side_effects effect
    join side_effects other using (kind, organisation_id, source_store_id, destination_store_id, component, subject)
    join mappings_of_pairs copy on ${isCopyOf(sql`other`)}
    where effect.id = ${id} and other.id <> ${id}`.execute(tx)
  return rows.map(({ destinationId }) => destinationId)
}

export async function endSideEffect(tx: Database | InTransaction, { id }: Pick<SideEffect, 'id'>): Promise<void> {
  await sql`delete from side_effects where id = ${id}`.execute(tx)
}

/** Takes side effects that can be ended, those tried longest ago first; no other host tries them for a minute. */
export async function takeDue(database: Database, limit: number): Promise<DueSideEffect[]> {
  const { rows } = await sql<DueSideEffect>`
    with due as (
      select ${columns}, copy.destination_id as "destinationId", copy.owed from ${released}
        and ${canEnd} and dst.disconnected_at is null and effect.tried_at < now() - ${triedAgainAfter}
        and not exists (
          select from runs run where run.id = effect.run_id and run.updated_at > now() - ${triedAgainAfter})
      order by effect.tried_at, effect.id limit ${limit} for update of effect skip locked)
    update side_effects effect set tried_at = now() from due where effect.id = due.id returning due.*`.execute(database)
  return rows
}

/**
 * The last check before a call, or before its outcome is recorded: a run may have begun since, or have done the work.
 * For mails: whether any of the shop are still off. Keeps other hosts away for another minute.
 */
export async function isStillDue(
  database: Database | InTransaction,
  { id, storeHash, kind, destinationId }: DueSideEffect,
): Promise<boolean> {
  const { rows } = await sql`
    with due as (
      select effect.id from ${released} and ${canEnd} and effect.platform = 'BC' and effect.store_hash = ${storeHash}
        and effect.kind = ${kind} and (effect.kind = 'mail' or effect.id = ${id})
        and copy.destination_id is not distinct from ${destinationId})
    update side_effects effect set tried_at = now() from due where effect.id = due.id returning effect.id`.execute(
    database,
  )
  return rows.length > 0
}

/**
 * Takes unreported side effects that no run has held for 15 minutes, or that cannot go on because their store was
 * disconnected.
 */
export async function takeOverdue(tx: InTransaction, limit: number): Promise<OverdueSideEffect[]> {
  const { rows } = await sql<OverdueSideEffect>`
    with overdue as (
      select ${columns}, copy.destination_id as "destinationId", copy.owed, effect.due_at is not null as due,
        dst.disconnected_at is null as connected
      from ${released} and effect.reported_at is null and (dst.disconnected_at is not null or exists (
        select from runs run where run.id = effect.run_id
          and greatest(effect.since, effect.due_at, run.finished_at, run.updated_at) < now() - ${overdueAfter}))
      order by effect.since limit ${limit} for update of effect skip locked)
    update side_effects effect set reported_at = now() from overdue where effect.id = overdue.id
    returning overdue.*`.execute(tx)
  for (const [, [effect]] of Map.groupBy(rows, ({ runId, storeHash, kind }) => `${runId} ${storeHash} ${kind}`))
    if (effect) await recordOverdue(tx, effect)
  return rows
}

/** Promotions and scripts that are still off are in the migration's issues only: no shopper is left without something. */
async function recordOverdue(tx: InTransaction, effect: OverdueSideEffect): Promise<void> {
  if (effect.kind === 'deferred-write') return
  const { organisationId, runId, storeHash: store } = effect
  const [kind, summaryLine] = overdueEvents[effect.kind]
  await recordEvent(tx, { organisationId, kind, runId, data: { store, summaryLine: `${summaryLine} ${store}.` } })
}

const overdueEvents = {
  mail: ['store.mails_off', 'Emails about orders are still switched off at the store'],
  stock: ['store.stock_not_restored', 'Stock that copied orders took has not been given back at the store'],
} as const

/** Components, in the scopes in which a run sees their copies. */
interface Seen {
  components: string[]
  scopes: string[]
}

/** Called once a run has done everything else: from now on a host may do what the run does not reach. */
export async function makeDue(tx: InTransaction, pair: StorePair, runId: string, seen: Seen): Promise<void> {
  await sql`
    update side_effects effect set due_at = now(), tried_at = now(), reported_at = null, run_id = ${runId}
    where ${ofPair(pair, seen)}`.execute(tx)
}

/** Deferred writes of the components, in the order of their items; `after` is the last one returned before. */
export async function openDeferredWrites(
  database: Database,
  pair: StorePair,
  { after, limit, ...seen }: Seen & { after: Pick<SideEffect, 'component' | 'subject'>; limit: number },
): Promise<SideEffect[]> {
  const { rows } = await sql<SideEffect>`
    select ${columns} from side_effects effect
    where ${ofPair(pair, seen)} and (component, subject) > (${after.component}, ${after.subject})
    order by component, subject limit ${limit}`.execute(database)
  return rows
}

/** Those of the scopes, and those whose copy the run sees too, because it was made by one of another extent. */
function ofPair(
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  { components, scopes }: Seen,
): RawBuilder<unknown> {
  return sql`effect.kind = 'deferred-write' and effect.organisation_id = ${organisationId}
    and effect.source_store_id = ${sourceStoreId} and effect.destination_store_id = ${destinationStoreId}
    and effect.component = any(${components}::text[]) and (effect.scope = any(${scopes}::text[]) or exists (
      select from mappings_of_pairs copy
      join mappings_of_pairs seen
        using (organisation_id, source_store_id, destination_store_id, component, source_id, destination_id)
      where ${isCopyOf(sql`effect`)} and seen.scope = any(${scopes}::text[])))`
}
