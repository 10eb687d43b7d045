import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database, InTransaction } from '../../../src/db/core/database.ts'

interface Recorded {
  sql: string
  parameters: readonly unknown[]
  ms: number
}

/** A database that records its queries, one connection. */
export interface RecordedDatabase {
  database: Database
  pool: pg.Pool
  /** What `work` asks in a transaction that is rolled back. */
  recorded(work: (tx: InTransaction) => Promise<unknown>): Promise<Recorded[]>
  close(): Promise<void>
}

class RolledBack extends Error {}

export function openRecorded(url: string): RecordedDatabase {
  let queries: Recorded[] = []
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // Dropping the database cuts an idle connection.
  pool.on('error', () => undefined)
  const database: Database = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query, queryDurationMillis: ms }) =>
      void queries.push({ sql: query.sql, parameters: query.parameters, ms }),
  })
  const rolledBack = async (tx: Transaction<object>, work: (tx: InTransaction) => Promise<unknown>) => {
    queries = []
    await work(tx)
    throw new RolledBack()
  }
  return {
    database,
    pool,
    async recorded(work) {
      await database
        .transaction()
        .execute((tx) => rolledBack(tx, work))
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error
        })
      return queries.filter(({ sql }) => !/^(begin|commit|rollback|start transaction)\b/i.test(sql))
    },
    close: () => database.destroy(),
  }
}

/** Tables with a row for each item. */
const tablesOfItems = [
  'destination_items',
  'destination_keys',
  'ledger',
  'mappings',
  'planned_keys',
  'planned_mappings',
  'prune_candidates',
  'scope_items',
  'source_ids',
  'source_keys',
  'staged_items',
  'stock_sold',
]

/** Which tables of items the statements would read from beginning to end. */
export async function tablesScanned({ pool }: RecordedDatabase, statements: Recorded[]): Promise<string[]> {
  const scanned: string[] = []
  for (const statement of statements)
    for (const node of nodesOf(await explain(pool, 'format json', statement)))
      if (node['Node Type'] === 'Seq Scan') scanned.push(node['Relation Name'] ?? '')
  return [...new Set(scanned.filter((table) => tablesOfItems.includes(table)))]
}

/** The most rows that one step of a plan has read. The statements are executed again, and rolled back. */
export async function mostRowsRead(database: RecordedDatabase, statements: Recorded[]): Promise<number> {
  const nodes = await executedNodes(database, statements)
  return Math.max(...nodes.map((node) => (rowsOf(node) + (node['Rows Removed by Filter'] ?? 0)) * loopsOf(node)))
}

/** The most rows that one step of a plan has sorted. The statements are executed again, and rolled back. */
export async function mostRowsSorted(database: RecordedDatabase, statements: Recorded[]): Promise<number> {
  const sorts = (await executedNodes(database, statements)).filter(({ 'Node Type': type }) => type.includes('Sort'))
  const read = sorts.flatMap(({ Plans = [] }) => Plans.map((node) => rowsOf(node) * loopsOf(node)))
  return Math.max(0, ...read)
}

const rowsOf = (node: PlanNode) => node['Actual Rows'] ?? 0
const loopsOf = (node: PlanNode) => node['Actual Loops'] ?? 1

async function executedNodes({ pool }: RecordedDatabase, statements: Recorded[]): Promise<PlanNode[]> {
  const nodes: PlanNode[] = []
  await pool.query('begin')
  try {
    for (const statement of statements) nodes.push(...nodesOf(await explain(pool, 'analyze, format json', statement)))
  } finally {
    await pool.query('rollback')
  }
  return nodes
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

async function explain(pool: pg.Pool, how: string, { sql, parameters }: Recorded): Promise<PlanNode[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (${how}) ${sql}`, [...parameters])
  return rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan))
}

function nodesOf(plans: PlanNode[]): PlanNode[] {
  return plans.flatMap((plan) => [plan, ...nodesOf(plan.Plans ?? [])])
}
