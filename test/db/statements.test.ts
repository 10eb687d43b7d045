import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyseGrown } from '../../src/db/core/analyse-grown.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { fillDatabase, type ManyRows } from './statements/many-rows.ts'
import { pageStatements } from './statements/page-statements.ts'
import { mostRowsRead, openRecorded, type RecordedDatabase, tablesScanned } from './statements/recorded.ts'

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
