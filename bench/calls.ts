import type { Seed } from '../sandbox/seeds/plant-seed.ts'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { specs } from '../test/entities/specs/all-specs.ts'
import { fewestOfEveryRun, Shops, type State } from './parts/fewest-calls.ts'
import { completed, type Service, startConnected, temporaryDirectory } from './parts/running-service.ts'
import type { RunningSandbox } from './parts/sandbox-process.ts'
import type { BenchResult } from './run.ts'

/**
 * How many times the fewest calls a full copy may take (E1, E2). Preflight, the forecast and second reads of lists (G2)
 * cost about the same on every seed, so they weigh more on smaller ones; on `tiny` they cost more than the copy.
 */
const BOUNDS: Partial<Record<Seed, number>> = { small: 1.12, medium: 1.02 }
/** How many times the calls that read both stores once an unchanged second run may take. */
const AGAIN = 1.05

const stores = ['source', 'destination'] as const

/**
 * A full copy of a store into an empty one with default options: the calls that both stores counted, compared with the
 * fewest that the platform allows. Those are calculated only from the source's rows, and from page and batch sizes. Then
 * the same again, which should only read.
 *
 * `BENCH_SEED` copies a seed other than `medium`. The calls of a seed without a bound are only measured.
 */
export async function bench(): Promise<BenchResult> {
  const seed = (process.env.BENCH_SEED ?? 'medium') as Seed
  await using ending = new AsyncDisposableStack()
  const { sandbox, service } = await startConnected(ending, await temporaryDirectory(ending), {
    stores: stores.map((hash) => ({ name: hash, hash, seed: hash === 'source' ? seed : 'empty' })),
  })
  const { admin } = sandbox
  const [source, destination] = [await admin<State>('source', '/state'), await admin<State>('destination', '/state')]
  for (const hash of stores) await admin(hash, '/requests', 'DELETE')
  const first = await callsOfCopy(service, admin)
  const copy = await admin<State>('destination', '/state')
  for (const hash of stores) await admin(hash, '/requests', 'DELETE')
  const second = await callsOfCopy(service, admin)
  return judge({ source, destination, copy }, { first, second }, BOUNDS[seed])
}

type Counted = [call: string, count: number][]

/** The calls to both stores, by method and path. */
async function callsOfCopy({ api }: Service, admin: RunningSandbox['admin']): Promise<Counted> {
  const body = { source: 'source', destination: 'destination' }
  const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', body)
  await completed(api, requestId)
  // Entries of long runs are dropped, but the counts are kept.
  const counted = await Promise.all(stores.map((hash) => admin<{ paths: Counts }>(hash, '/requests?limit=1')))
  return counted.flatMap(({ paths }) => Object.entries(paths))
}

const fewest = [
  ...specs.flatMap((spec) => (spec.fewest ? [{ entity: spec.entity, ...spec.fewest }] : [])),
  { entity: 'every run', ...fewestOfEveryRun },
]

/** Number of calls by method and path, with a star in place of each id. */
type Counts = Record<string, number>

function judge(
  { source, destination, copy }: Record<(typeof stores)[number] | 'copy', State>,
  { first, second }: Record<'first' | 'second', Counted>,
  atMost: number | undefined,
): BenchResult {
  const shops = new Shops(source, destination)
  const withoutRules = new Shops(source, destination, { rules: false })
  /** The copy read as if it were the source, because a second run reads both. */
  const copied = new Shops(copy, destination)
  const [made, again] = [callsByEntity(first), callsByEntity(second)]
  const rows = fewest.map(({ entity, tables, reads, looks, writes, compares = reads }) => ({
    entity,
    rows: tables.reduce((sum, table) => sum + shops.count(table), 0),
    'without rules': reads(withoutRules) + writes(withoutRules),
    formula: reads(shops) + looks(shops) + writes(shops),
    made: made.get(entity) ?? 0,
    'formula again': reads(shops) + compares(copied),
    'made again': again.get(entity) ?? 0,
  }))
  const total = (of: Exclude<keyof (typeof rows)[number], 'entity'>) => rows.reduce((sum, row) => sum + row[of], 0)
  const whole = {
    entity: 'all',
    rows: total('rows'),
    'without rules': total('without rules'),
    formula: total('formula'),
    made: total('made'),
    'formula again': total('formula again'),
    'made again': total('made again'),
  }
  const isWrite = ([call]: Counted[number]) => !call.startsWith('GET ')
  const writes = second.filter(isWrite).reduce((sum, [, count]) => sum + count, 0)
  return {
    rows: [...rows, whole].map((row) => ({ ...row, ratio: (row.made / row.formula).toFixed(2) })),
    ratios: [
      { name: 'writes of an unchanged second run', ratio: writes, bound: { atMost: 0 } },
      ...(atMost === undefined
        ? []
        : [
            { name: 'calls of a full copy to the fewest', ratio: whole.made / whole.formula, bound: { atMost } },
            {
              name: 'calls of an unchanged second run to the fewest',
              ratio: whole['made again'] / whole['formula again'],
              bound: { atMost: AGAIN },
            },
          ]),
    ],
  }
}

function callsByEntity(counted: Counted): Map<string, number> {
  const made = new Map<string, number>()
  for (const [call, count] of counted) {
    const entity = entityOf(call)
    made.set(entity, (made.get(entity) ?? 0) + count)
  }
  return made
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
