import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { freePort } from '../src/db/postgres/free-port.ts'
import { numberFrom } from './parts/number-from.ts'
import { apiOf, embeddedPostgres, type Login, type Service, signIn, startAppIn } from './parts/running-service.ts'
import { sandboxProcess } from './parts/sandbox-process.ts'
import type { BenchResult } from './run.ts'

const loader = fileURLToPath(new URL('./parts/load-products.ts', import.meta.url))
const directory = process.env.BENCH_DIRECTORY ?? join(tmpdir(), 'storeferry-bench-million')
const stateFile = join(directory, 'state.json')
const many = Number(process.env.BENCH_PRODUCTS ?? 1_000_000)
const few = Math.min(10_000, many / 10)
/** Minutes after which it stops and says how to go on. */
const minutes = Number(process.env.BENCH_MINUTES ?? Number.POSITIVE_INFINITY)
const sampleMs = 5_000
/** The share of the products over which the pace is measured, at the start and at the end. */
const share = 0.1
/** What it reaches today, with some tolerance; the goals are 0.9 and 1.1. */
const bounds = { pace: 0.85, memory: 1.45 }

const copies = [
  { name: 'few', source: 'few', destination: 'fewcopy', products: few },
  { name: 'many', source: 'many', destination: 'manycopy', products: many },
] as const
type Copy = (typeof copies)[number]

interface Sample {
  /** Which start of this program took it: the time between two starts does not count. */
  start: number
  atMs: number
  products: number
  /** The most memory that the run's process has had, if it was alive. */
  peakMiB: number
  databaseMiB: number
}

interface State {
  sandbox: { port: number; adminToken: string }
  starts: number
  login?: Login
  /** By the name of the copy. */
  runs: Record<string, { id: string; samples: Sample[]; ended?: MigrationDetail }>
}

/**
 * A million simple products at no latency and without a quota, after ten thousand: whether the pace at the end is that of
 * the start, and whether the memory of the run's process grows with the store. Takes an hour, which may be spread over
 * several starts: with `BENCH_MINUTES` it stops in time, and the next start in the same `BENCH_DIRECTORY` goes on.
 */
export async function bench(): Promise<BenchResult> {
  const state = await stateOf()
  await using ending = new AsyncDisposableStack()
  let isDone = false
  ending.defer(() => (isDone ? rm(directory, { recursive: true }) : undefined))
  const sandbox = await sandboxProcess({
    ...state.sandbox,
    plan: 'unlimited',
    dataDirectory: join(directory, 'stores'),
    stores: copies.flatMap(({ source, destination }) =>
      [source, destination].map((hash) => ({ name: hash, hash, seed: 'empty' as const, token: `${hash}-token` })),
    ),
  })
  ending.defer(() => sandbox.stop())
  const { app, dataDirectory } = await startAppIn(directory, sandbox.url)
  ending.defer(() => app.stop())
  const postgres = await embeddedPostgres(dataDirectory)
  ending.defer(() => postgres.stop())
  if (!state.login) {
    const { login, organisation } = await signIn(app, 'Bench Outfitters')
    for (const { source, destination } of copies)
      for (const hash of [source, destination])
        await app.administration.connectStore({ organisation, hash, token: `${hash}-token`, label: hash })
    state.login = login
    await keep(state)
  }
  const api = apiOf(app.url, state.login)
  const databaseMiB = () =>
    numberFrom(postgres.url('postgres'), 'select sum(pg_database_size(datname)) / 1048576 as number from pg_database')
  const untilMs = Date.now() + minutes * 60_000
  for (const copy of copies) await work({ copy, state, api, databaseMiB, untilMs })
  isDone = true
  return judge(state)
}

async function stateOf(): Promise<State> {
  const state: State = existsSync(stateFile)
    ? JSON.parse(await readFile(stateFile, 'utf8'))
    : { sandbox: { port: await freePort(), adminToken: randomBytes(16).toString('hex') }, starts: 0, runs: {} }
  if (state.starts === 0) {
    await mkdir(join(directory, 'stores'), { recursive: true })
    for (const { source, products } of copies)
      await promisify(execFile)(process.execPath, [
        loader,
        join(directory, 'stores', `${source}.sqlite`),
        source,
        String(products),
      ])
  }
  state.starts += 1
  await keep(state)
  return state
}

function keep(state: State): Promise<void> {
  return writeFile(stateFile, JSON.stringify(state))
}

