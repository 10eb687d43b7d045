import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import { itemsLosingChildren, plannedChildren, plannedItems, plannedSet } from '../../src/db/ledger/deletions.ts'
import { endItems } from '../../src/db/ledger/ledger.ts'
import { claimsOf, saveDestinationChecksums } from '../../src/db/ledger/mappings.ts'
import { candidatesAfter, findCandidates } from '../../src/db/ledger/prune.ts'
import { MappingBook, ReferenceBook } from '../../src/engine/core/references.ts'
import { products } from '../../src/entities/catalog/products.ts'
import { createDatabase } from '../harness/postgres.ts'

/** Enough rows to make a full scan visible. */
const manyItems = 20_000

/** A product that names a brand, three categories and a channel of its own. */
function product(id: number) {
  return {
    id,
    name: `Product ${id}`,
    type: 'physical',
    brand_id: id,
    categories: [id, id + 1_000, id + 2_000],
    channels: [id],
    variants: [],
  }
}

/** A database that accepts rows without their organisation, stores and run, and its recorded queries. */
async function listened() {
  const { url, drop } = await createDatabase()
  const queries: { sql: string; parameters: readonly unknown[] }[] = []
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // Dropping the database cuts an idle connection.
  pool.on('error', () => undefined)
  await pool.query('set session_replication_role = replica')
  const database: Database = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push({ sql: query.sql, parameters: query.parameters }),
  })
  return { database, pool, queries, drop }
}

/** Adds mappings of a component between the stores $2 and $3 of the organisation $1. */
const inNewSet = (component: string) => `
  with new_set as (
    insert into mapping_sets (organisation_id, source_store_id, destination_store_id, scope, component)
    values ($1, $2, $3, 'store', '${component}') returning id)
  insert into mappings (set_id, source_id, destination_id, origin, run_id)`

function someRun() {
  const pair = { organisationId: randomUUID(), sourceStoreId: randomUUID(), destinationStoreId: randomUUID() }
  return { pair, runId: randomUUID() }
}

test.each([1, 10, 250])('E5: the references of a page of %i products take one query', async (size) => {
  const { database, queries, drop } = await listened()
  try {
    const { pair } = someRun()
    const book = new ReferenceBook(new MappingBook(database, pair, { source: null, destination: null }), {
      sourceHash: 'source',
      originals: null,
      moves: null,
      anyMoved: false,
    })
    const [pass] = products.passes
    if (!pass) throw new Error('Products are read in no pass.')
    const page = Array.from({ length: size }, (_, at) => product(at + 1))
    const resolved = await book.resolve(pass, page)
    expect(resolved).toHaveLength(size)
    // Nothing is mapped yet: every reference of every product was looked up in one query.
    expect(resolved.every((one) => 'missing' in one && one.missing.length === 5)).toBe(true)
    expect(queries).toHaveLength(1)
  } finally {
    await database.destroy()
    await drop()
  }
})

