import { type RawBuilder, sql } from 'kysely'
import { referencePrefix } from '../../model/pending.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { forgetSimulated, saveSimulated } from './simulated-mappings.ts'
import type { Mapping, NewMapping, StorePair } from './store-pair.ts'

const columns = sql`scope, component, source_id as "sourceId", destination_id as "destinationId", origin, owed,
  draft_checksum as "draftChecksum", destination_checksum as "destinationChecksum", run_id as "runId",
  extra_children as "extraChildren"`

/** Some of the pair's mappings: those of one component in one scope. */
export type MappingSet = Columns<'mapping_sets', 'scope' | 'component'>

/** The number of a set; null as long as it is empty. */
export function setId(
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  { scope, component }: MappingSet,
): RawBuilder<number | null> {
  return sql`(select id from mapping_sets where organisation_id = ${organisationId} and source_store_id = ${sourceStoreId}
    and destination_store_id = ${destinationStoreId} and scope = ${scope} and component = ${component})`
}

/** The sets of rows `m` that each name a scope and a component. A set without mappings so far joins none. */
function joinSets({ organisationId, sourceStoreId, destinationStoreId }: StorePair): RawBuilder<unknown> {
  return sql`join mapping_sets s on s.organisation_id = ${organisationId} and s.source_store_id = ${sourceStoreId}
    and s.destination_store_id = ${destinationStoreId} and s.scope = m."scope" and s.component = m."component"`
}

/** The pair's mappings. Those of a dry run or comparison replace the real ones. */
export function mappingsBetween(pair: StorePair): RawBuilder<unknown> {
  const { organisationId, sourceStoreId, destinationStoreId } = pair
  const real = sql`
    select scope, component, ${ownColumns} from mappings_of_pairs known
    where organisation_id = ${organisationId} and source_store_id = ${sourceStoreId}
      and destination_store_id = ${destinationStoreId}`
  return withSimulated(pair, { real, sameSet: sql`p.scope = known.scope and p.component = known.component` })
}

/**
 * The same for one set. A query that reads it in order or joins it is to use this: PostgreSQL knows that it is one set, so
 * it takes the order from the index.
 *
 * @param narrowed conditions, order and limit of a page, applied to the real and to the simulated ones
 */
export function mappingsIn(pair: StorePair, set: MappingSet, narrowed = sql``): RawBuilder<unknown> {
  const { scope, component } = set
  const real = sql`
    select ${scope}::text as scope, ${component}::text as component, ${ownColumns} from mappings known
    where set_id = ${setId(pair, set)}`
  const sameSet = sql`p.scope = ${scope} and p.component = ${component}`
  return withSimulated(pair, { real, sameSet, among: sql`and ${sameSet}`, narrowed })
}

const ownColumns = sql`source_id, destination_id, origin, owed, draft_checksum, destination_checksum, run_id, extra_children`

/** `offset 0` looks each up by its key, because a join would read all of them for every page. */
function withSimulated(
  { simulatedBy }: StorePair,
  {
    real,
    sameSet,
    among = sql``,
    narrowed = sql``,
  }: Record<'real' | 'sameSet', RawBuilder<unknown>> & Partial<Record<'among' | 'narrowed', RawBuilder<unknown>>>,
): RawBuilder<unknown> {
  if (simulatedBy === undefined) return sql`(${real} ${narrowed})`
  return sql`((${real} and not exists (
      select from planned_mappings p where p.run_id = ${simulatedBy} and ${sameSet} and p.source_id = known.source_id
      offset 0) ${narrowed})
    union all
    (select scope, component, source_id, destination_id, origin, owed, draft_checksum, destination_checksum, made_by,
      false
    from planned_mappings p where run_id = ${simulatedBy} and not forgotten ${among} ${narrowed}))`
}

/**
 * Mappings of the given source ids in one query per page, whatever the components (E5). `offset 0` forces a look-up for
 * each, regardless of the planner's estimates. Each set is looked up once: for every id, that takes as long as the mapping.
 */
export async function mappingsOf(
  database: Database,
  pair: StorePair,
  requested: (MappingSet & { sourceId: string })[],
): Promise<Mapping[]> {
  if (requested.length === 0) return []
  const isReal = pair.simulatedBy === undefined
  const ofSet = sql`(select s.scope, s.component, ${ownColumns} from mappings where set_id = s.id)`
  const { rows } = await sql<Mapping>`
    select own.* from jsonb_to_recordset(${JSON.stringify(bySet(requested))}::jsonb) as m("scope" text, "component" text, "sourceIds" jsonb)
    ${isReal ? joinSets(pair) : sql``}
    cross join lateral jsonb_array_elements_text(m."sourceIds") as requested (source_id)
    cross join lateral (
      select ${columns} from ${isReal ? ofSet : mappingsBetween(pair)} known
      where known.scope = m."scope" and known.component = m."component" and known.source_id = requested.source_id offset 0) own`.execute(
    database,
  )
  return rows
}

