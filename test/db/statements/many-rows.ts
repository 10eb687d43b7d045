import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../src/db/core/database.ts'
import { migrate } from '../../../src/db/core/migrate.ts'
import type { StorePair } from '../../../src/db/ledger/store-pair.ts'

/** A run in progress over a pair, a dry run over the same pair, and how many rows their tables have. */
export interface ManyRows {
  pair: StorePair
  runId: string
  dryRunId: string
  /** Another store of which the destination has copies, too. */
  otherStoreId: string
  storeHash: string
  /** One of the open failures. */
  issueId: string
  rows: number
  /** Items of the component: ids are 1 to this number. */
  things: number
  /** Products with three variants each; ids as above. */
  products: number
}

/** Items of a component that are under way, however many there are. */
export const pendingItems = 300

/**
 * Fills an empty database with a ledger and mappings of so many rows, and all other tables of a run in proportion. Statements are
 * measured against the largest component, `things`, and against `products` with children.
 */
export async function fillDatabase(url: string, rows: number, { vacuumed = true } = {}): Promise<ManyRows> {
  await migrate(url)
  const many: ManyRows = {
    pair: { organisationId: randomUUID(), sourceStoreId: randomUUID(), destinationStoreId: randomUUID() },
    runId: randomUUID(),
    dryRunId: randomUUID(),
    otherStoreId: randomUUID(),
    storeHash: 'to',
    issueId: randomUUID(),
    rows,
    things: Math.round(rows * 0.6),
    products: Math.round(rows * 0.1),
  }
  const database = openDatabase(url, { connections: 1 })
  try {
    await execute(database, 'set statement_timeout = 0')
    await addStores(database, many)
    // Foreign keys hold; checking each of millions takes longer than everything else.
    await execute(database, 'set session_replication_role = replica')
    if (!vacuumed) await execute(database, withoutAutovacuum)
    for (const statement of fillings(many)) await execute(database, statement)
    if (vacuumed) await execute(database, 'vacuum (analyze)')
  } finally {
    await database.destroy()
  }
  return many
}

/** By itself PostgreSQL learns nothing of the tables, as in the first minute of the first run. */
const withoutAutovacuum = `do $$ declare one record; begin
  for one in select tablename from pg_tables where schemaname = 'public' loop
    execute format('alter table %I set (autovacuum_enabled = false)', one.tablename);
  end loop; end $$`

function execute(database: Database, statement: string): Promise<unknown> {
  return sql.raw(statement).execute(database)
}

async function addStores(database: Database, many: ManyRows): Promise<void> {
  const { organisationId, sourceStoreId, destinationStoreId } = many.pair
  await execute(
    database,
    `insert into organisations (id, name, name_key, store_migration_enabled) values ('${organisationId}', 'One', 'one', true)`,
  )
  const stores = { [sourceStoreId]: 'from', [destinationStoreId]: many.storeHash, [many.otherStoreId]: 'other' }
  for (const [id, hash] of Object.entries(stores))
    await execute(
      database,
      `insert into stores (id, organisation_id, hash, label, token_encrypted)
       values ('${id}', '${organisationId}', '${hash}', 'shop', '')`,
    )
  for (const id of [many.runId, many.dryRunId])
    await execute(
      database,
      `insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
         selective, phases, status)
       values ('${id}', '${organisationId}', '${sourceStoreId}', '${destinationStoreId}', 'full', 'replace', false, '{}', false,
         '[]', 'in_progress')`,
    )
}

/** Components, with how many rows each has of the ledger and of the mappings. */
function components({ things, products }: ManyRows) {
  return [
    { component: 'things', pass: 'things', root: 'n', count: things },
    { component: 'products', pass: 'products', root: 'n', count: products },
    { component: 'variants', pass: 'products', root: '(n - 1) / 3 + 1', count: products * 3 },
  ]
}

/** Adds mappings of a component to a pair that has none: with the ids and the origin, and the columns named. */
export function inNewSet(pair: StorePair, component: string, columns: string): string {
  const { organisationId, sourceStoreId, destinationStoreId } = pair
  return `with new_set as (
      insert into mapping_sets (organisation_id, source_store_id, destination_store_id, scope, component)
      values ('${organisationId}', '${sourceStoreId}', '${destinationStoreId}', 'store', '${component}') returning id)
    insert into mappings (set_id, source_id, destination_id, origin, ${columns})`
}

