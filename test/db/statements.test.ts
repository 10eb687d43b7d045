import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { analyseGrown } from '../../src/db/core/analyse-grown.ts'
import { endItems } from '../../src/db/ledger/ledger.ts'
import { groupIssues } from '../../src/db/reports/run-findings.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { fillDatabase, type ManyRows } from './statements/many-rows.ts'
import { pageStatements } from './statements/page-statements.ts'
import {
  mostRowsRead,
  mostRowsSorted,
  openRecorded,
  type RecordedDatabase,
  tablesScanned,
} from './statements/recorded.ts'

/** Enough to make a scan dearer than the look-ups of a page. `npm run bench -- statements` measures five million. */
const rows = 20_000

/** Of a page: at most 250 items, in three components, a few rows each. */
const mostRows = 4_000

describe.each([
  { by: 'PostgreSQL itself', vacuumed: true },
  { by: 'a host, in the first minute of the first run', vacuumed: false },
])('where tables are analysed by $by', ({ vacuumed }) => {
  let database: RecordedDatabase
  let filled: ManyRows
  let drop: () => Promise<void>
  beforeAll(async () => {
    const created = await createDatabase()
    drop = created.drop
    filled = await fillDatabase(created.url, rows, { vacuumed })
    database = openRecorded(created.url)
    // PostgreSQL counts changes with a delay.
    if (!vacuumed)
      await until('they are analysed', async () => (await analyseGrown(database.database)).includes('ledger'))
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })

  test('a table that has not grown since is not analysed again', async () => {
    const isLeftAlone = async () => !(await analyseGrown(database.database)).includes('ledger')
    await until('it is left alone', isLeftAlone)
    expect(await isLeftAlone()).toBe(true)
  })

  test.each(pageStatements)('E5: $name reads a page without scanning a table or what comes before the page', async ({
    statement,
  }) => {
    const statements = await database.recorded((tx) => statement(tx, filled, 0.9))
    expect(statements.length).toBeGreaterThan(0)
    const scanned = await tablesScanned(database, statements)
    // The others are small here.
    expect(scanned.filter((table) => ['ledger', 'mappings'].includes(table))).toEqual([])
    expect(await mostRowsRead(database, statements)).toBeLessThan(mostRows)
  })
})

test('groups of the issues of a run are counted without sorting its issues', async () => {
  const created = await createDatabase()
  const { pair, runId } = await fillDatabase(created.url, 1_000)
  const database = openRecorded(created.url)
  onTestFinished(async () => {
    await database.close()
    await created.drop()
  })
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item)
    select ${pair.organisationId}, ${runId}, 'things', 'things', 'failure', 'code ' || n % 3, 'm', 'r', 'added ' || n, '{}'
    from generate_series(1, ${rows}::integer) n`.execute(database.database)
  await sql`analyze issues`.execute(database.database)
  const statements = await database.recorded((tx) =>
    groupIssues(tx, { organisationId: pair.organisationId, runId }, 'code', { state: 'open' }),
  )
  expect(statements).toHaveLength(1)
  expect(await mostRowsSorted(database, statements)).toBeLessThan(100)
})

test('E5: the items of one large call end without being compared with all that are pending', async () => {
  const created = await createDatabase()
  const { runId } = await fillDatabase(created.url, 1_000)
  const database = openRecorded(created.url)
  onTestFinished(async () => {
    await database.close()
    await created.drop()
  })
  const addLevels = (state: 'created' | 'pending', first: number, last: number) =>
    sql`
      insert into ledger (run_id, component, source_id, pass, root_id, state)
      select ${runId}, 'levels', 'level ' || n, 'levels', 'level ' || n, ${state}
      from generate_series(${first}::integer, ${last}::integer) n`.execute(database.database)
  // As PostgreSQL last saw the table, nothing was pending. In a smaller one it would choose another plan.
  await addLevels('created', 1, 100_000)
  await sql`update ledger set state = 'created' where state = 'pending'`.execute(database.database)
  await sql`analyze ledger`.execute(database.database)
  await addLevels('pending', 100_001, 104_000)
  const ends = Array.from({ length: 2_000 }, (_, at) => ({
    component: 'levels',
    sourceId: `level ${100_001 + at}`,
    state: 'created' as const,
  }))
  const statements = await database.recorded(async (tx) => {
    expect(await endItems(tx, runId, ends)).toHaveLength(ends.length)
  })
  expect(await mostRowsRead(database, statements)).toBeLessThan(200_000)
})