function bySet(requested: (MappingSet & { sourceId: string })[]): (MappingSet & { sourceIds: string[] })[] {
  const sets = Map.groupBy(requested, ({ scope, component }) => `${scope} ${component}`)
  return [...sets.values()].flatMap((some) => {
    const [first] = some
    const sourceIds = [...new Set(some.map(({ sourceId }) => sourceId))]
    return first ? [{ scope: first.scope, component: first.component, sourceIds }] : []
  })
}

/** Whether the run created every mapped item of the components; `withinMs`: no longer ago than that. */
export async function createdAll(
  database: Database,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  runId: string,
  components: MappingSet[],
  { withinMs = null }: { withinMs?: number | null } = {},
): Promise<boolean> {
  const { rows } = await sql<{ others: boolean }>`
    select exists (
      select from jsonb_to_recordset(${JSON.stringify(components)}::jsonb) as of(scope text, component text)
      join mappings_of_pairs m on m.source_store_id = ${sourceStoreId} and m.destination_store_id = ${destinationStoreId}
        and m.scope = of.scope and m.component = of.component
      where m.organisation_id = ${organisationId} and (m.origin <> 'created' or m.run_id <> ${runId}
        or m.created_at < now() - ${withinMs}::float8 * interval '1 millisecond')) as others`.execute(database)
  return rows[0]?.others === false
}

/** Items that are still missing a reference to another item of their own component. */
export function pendingOnOwnKind(
  database: Database,
  pair: StorePair,
  of: Omit<PendingQuery, 'prefix'>,
): Promise<Mapping[]> {
  return pendingMappings(database, pair, { ...of, prefix: referencePrefix(of.component) })
}

interface PendingQuery {
  scope: string
  component: string
  /** The last source id seen. */
  after: string
  limit: number
  /** Prefix of the pending entries. */
  prefix: string
}

/** Items of a component with a pending entry of a given kind, ordered by id. */
export async function pendingMappings(
  database: Database,
  pair: StorePair,
  { scope, component, after, limit, prefix }: PendingQuery,
): Promise<Mapping[]> {
  const page = sql`and owed <> '{}' and source_id > ${after}
    and exists (select from unnest(owed) as one where starts_with(one, ${prefix}))
    order by source_id limit ${limit}`
  const { rows } = await sql<Mapping>`
    select ${columns} from ${mappingsIn(pair, { scope, component }, page)} known order by source_id limit ${limit}`.execute(
    database,
  )
  return rows
}

/** Which of the destination ids are already copies, and of which source item (B6). */
export async function claimsOf(
  database: Database | InTransaction,
  pair: StorePair,
  scope: string,
  component: string,
  destinationIds: string[],
): Promise<Map<string, string>> {
  if (destinationIds.length === 0) return new Map()
  const { rows } = await sql<Columns<'mappings', 'sourceId' | 'destinationId'>>`
    select destination_id as "destinationId", source_id as "sourceId" from ${mappingsIn(pair, { scope, component })} known
    where destination_id = any(${destinationIds})`.execute(database)
  return new Map(rows.map((row) => [row.destinationId, row.sourceId]))
}

/**
 * How long ago the latest of these copies was created, by the database clock (G9); null if no migration created any of
 * them.
 */
export async function ageOfLatestMs(
  database: Database | InTransaction,
  pair: StorePair,
  { destinationIds, ...set }: MappingSet & { destinationIds: string[] },
): Promise<number | null> {
  if (destinationIds.length === 0) return null
  const { rows } = await sql<{ ageMs: number | null }>`
    select (extract(epoch from now() - max(created_at)) * 1000)::float8 as "ageMs" from mappings
    where set_id = ${setId(pair, set)} and origin = 'created' and destination_id = any(${destinationIds})`.execute(
    database,
  )
  return rows[0]?.ageMs ?? null
}

/**
 * Inserts or updates mappings; an existing one keeps its origin. `manyToOne`: several source items may share a
 * destination item (B6).
 */
export async function saveMappings(
  tx: InTransaction,
  pair: StorePair,
  mappings: NewMapping[],
  { manyToOne = false } = {},
): Promise<void> {
  if (mappings.length === 0) return
  if (pair.simulatedBy !== undefined) return saveSimulated(tx, pair, pair.simulatedBy, mappings, manyToOne)
  const saved = await upsert(tx, pair, mappings, manyToOne)
  if (saved === mappings.length) return
  // A set without mappings so far.
  await addSets(tx, pair, mappings)
  await upsert(tx, pair, mappings, manyToOne)
}