interface Work {
  copy: Copy
  state: State
  api: Service['api']
  databaseMiB(): Promise<number>
  untilMs: number
}

async function work({ copy, state, api, databaseMiB, untilMs }: Work): Promise<void> {
  const { name, source, destination, products } = copy
  if (!state.runs[name]) {
    const body = { source, destination, entities: ['categories', 'products'] }
    const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', body)
    state.runs[name] = { id: requestId, samples: [] }
    await keep(state)
  }
  const run = state.runs[name]
  while (!run.ended) {
    const detail = await api<MigrationDetail>('GET', `/v2/migrations/${run.id}`)
    const sample = {
      start: state.starts,
      atMs: Date.now(),
      products: productsOf(detail),
      peakMiB: await peakOfRun(),
      databaseMiB: await databaseMiB(),
    }
    run.samples.push(sample)
    console.error(
      `${name}: ${sample.products} of ${products}, ${sample.peakMiB.toFixed(0)} MiB, database ${sample.databaseMiB.toFixed(0)} MiB`,
    )
    if (!['queued', 'in_progress'].includes(detail.status)) run.ended = detail
    await keep(state)
    if (run.ended) break
    if (Date.now() > untilMs)
      throw new Error(`${sample.products} of ${products} products after ${minutes} minutes; start again to go on`)
    await sleep(sampleMs)
  }
  const { status, failuresOpen, summaryLine } = run.ended
  if (status !== 'completed' || failuresOpen > 0 || productsOf(run.ended) !== products)
    throw new Error(`The copy ended ${status} with ${productsOf(run.ended)} products: ${summaryLine}`)
}

function productsOf({ phases }: MigrationDetail): number {
  return phases.find(({ key }) => key === 'products')?.components.find(({ key }) => key === 'products')?.success ?? 0
}

/** The most memory that the process of a run has had, in MiB; 0 if there is none. Only on systems with `/proc`. */
async function peakOfRun(): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const [command, status] = await Promise.all(
      ['cmdline', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    if (!command?.includes('engine/child/child') || !status?.includes(`PPid:\t${process.pid}\n`)) continue
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
  }
  return 0
}

function judge({ runs }: State): BenchResult {
  const samplesOf = (name: Copy['name']) => runs[name]?.samples ?? []
  const samples = samplesOf('many')
  const [start, end] = [pace(samples, many * 0.02, many * (0.02 + share)), pace(samples, many * (1 - share), many)]
  const peak = (name: Copy['name']) => Math.max(...samplesOf(name).map(({ peakMiB }) => peakMiB))
  const databases = samples.map((one) => one.databaseMiB)
  const before = databases[0] ?? 0
  const bytes = (mebibytes: number) => (((mebibytes - before) * 1_024) / many).toFixed(2)
  return {
    rows: copies.map(({ name, products }) => ({
      products,
      minutes: (workedSeconds(samplesOf(name)) / 60).toFixed(1),
      'products/s': (products / workedSeconds(samplesOf(name))).toFixed(0),
      ...(name === 'many' && {
        'products/s at the start': start.toFixed(0),
        'at the end': end.toFixed(0),
        'KB of database a product, peak': bytes(Math.max(...databases)),
        'after the run': bytes(databases.at(-1) ?? 0),
      }),
      'peak of the run, MiB': peak(name).toFixed(0),
    })),
    ratios: [
      { name: 'products/s at the end to the start', ratio: end / start, bound: { atLeast: bounds.pace } },
      {
        name: 'memory of the run to that of few products',
        ratio: peak('many') / peak('few'),
        bound: { atMost: bounds.memory },
      },
    ],
  }
}

/** Products a second, while the number of products was between the two. */
function pace(samples: Sample[], from: number, to: number): number {
  const some = samples.filter(({ products }) => products >= from && products <= to)
  const ended = some.findIndex(({ products }) => products === to)
  const counted = ended === -1 ? some : some.slice(0, ended + 1)
  return ((counted.at(-1)?.products ?? 0) - (counted[0]?.products ?? 0)) / workedSeconds(counted)
}

function workedSeconds(samples: Sample[]): number {
  return samples.reduce((sum, { start, atMs }, at) => {
    const previous = samples[at - 1]
    return previous?.start === start ? sum + (atMs - previous.atMs) / 1_000 : sum
  }, 0)
}
