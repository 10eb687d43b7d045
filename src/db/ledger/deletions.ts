import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'

export type DeletionToWrite = Columns<
  'deletions',
  'phase' | 'component' | 'destinationId' | 'parentId' | 'parentName' | 'item' | 'reason' | 'sourceId' | 'above'
>

/** A child of an item that is kept. */
export type ChildDeletion = Columns<
  'deletions',
  'phase' | 'component' | 'destinationId' | 'parentId' | 'parentName' | 'item' | 'checksum' | 'atOnce'
>

interface RunOf {
  id: string
  organisationId: string
}

/**
 * Forgets deletions that an earlier attempt planned but did not make: whole items are looked for anew, and children are
 * planned with their items.
 */
export async function forgetPlannedDeletions(tx: InTransaction, run: RunOf): Promise<void> {
  await sql`
    delete from deletions
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and root_id = '' and state <> 'deleted'`.execute(
    tx,
  )
}

/** Plans the deletions of a pass, or records what is kept. What is already deleted is not touched. */
export async function saveDeletions(
  tx: InTransaction,
  run: RunOf,
  pass: string,
  deletions: DeletionToWrite[],
  state: 'planned' | 'kept',
): Promise<void> {
  if (deletions.length === 0) return
  await sql`
    insert into deletions (organisation_id, run_id, pass, phase, component, destination_id, parent_id, parent_name, item, reason,
      source_id, above, state)
    select ${run.organisationId}, ${run.id}, ${pass}, d."phase", d."component", d."destinationId", d."parentId", d."parentName",
      d."item", d."reason", d."sourceId", d."above", ${state}
    from jsonb_to_recordset(${JSON.stringify(deletions)}::jsonb) as d("phase" text, "component" text, "destinationId" text,
      "parentId" text, "parentName" text, "item" jsonb, "reason" text, "sourceId" text, "above" text)
    on conflict (run_id, component, destination_id) do nothing`.execute(tx)
}

/** Plans what to delete from one item that is kept, replacing what was planned for it before. */
export async function saveChildDeletions(
  tx: InTransaction,
  run: RunOf,
  { pass, rootId }: { pass: string; rootId: string },
  children: ChildDeletion[],
): Promise<void> {
  const json = JSON.stringify(children)
  const columns = sql`"phase" text, "component" text, "destinationId" text, "parentId" text, "parentName" text, "item" jsonb,
    "checksum" text, "atOnce" boolean`
  await sql`
    delete from deletions
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and pass = ${pass} and root_id = ${rootId}
      and root_id <> '' and state = 'planned' and (component, destination_id) not in (
        select d."component", d."destinationId" from jsonb_to_recordset(${json}::jsonb) as d(${columns}))`.execute(tx)
  if (children.length === 0) return
  await sql`
    insert into deletions (organisation_id, run_id, pass, root_id, phase, component, destination_id, parent_id, parent_name, item,
      reason, checksum, at_once)
    select ${run.organisationId}, ${run.id}, ${pass}, ${rootId}, d."phase", d."component", d."destinationId", d."parentId",
      d."parentName", d."item", 'destination_only', d."checksum", d."atOnce"
    from jsonb_to_recordset(${json}::jsonb) as d(${columns})
    on conflict (run_id, component, destination_id) do update set checksum = excluded.checksum, at_once = excluded.at_once
      where deletions.state = 'planned'`.execute(tx)
}

export async function settleDeletions(
  tx: InTransaction,
  run: RunOf,
  component: string,
  destinationIds: string[],
  state: 'deleted' | 'kept',
): Promise<void> {
  await sql`
    update deletions set state = ${state}, at = now()
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and component = ${component}
      and destination_id = any(${destinationIds}) and state = 'planned'`.execute(tx)
}

/** Keeps everything that is still planned. @returns the components, with the number of items kept in each. */
export async function keepPlanned(
  tx: InTransaction,
  run: RunOf,
): Promise<(Columns<'deletions', 'phase' | 'component'> & { count: number })[]> {
  const { rows } = await sql<Columns<'deletions', 'phase' | 'component'> & { count: number }>`
    with kept as (
      update deletions set state = 'kept', at = now()
      where organisation_id = ${run.organisationId} and run_id = ${run.id} and state = 'planned'
      returning phase, component)
    select phase, component, count(*)::integer as count from kept group by phase, component order by 2`.execute(tx)
  return rows
}

/** Keeps what a run that is cancelled or fails has not deleted. The plan of a dry run stays a plan. */
export async function keepUndeleted(tx: InTransaction, run: RunOf): Promise<void> {
  const { rows } = await sql`select from runs where id = ${run.id} and mode = 'full'`.execute(tx)
  if (rows.length > 0) await keepPlanned(tx, run)
}

