import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Seed } from '../sandbox/seeds/plant-seed.ts'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { freePort } from '../src/db/postgres/free-port.ts'
import { specs } from '../test/entities/specs/all-specs.ts'
import { fewestOfEveryRun, Shops, type State } from './parts/fewest-calls.ts'
import { ended, startService } from './parts/running-service.ts'
import { sandboxProcess } from './parts/sandbox-process.ts'
import type { BenchResult } from './run.ts'

/**
 * How many times the fewest calls a full copy may take (E1, E2). Preflight, the forecast and second reads of lists (G2)
 * cost about the same on every seed, so they weigh more on smaller ones; on `tiny` they cost more than the copy.
 */
const BOUNDS: Partial<Record<Seed, number>> = { small: 1.15, medium: 1.15 }

const stores = ['source', 'destination'] as const

/**
 * A full copy of a store into an empty one with default options: the calls that both stores counted, compared with the
 * fewest that the platform allows. Those are calculated only from the source's rows, and from page and batch sizes.
 *
 * `BENCH_SEED` copies a seed other than `medium`. A seed without a bound is only measured.
 */
export async function bench(): Promise<BenchResult> {
  const seed = (process.env.BENCH_SEED ?? 'medium') as Seed
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-bench-'))
  await using ending = new AsyncDisposableStack()
  ending.defer(() => rm(directory, { recursive: true }))
  const sandbox = await sandboxProcess({
    port: await freePort(),
    adminToken: randomBytes(16).toString('hex'),
    stores: stores.map((hash) => ({ name: hash, hash, seed: hash === 'source' ? seed : 'empty' })),
  })
  ending.defer(() => sandbox.stop())
  const service = await startService(directory, sandbox.url)
  ending.defer(() => service.stop())
  const { organisation, app } = service
  for (const hash of stores)
    await app.administration.connectStore({ organisation, hash, token: sandbox.stores[hash]?.token ?? '', label: hash })
  const { admin } = sandbox
  const [source, destination] = [await admin<State>('source', '/state'), await admin<State>('destination', '/state')]
  for (const hash of stores) await admin(hash, '/requests', 'DELETE')
  const body = { source: 'source', destination: 'destination' }
  const { requestId } = await service.api<MigrationDetail>('POST', '/v2/migrations', body)
  const { status, failuresOpen, summaryLine } = await ended(service.api, requestId)
  // Items that are not copied cost nothing, so the copy must be complete.
  if (status !== 'completed' || failuresOpen > 0) throw new Error(`The copy ended ${status}: ${summaryLine}`)
  // Entries of long runs are dropped, but the counts are kept.
  const counted = await Promise.all(stores.map((hash) => admin<{ paths: Counts }>(hash, '/requests?limit=1')))
  return judge(
    { source, destination },
    counted.flatMap(({ paths }) => Object.entries(paths)),
    BOUNDS[seed],
  )
}

const fewest = [
  ...specs.flatMap((spec) => (spec.fewest ? [{ entity: spec.entity, ...spec.fewest }] : [])),
  { entity: 'every run', ...fewestOfEveryRun },
]

/** Number of calls by method and path, with a star in place of each id. */
type Counts = Record<string, number>

function judge(
  { source, destination }: Record<(typeof stores)[number], State>,
  counted: [string, number][],
  atMost: number | undefined,
): BenchResult {
  const shops = new Shops(source, destination)
  const withoutRules = new Shops(source, destination, { rules: false })
  const made = new Map(fewest.map(({ entity }) => [entity, 0]))
  for (const [call, count] of counted) {
    const entity = entityOf(call)
    made.set(entity, (made.get(entity) ?? 0) + count)
  }
  const rows = fewest.map(({ entity, tables, reads, looks, writes }) => {
    const formula = reads(shops) + looks(shops) + writes(shops)
    const bare = reads(withoutRules) + writes(withoutRules)
    const rowsOfTables = tables.reduce((sum, table) => sum + shops.count(table), 0)
    return { entity, rows: rowsOfTables, 'without rules': bare, formula, made: made.get(entity) ?? 0 }
  })
  const total = (of: 'rows' | 'without rules' | 'formula' | 'made') => rows.reduce((sum, row) => sum + row[of], 0)
  const whole = {
    entity: 'all',
    rows: total('rows'),
    'without rules': total('without rules'),
    formula: total('formula'),
    made: total('made'),
  }
  return {
    rows: [...rows, whole].map((row) => ({ ...row, ratio: (row.made / row.formula).toFixed(2) })),
    ratios:
      atMost === undefined
        ? []
        : [{ name: 'calls of a full copy to the fewest', ratio: whole.made / whole.formula, bound: { atMost } }],
  }
}

/** @throws for a call that belongs to no entity, or to several */
function entityOf(call: string): string {
  const path = call.slice(call.indexOf(' ') + 1)
  const [owner, ...others] = fewest.filter(({ paths }) => paths.test(path))
  if (!owner || others.length > 0)
    throw new Error(
      `${call} belongs to ${owner ? [owner, ...others].map(({ entity }) => entity).join(' and ') : 'nobody'}`,
    )
  return owner.entity
}