/** Saves those whose sets exist. @returns their number. */
async function upsert(tx: InTransaction, pair: StorePair, mappings: NewMapping[], manyToOne: boolean): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into mappings (set_id, source_id, destination_id, many_to_one, origin, owed, draft_checksum,
      destination_checksum, run_id, extra_children, name, sku)
    select s.id, m."sourceId", m."destinationId", ${manyToOne}, m."origin",
      array(select jsonb_array_elements_text(m."owed")), m."draftChecksum", m."destinationChecksum", m."runId"::uuid,
      m."extraChildren", left(m."names" ->> 'name', 255), left(m."names" ->> 'sku', 255)
    from jsonb_to_recordset(${JSON.stringify(mappings)}::jsonb) as m("scope" text, "component" text, "sourceId" text,
      "destinationId" text, "origin" text, "owed" jsonb, "draftChecksum" text, "destinationChecksum" text, "runId" text,
      "extraChildren" boolean, "names" jsonb)
    ${joinSets(pair)}
    on conflict (set_id, source_id) do update set
      destination_id = excluded.destination_id, owed = excluded.owed, draft_checksum = excluded.draft_checksum,
      destination_checksum = excluded.destination_checksum, extra_children = excluded.extra_children, updated_at = now(),
      name = coalesce(excluded.name, mappings.name), sku = coalesce(excluded.sku, mappings.sku)`.execute(tx)
  return Number(numAffectedRows)
}

async function addSets(tx: InTransaction, pair: StorePair, mappings: MappingSet[]): Promise<void> {
  await sql`
    insert into mapping_sets (organisation_id, source_store_id, destination_store_id, scope, component)
    select distinct ${pair.organisationId}::uuid, ${pair.sourceStoreId}::uuid, ${pair.destinationStoreId}::uuid, m."scope",
      m."component"
    from jsonb_to_recordset(${JSON.stringify(mappings)}::jsonb) as m("scope" text, "component" text)
    order by 4, 5
    on conflict do nothing`.execute(tx)
}

/**
 * Deletes mappings of destination items that are about to become copies of other source items, because their own no
 * longer exist (B6).
 */
export async function releaseClaims(tx: InTransaction, pair: StorePair, mappings: Mapping[]): Promise<void> {
  if (mappings.length === 0 || pair.simulatedBy !== undefined) return
  const claims = mappings.map(({ scope, component, sourceId, destinationId }) => ({
    scope,
    component,
    sourceId,
    destinationId,
  }))
  await sql`
    delete from mappings as old
    using jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as m("scope" text, "component" text, "sourceId" text,
      "destinationId" text)
    ${joinSets(pair)}
    where old.set_id = s.id and old.destination_id = m."destinationId" and old.source_id <> m."sourceId"
      and not old.many_to_one`.execute(tx)
}

/**
 * Items this run finished without a destination checksum, ordered by source id. `ownOnly`: only those that it created.
 * The condition on `after` is repeated
 * for both tables; otherwise a merge join would start at the first mapping for each page.
 */
export async function rootsWithoutChecksum(
  database: Database,
  pair: StorePair,
  requested: { runId: string; scope: string; component: string; after: string; limit: number; ownOnly: boolean },
): Promise<Columns<'mappings', 'sourceId' | 'destinationId'>[]> {
  const { rows } = await sql<Columns<'mappings', 'sourceId' | 'destinationId'>>`
    select m.source_id as "sourceId", m.destination_id as "destinationId" from ledger l
    join mappings m on m.source_id = l.source_id
    where l.run_id = ${requested.runId} and l.component = ${requested.component} and l.source_id > ${requested.after}
      and m.source_id > ${requested.after} and l.state in ('created', 'updated', 'matched')
      and m.set_id = ${setId(pair, requested)}
      and m.draft_checksum is not null and m.destination_checksum is null
      and (not ${requested.ownOnly}::boolean or m.run_id = l.run_id)
    order by l.source_id limit ${requested.limit}`.execute(database)
  return rows
}

export async function saveDestinationChecksums(
  tx: InTransaction,
  pair: StorePair,
  scope: string,
  component: string,
  sums: { destinationId: string; checksum: string }[],
): Promise<void> {
  if (sums.length === 0) return
  await sql`
    update mappings as m set destination_checksum = s.checksum
    from jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) as s("destinationId" text, checksum text)
    cross join lateral (
      select ctid as row_at from mappings
      where set_id = ${setId(pair, { scope, component })} and destination_id = s."destinationId" offset 0) copy
    where m.ctid = copy.row_at`.execute(tx)
}

/** Deletes mappings of items that no longer exist at the destination. */
export async function forgetMappings(
  tx: InTransaction,
  pair: StorePair,
  items: { scope: string; component: string; sourceId: string }[],
): Promise<void> {
  if (items.length === 0) return
  if (pair.simulatedBy !== undefined) return forgetSimulated(tx, pair.simulatedBy, items)
  await sql`
    delete from mappings
    where (set_id, source_id) in (
      select s.id, m."sourceId"
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as m("scope" text, "component" text, "sourceId" text)
      ${joinSets(pair)})`.execute(tx)
}