function fillings(many: ManyRows): string[] {
  const { pair, runId, dryRunId, things, products } = many
  const ofPair = `'${pair.organisationId}', '${pair.sourceStoreId}', '${pair.destinationStoreId}'`
  const items = (count: number) => `from generate_series(1, ${count}) n`
  return [
    ...components(many).flatMap(({ component, pass, root, count }) => [
      `insert into ledger (run_id, component, source_id, pass, root_id, state)
       select '${runId}', '${component}', n::text, '${pass}', (${root})::text,
         case when n > ${count - pendingItems} then 'pending' when n % 1000 = 0 then 'failed' else 'created' end ${items(count)}`,
      `${inNewSet(pair, component, 'owed, draft_checksum, destination_checksum, run_id, extra_children')}
       select id, n::text, (n + 7)::text, 'created',
         case when n % 100 = 0 then array['link:things:1', 'reference:${component}:2'] else '{}' end,
         md5(n::text), case when n % 4 = 1 then null else md5(n::text) end, '${runId}', false from new_set, generate_series(1, ${count}) n`,
      `insert into run_counters (run_id, phase, component, position) values ('${runId}', '${pass}', '${component}', 1)`,
    ]),
    `${inNewSet({ ...pair, sourceStoreId: many.otherStoreId }, 'things', 'run_id')}
     select id, n::text, 'o' || n, 'created', '${runId}' from new_set, generate_series(1, ${Math.round(things * 0.05)}) n`,
    ...['things', 'products'].flatMap((component) => [
      `insert into destination_items (run_id, component, destination_id, body, seen)
       select '${runId}', '${component}', (n + 7)::text,
         jsonb_build_object('item', jsonb_build_object('name', 'Item ' || n, 'path', '/item-' || n || '/'), 'checksum', md5(n::text)),
         n % 20 <> 0 ${items(products)}`,
      `insert into destination_keys (run_id, component, key, destination_id)
       select '${runId}', '${component}', kind || n, (n + 7)::text ${items(products)}, (values ('name:'), ('sku:')) kinds (kind)`,
      `insert into source_ids (run_id, component, source_id) select '${runId}', '${component}', n::text ${items(products)}`,
      `insert into source_keys (run_id, component, key) select '${runId}', '${component}', 'name:' || n ${items(products)}`,
      `insert into prune_candidates (run_id, component, destination_id)
       select '${runId}', '${component}', (n + 7)::text ${items(products)} where n % 20 = 0`,
      `insert into scope_items (run_id, side, component, item_id, why)
       select '${runId}', side, '${component}', n::text, 'met' ${items(products)}, (values ('source'), ('destination')) sides (side)`,
    ]),
    `insert into staged_items (run_id, pass, source_id, parent_id, level, body)
     select '${runId}', 'things', n::text, case when n > 100 then ((n - 1) / 10 + 1)::text end, 0, '{"name": "x"}' ${items(products)}`,
    `insert into planned_mappings (run_id, scope, component, source_id, destination_id, origin, made_by)
     select '${dryRunId}', 'store', 'things', n::text, 'planned:things:' || n, 'created', '${dryRunId}' ${items(products)}`,
    `insert into planned_keys (run_id, key, holder) select '${dryRunId}', 'name:' || n, 'things/' || n ${items(products)}`,
    `insert into issues (id, organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item, destination_id,
       pass, root_id)
     select case when n = 1000 then '${many.issueId}'::uuid else gen_random_uuid() end, '${pair.organisationId}', '${runId}', 'things', 'things', 'failure', 'platform_refused', 'm', 'r', n::text, '{}', null,
       'things', n::text ${items(things - pendingItems)} where n % 1000 = 0`,
    `insert into failed_items (run_id, component, source_id, issue_id)
     select run_id, component, source_id, id from issues where run_id = '${runId}'`,
    `insert into moved_addresses (organisation_id, source_store_id, destination_store_id, component, source_id, source_path,
       destination_path)
     select ${ofPair}, 'products', n::text, '/item-' || n, '/item-' || n || '-1/' ${items(products)} where n % 1000 = 0`,
    `insert into intents (organisation_id, source_store_id, destination_store_id, run_id, epoch, scope, component, action, pass, items)
     select ${ofPair}, '${runId}', 1, 'store', 'things', 'create', 'things', jsonb_build_array(jsonb_build_object('sourceId', n::text))
     ${items(50)}`,
    `insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id, desired)
     values ('BC', '${many.storeHash}', 'stock', 'orders', '', '${pair.organisationId}', '${pair.destinationStoreId}', '${runId}', '{}')`,
    `insert into stock_sold (platform, store_hash, organisation_id, source_store_id, destination_store_id, component, source_id,
       product_id, variant_id, quantity)
     select 'BC', '${many.storeHash}', ${ofPair}, 'things', n::text, n, 0, 1 ${items(products)}`,
    `insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, source_store_id, destination_store_id,
       run_id, desired, due_at, tried_at)
     select 'BC', '${many.storeHash}', 'deferred-write', 'things', n::text, ${ofPair}, '${runId}', '{}', now(),
       now() - interval '1 hour' ${items(200)}`,
  ]
}