/** Drops planned items whose parents, of another component, are planned too: they are deleted with their parents. */
export async function dropBelowPlanned(
  tx: InTransaction,
  runId: string,
  component: string,
  below: string,
): Promise<void> {
  await sql`
    delete from deletions child using deletions parent
    where child.run_id = ${runId} and child.component = ${component} and child.root_id = '' and child.state = 'planned'
      and parent.run_id = ${runId} and parent.component = ${below} and parent.destination_id = child.parent_id
      and parent.root_id = '' and parent.state = 'planned'`.execute(tx)
}

/** Items of a hierarchy that are kept, but were listed below one that is to be deleted. */
export async function keptBelowPlanned(database: Database, runId: string, component: string): Promise<string[]> {
  const { rows } = await sql<Columns<'destination_items', 'destinationId'>>`
    select item.destination_id as "destinationId" from destination_items item
    join deletions parent on parent.run_id = item.run_id and parent.component = item.component
      and parent.destination_id = item.body ->> 'above' and parent.root_id = '' and parent.state = 'planned'
    where item.run_id = ${runId} and item.component = ${component}
      and not exists (
        select from deletions own
        where own.run_id = item.run_id and own.component = item.component and own.destination_id = item.destination_id
          and own.root_id = '' and own.state = 'planned')`.execute(database)
  return rows.map(({ destinationId }) => destinationId)
}

/** Drops planned items of a hierarchy that have a kept item below them, and everything above those. */
export async function dropAboveKept(tx: InTransaction, runId: string, component: string): Promise<void> {
  // `union` removes rows already seen, so the recursion ends even if parents form a loop.
  await sql`
    with recursive kept as (
      select item.body ->> 'above' as id from destination_items item
      where item.run_id = ${runId} and item.component = ${component} and item.body ->> 'above' is not null
        and not exists (
          select from deletions own
          where own.run_id = item.run_id and own.component = item.component and own.destination_id = item.destination_id
            and own.root_id = '' and own.state = 'planned')
      union
      select parent.above from kept
      join deletions parent on parent.run_id = ${runId} and parent.component = ${component}
        and parent.destination_id = kept.id and parent.root_id = '' and parent.state = 'planned'
      where parent.above is not null)
    delete from deletions d using kept
    where d.run_id = ${runId} and d.component = ${component} and d.destination_id = kept.id and d.root_id = ''
      and d.state = 'planned'`.execute(tx)
}

/** Orders deletions in a hierarchy: children before their parents, so that no parent takes children with it unseen. */
export async function orderByDepth(tx: InTransaction, runId: string, component: string): Promise<void> {
  // A loop of parents has no top, so its items are never reached and keep their position.
  await sql`
    with recursive deep as (
      select top.destination_id, 0 as depth from deletions top
      where top.run_id = ${runId} and top.component = ${component} and top.root_id = '' and top.state = 'planned'
        and not exists (
          select from deletions parent
          where parent.run_id = ${runId} and parent.component = ${component} and parent.destination_id = top.above
            and parent.root_id = '' and parent.state = 'planned')
      union all
      select child.destination_id, deep.depth + 1 from deep
      join deletions child on child.run_id = ${runId} and child.component = ${component} and child.above = deep.destination_id
        and child.root_id = '' and child.state = 'planned')
    update deletions d set position = -deep.depth from deep
    where d.run_id = ${runId} and d.component = ${component} and d.destination_id = deep.destination_id`.execute(tx)
}

/** A whole item to delete, as the destination lists it. */
export type PlannedItem = Columns<
  'deletions',
  'id' | 'position' | 'destinationId' | 'sourceId' | 'parentId' | 'above'
> &
  Columns<'destination_items', 'body'>

/** A page of the whole items that a pass deletes, in order, after this position and id. */
export async function plannedItems(
  database: Database,
  runId: string,
  { pass, component }: { pass: string; component: string },
  page: { after: { position: number; id: number } | null; limit: number },
): Promise<PlannedItem[]> {
  const position = page.after?.position ?? -2_147_483_648
  const id = page.after?.id ?? 0
  const { rows } = await sql<PlannedItem>`
    select d.id, d.position, d.destination_id as "destinationId", d.source_id as "sourceId", d.parent_id as "parentId", d.above,
      item.body
    from (
      select id, position, destination_id, source_id, parent_id, above from deletions
      where run_id = ${runId} and pass = ${pass} and root_id = '' and state = 'planned'
        and (position, id) > (${position}::integer, ${id}::bigint)
      order by position, id limit ${page.limit}) d
    cross join lateral (
      select body from destination_items i
      where i.run_id = ${runId} and i.component = ${component} and i.destination_id = d.destination_id
      offset 0) item
    order by d.position, d.id`.execute(database)
  return rows
}

/** Which children a pass deletes: those that block its writes (`at-once`), the others, or all. */
interface ChildrenOf {
  pass: string
  which: 'all' | 'at-once' | 'others'
}

const among = { all: sql`true`, 'at-once': sql`at_once`, others: sql`not at_once` }

