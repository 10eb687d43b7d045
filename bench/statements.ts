import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '../src/clock.ts'
import { openDatabase } from '../src/db/core/database.ts'
import { startEmbeddedPostgres } from '../src/db/postgres/embedded-postgres.ts'
import { removeEmbeddedPostgres } from '../src/db/postgres/remove-embedded-postgres.ts'
import { createLog } from '../src/log.ts'
import { fillDatabase, type ManyRows } from '../test/db/statements/many-rows.ts'
import { pageStatements } from '../test/db/statements/page-statements.ts'
import { fillDoomed, pruneAll } from '../test/db/statements/pruned.ts'
import { openRecorded, type RecordedDatabase, tablesScanned } from '../test/db/statements/recorded.ts'
import { wholeStatements } from '../test/db/statements/whole-statements.ts'
import { median } from './parts/load.ts'
import type { BenchResult, Ratio } from './run.ts'

const few = 50_000
const many = Number(process.env.BENCH_ROWS ?? 5_000_000)
/** Pages for which each statement is measured, spread over its table. */
const pages = 20

/**
 * The statements of a run over a ledger and mappings of 5,000,000 rows, compared with 50,000 (E5): statements for a
 * page take as long and scan no table, statements over everything grow at most in proportion, and a prune of twice as
 * many items takes about twice as long. The queries are those of `src/db`. `BENCH_ROWS` sets another number of rows;
 * 5,000,000 take a quarter of an hour.
 */
export async function bench(): Promise<BenchResult> {
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-bench-'))
  await using ending = new AsyncDisposableStack()
  ending.defer(() => rm(directory, { recursive: true }))
  const log = createLog({ level: 'error', role: 'bench', destination: process.stderr })
  const dataDirectory = join(directory, 'service')
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, clock: systemClock })
  ending.defer(async () => {
    await postgres.stop()
    await removeEmbeddedPostgres(dataDirectory)
  })
  await createDatabases(postgres.url('postgres'))
  const small = await measure(postgres.url(nameOf(few)), few)
  const large = await measure(postgres.url(nameOf(many)), many)
  const prunes = await measurePrunes(postgres.url(nameOf(many)), large.filled)
  return {
    rows: [...rowsOf(small.pages, large.pages), ...rowsOf(small.whole, large.whole)],
    ratios: [
      { name: 'a page', ratio: total(large.pages) / total(small.pages), bound: { atMost: 1.5 } },
      { name: 'statements of pages that scan a table', ratio: scanning(large.pages).length, bound: { atMost: 0 } },
      worstOf(small.whole, large.whole),
      { name: 'a prune of twice as many items', ratio: prunes, bound: { atMost: 2.2 } },
    ],
  }
}

const nameOf = (rows: number) => `rows_${rows}`

async function createDatabases(url: string): Promise<void> {
  const admin = openDatabase(url, { connections: 1 })
  try {
    for (const rows of [few, many]) await sql.raw(`create database ${nameOf(rows)}`).execute(admin)
  } finally {
    await admin.destroy()
  }
}

/** Milliseconds, and the item tables that are scanned. */
interface Measured {
  ms: number
  scanned: string[]
}

type Figures = Map<string, Measured>

async function measure(url: string, rows: number): Promise<{ filled: ManyRows; pages: Figures; whole: Figures }> {
  const begun = performance.now()
  const filled = await fillDatabase(url, rows)
  console.log(`${rows} rows filled in ${Math.round((performance.now() - begun) / 1000)} s`)
  const recorded = openRecorded(url)
  try {
    return { filled, pages: await measurePages(recorded, filled), whole: await measureWhole(recorded, filled) }
  } finally {
    await recorded.close()
  }
}

/** All statements in turns, so that other load on the machine affects all of them equally; the first round warms up. */
async function measurePages(database: RecordedDatabase, filled: ManyRows): Promise<Figures> {
  const times = new Map(pageStatements.map(({ name }) => [name, [] as number[]]))
  const scanned = new Map<string, string[]>()
  for (let page = 0; page <= pages; page++)
    for (const { name, statement } of pageStatements) {
      const at = ((page * 7) % pages) / pages
      const statements = await database.recorded((tx) => statement(tx, filled, at))
      if (page > 0) times.get(name)?.push(statements.reduce((sum, { ms }) => sum + ms, 0))
      else scanned.set(name, await tablesScanned(database, statements))
    }
  return new Map([...times].map(([name, taken]) => [name, { ms: median(taken), scanned: scanned.get(name) ?? [] }]))
}

async function measureWhole(database: RecordedDatabase, filled: ManyRows): Promise<Figures> {
  const found: Figures = new Map()
  for (const [name, statement] of Object.entries(wholeStatements)) {
    const statements = await database.recorded((tx) => statement(tx, filled))
    const ms = statements.reduce((sum, one) => sum + one.ms, 0)
    found.set(name, { ms, scanned: await tablesScanned(database, statements) })
  }
  return found
}

/** @returns the ratio of the times of a prune of twice as many items and a simple one */
async function measurePrunes(url: string, filled: ManyRows): Promise<number> {
  const items = many / 50
  const database = openDatabase(url, { connections: 1 })
  const seconds: number[] = []
  try {
    for (const count of [items / 10, items, 2 * items]) {
      const component = `doomed-${count}`
      await fillDoomed(url, filled, component, count)
      const begun = performance.now()
      const deleted = await pruneAll(database, filled, component)
      if (deleted !== count) throw new Error(`${deleted} of ${count} items were deleted.`)
      seconds.push((performance.now() - begun) / 1000)
      console.log(`${count} items pruned in ${seconds.at(-1)?.toFixed(1)} s`)
    }
  } finally {
    await database.destroy()
  }
  // The first one only warms up.
  return (seconds[2] ?? Number.NaN) / (seconds[1] ?? Number.NaN)
}

const total = (figures: Figures) => [...figures.values()].reduce((sum, { ms }) => sum + ms, 0)

const scanning = (figures: Figures) => [...figures.values()].filter(({ scanned }) => scanned.length > 0)

/** Below a few milliseconds, the overhead of a statement exceeds the cost of its rows. */
const LEAST_MS = 5

/**
 * A statement that grows faster than the rows would be a hundred times as slow here; sorting on disk doubles the cost
 * of each row.
 */
function worstOf(small: Figures, large: Figures): Ratio {
  const perRow = ([name, { ms }]: [string, Measured]) => ({
    name: `each row of the worst of the others, ${name}`,
    ratio: ms / Math.max(LEAST_MS, small.get(name)?.ms ?? 0) / (many / few),
    bound: { atMost: 3 },
  })
  const worst = [...large].map(perRow).toSorted((a, b) => b.ratio - a.ratio)[0]
  if (!worst) throw new Error('Nothing was measured.')
  return worst
}

function rowsOf(small: Figures, large: Figures): BenchResult['rows'] {
  return [...large].map(([statement, { ms, scanned }]) => {
    const fewMs = small.get(statement)?.ms ?? Number.NaN
    return {
      statement,
      [`ms, ${few} rows`]: fewMs.toFixed(2),
      [`ms, ${many} rows`]: ms.toFixed(2),
      ratio: (ms / fewMs).toFixed(2),
      scans: scanned.join(', '),
    }
  })
}