test('E5: in a run of 20,000 items, mappings and ledger rows are found by the index on their key, without a table scan', async () => {
  const { database, pool, queries, drop } = await listened()
  try {
    const { pair, runId } = someRun()
    await pool.query(
      `${inNewSet('orders')} select id, n::text, 'd' || n, 'created', $4 from new_set, generate_series(1, ${manyItems}) n`,
      [pair.organisationId, pair.sourceStoreId, pair.destinationStoreId, runId],
    )
    const begun = `insert into ledger (run_id, component, source_id, pass, root_id, state)
      select $1, 'orders', n::text, 'orders', n::text, $2 from generate_series($3::int, $4::int) n`
    await pool.query(begun, [runId, 'created', 1, manyItems])
    await pool.query('analyze mappings, ledger')
    // Items planned after the tables were analysed.
    await pool.query(begun, [runId, 'pending', manyItems + 1, manyItems + 2_000])
    await database.transaction().execute(async (tx) => {
      expect(await claimsOf(tx, pair, 'store', 'orders', ['d7'])).toEqual(new Map([['d7', '7']]))
      await saveDestinationChecksums(tx, pair, 'store', 'orders', [{ destinationId: 'd7', checksum: 'sum' }])
      const ended = [{ component: 'orders', sourceId: String(manyItems + 8), state: 'created' as const }]
      expect(await endItems(tx, runId, ended)).toMatchObject(ended)
    })
    const statements = queries.filter(({ sql }) => /mappings|ledger/.test(sql))
    expect(statements).toHaveLength(3)
    for (const { sql, parameters } of statements) {
      const { rows } = await pool.query(`explain ${sql}`, [...parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Scan using (mappings_one_to_one|ledger_pkey)/)
      expect(plan).not.toMatch(/Seq Scan on (mappings|ledger)|ledger_pending/)
    }
  } finally {
    await database.destroy()
    await drop()
  }
})

test('E5: items without a source are found without comparing all with all, even before the tables are analysed', async () => {
  const { database, pool, queries, drop } = await listened()
  try {
    const { pair, runId } = someRun()
    const rows = `from generate_series(1, ${manyItems}) n`
    await pool.query(
      `${inNewSet('things')} select id, n::text, 'd' || n, 'created', $4 from new_set, generate_series(1, ${manyItems}) n
       where n % 2 = 0`,
      [pair.organisationId, pair.sourceStoreId, pair.destinationStoreId, runId],
    )
    await pool.query(
      `insert into destination_items (run_id, component, destination_id, body) select $1, 'things', 'd' || n, '{}' ${rows}`,
      [runId],
    )
    await pool.query(
      `insert into destination_keys (run_id, component, key, destination_id) select $1, 'things', 'k' || n, 'd' || n ${rows}`,
      [runId],
    )
    await pool.query(
      `insert into source_keys (run_id, component, key) select $1, 'things', 'k' || n ${rows} where n % 2 = 0 or n > 3`,
      [runId],
    )
    // The item with the highest id was copied, and is not in the source any more.
    await pool.query(
      `insert into source_ids (run_id, component, source_id) select $1, 'things', n::text ${rows} where n % 2 = 0 and n < ${manyItems}`,
      [runId],
    )
    await pool.query(`delete from source_keys where run_id = $1 and key = $2`, [runId, `k${manyItems}`])
    await findCandidates(database, pair, { runId, scope: 'store', component: 'things' })
    const found = await candidatesAfter(database, { runId, component: 'things', after: '', limit: 500 })
    expect(found.map(({ destinationId, sourceId }) => [destinationId, sourceId])).toEqual([
      ['d1', null],
      [`d${manyItems}`, String(manyItems)],
      ['d3', null],
    ])
    const statement = queries.findLast(({ sql }) => sql.includes('insert into prune_candidates'))
    const { rows: plan } = await pool.query(`explain ${statement?.sql}`, [...(statement?.parameters ?? [])])
    const words = plan.map((row) => row['QUERY PLAN']).join('\n')
    // They look up the mapping of each item that was found, and the copies from each other source; there must be no other join.
    expect(words.match(/Nested Loop( Left Join)?|Join/g)).toEqual(['Nested Loop Left Join', 'Nested Loop'])
  } finally {
    await database.destroy()
    await drop()
  }
})

test('E5: a list of 20,000 deletions is read in pages by index, whatever else the run has deleted', async () => {
  const { database, pool, queries, drop } = await listened()
  try {
    const { pair, runId } = someRun()
    const rows = `from generate_series(1, ${manyItems}) n`
    await pool.query(
      `insert into deletions (organisation_id, run_id, pass, root_id, phase, component, destination_id, item, reason, state)
       select $1, $2, 'things', case when n % 2 = 0 then 'r' || n else '' end, 'things', 'things', 'd' || n, '{}', 'destination_only',
         case when n % 10 = 0 then 'deleted' else 'planned' end ${rows}`,
      [pair.organisationId, runId],
    )
    await pool.query(
      `insert into prune_candidates (run_id, component, destination_id) select $1, 'things', 'd' || n ${rows}`,
      [runId],
    )
    await pool.query(
      `insert into destination_items (run_id, component, destination_id, body) select $1, 'things', 'd' || n, '{}' ${rows}`,
      [runId],
    )
    await pool.query('analyze deletions, prune_candidates, destination_items')
    const of = { pass: 'things', component: 'things' }
    const all = { pass: 'things', which: 'all' as const }
    expect(await plannedItems(database, runId, of, { after: { position: 0, id: 11 }, limit: 50 })).toHaveLength(50)
    expect(await itemsLosingChildren(database, runId, all, { after: 'r12', limit: 10 })).toHaveLength(10)
    expect(await plannedChildren(database, runId, all, ['r12'])).toHaveLength(1)
    expect(await candidatesAfter(database, { runId, component: 'things', after: 'd12', limit: 500 })).toHaveLength(500)
    for await (const page of plannedSet(database, runId)) expect(page.length).toBeGreaterThan(0)
    expect(queries.length).toBeGreaterThan(8)
    for (const { sql, parameters } of queries) {
      const { rows: plan } = await pool.query(`explain ${sql}`, [...parameters])
      const words = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(words).not.toMatch(/Seq Scan/)
    }
  } finally {
    await database.destroy()
    await drop()
  }
})