/** Items that lose children in a pass, ordered by source id. */
export async function itemsLosingChildren(
  database: Database,
  runId: string,
  { pass, which }: ChildrenOf,
  page: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Columns<'deletions', 'rootId'>>`
    select distinct root_id as "rootId" from deletions
    where run_id = ${runId} and pass = ${pass} and root_id <> '' and state = 'planned' and root_id > ${page.after}
      and ${among[which]}
    order by root_id limit ${page.limit}`.execute(database)
  return rows.map(({ rootId }) => rootId)
}

export type PlannedChild = Columns<'deletions', 'rootId' | 'component' | 'destinationId' | 'item' | 'checksum'>

/** Planned deletions of children of these items. */
export async function plannedChildren(
  database: Database,
  runId: string,
  { pass, which }: ChildrenOf,
  rootIds: string[],
): Promise<PlannedChild[]> {
  const { rows } = await sql<PlannedChild>`
    select root_id as "rootId", component, destination_id as "destinationId", item, checksum from deletions
    where run_id = ${runId} and pass = ${pass} and root_id <> '' and state = 'planned' and root_id = any(${rootIds})
      and ${among[which]}
    order by id`.execute(database)
  return rows
}

/** How many items of a component a run deletes, and how many of those were never confirmed. */
export type ToDelete = Columns<'deletions', 'phase' | 'pass' | 'component'> & { planned: number; unasked: number }

export async function countDeletions(database: Database, runId: string): Promise<ToDelete[]> {
  const { rows } = await sql<ToDelete>`
    select phase, pass, component, (count(*) filter (where state = 'planned'))::integer as planned,
      (count(*) filter (where not confirmed))::integer as unasked
    from deletions where run_id = ${runId} and state in ('planned', 'deleted')
    group by phase, pass, component order by component, pass`.execute(database)
  return rows
}

/** Items listed at the destination by component, including children where its lists show them. */
export async function countListed(database: Database, runId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ component: string; count: number }>`
    select component, count(*)::integer as count from destination_items where run_id = ${runId} group by component
    union all
    select child.key, sum(child.value::integer)::integer from destination_items item
    cross join lateral jsonb_each_text(item.body -> 'children') child
    where item.run_id = ${runId} group by child.key`.execute(database)
  return new Map(rows.map(({ component, count }) => [component, count]))
}

/** Everything planned, in an order that does not depend on when it was found. */
export async function* plannedSet(database: Database, runId: string): AsyncGenerator<PlannedKey[]> {
  const limit = 5000
  for (let after: PlannedKey = { component: '', destinationId: '' }; ; ) {
    const { rows } = await sql<PlannedKey>`
      select component, destination_id as "destinationId" from deletions
      where run_id = ${runId} and state = 'planned'
        and (component, destination_id) > (${after.component}, ${after.destinationId})
      order by component, destination_id limit ${limit}`.execute(database)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last
  }
}

type PlannedKey = Columns<'deletions', 'component' | 'destinationId'>

/** Marks everything planned as confirmed by a person. */
export async function confirmDeletions(tx: InTransaction, runId: string): Promise<void> {
  await sql`update deletions set confirmed = true where run_id = ${runId} and state = 'planned' and not confirmed`.execute(
    tx,
  )
}

export type DeletionRow = Columns<
  'deletions',
  'id' | 'phase' | 'component' | 'destinationId' | 'parentId' | 'parentName' | 'item' | 'reason' | 'state' | 'at'
>

/** In the order of the plan; the page after the deletion `after`. */
export async function listDeletions(
  database: Database,
  run: { organisationId: string; runId: string },
  { component, state, text }: { component?: string | undefined; state?: string | undefined; text?: string | undefined },
  page: { after: string | null; limit: number },
): Promise<DeletionRow[]> {
  const { rows } = await sql<DeletionRow>`
    select id, phase, component, destination_id as "destinationId", parent_id as "parentId", parent_name as "parentName", item,
      reason, state, at
    from deletions
    where organisation_id = ${run.organisationId} and run_id = ${run.runId}
      and (${page.after}::bigint is null or id > ${page.after}::bigint)
      and (${component ?? null}::text is null or component = ${component ?? null})
      and (${state ?? null}::text is null or state = ${state ?? null})
      and ${mentions(text, [sql`item ->> 'name'`, sql`item ->> 'sku'`, sql`parent_name`], [sql`destination_id`])}
    order by id limit ${page.limit}`.execute(database)
  return rows
}

export type DeletionCount = Columns<'deletions', 'component'> & { planned: number; deleted: number; kept: number }

/** How many items of each component are planned, deleted and kept; largest first. */
export async function countDeletionStates(
  database: Database,
  run: { organisationId: string; runId: string },
): Promise<DeletionCount[]> {
  const { rows } = await sql<DeletionCount>`
    select component, (count(*) filter (where state = 'planned'))::integer as planned,
      (count(*) filter (where state = 'deleted'))::integer as deleted,
      (count(*) filter (where state = 'kept'))::integer as kept
    from deletions where organisation_id = ${run.organisationId} and run_id = ${run.runId}
    group by component order by count(*) desc, component`.execute(database)
  return rows
}
