import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { freePort } from '../src/db/postgres/free-port.ts'
import { cpuSeconds } from './parts/cpu-seconds.ts'
import { median } from './parts/load.ts'
import { completed, ended, type Service, startService } from './parts/running-service.ts'
import { type RunningSandbox, sandboxProcess } from './parts/sandbox-process.ts'
import { numberOfCalls } from './parts/store-calls.ts'
import type { BenchResult } from './run.ts'

const script = fileURLToPath(new URL('./parts/plain-script.ts', import.meta.url))
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
/** The latency of every call, in milliseconds. */
const latency = 20
const entities = ['brands', 'categories', 'products']
/**
 * The ratios today, with some tolerance for the machine; the next goal is a script with 10 calls. Decision 0011 has the
 * measurements.
 */
const bounds = { atTen: 0.6, atMany: 0.35, cpu: 9 }

interface Copy {
  by: string
  seconds: number
  calls: number
  products: number
  cpuSeconds: number
}

/**
 * A catalogue of 1,000 products, copied from a store to an empty one without a quota: Storeferry compared with a plain
 * script that makes the same copies with 10 and with 24 calls in flight, in turns; a comparison shows that they are the
 * same. `BENCH_ROUNDS` sets a number of rounds other than three; medians are judged.
 */
export async function bench(): Promise<BenchResult> {
  const copies: Copy[] = []
  for (let round = 0; round < rounds; round++) copies.push(...(await oneRound({ compares: round === 0 })))
  const by = [...Map.groupBy(copies, (copy) => copy.by)].map(([name, some]) => [name, mediansOf(some)] as const)
  const of = Object.fromEntries(by)
  const [ours, ten, many] = [of.Storeferry, of['script, 10 at once'], of['script, 24 at once']]
  if (!ours || !ten || !many) throw new Error('A copy is missing')
  const rate = (copy: Medians) => copy.products / copy.seconds
  return {
    rows: by.map(([name, { seconds, calls, products, cpuSeconds }]) => ({
      'copied by': name,
      seconds: seconds.toFixed(1),
      calls,
      'calls/s': (calls / seconds).toFixed(0),
      'products/s': (products / seconds).toFixed(0),
      'processor seconds': cpuSeconds.toFixed(1),
    })),
    ratios: [
      { name: 'products/s to the script at 10', ratio: rate(ours) / rate(ten), bound: { atLeast: bounds.atTen } },
      { name: 'products/s to the script at 24', ratio: rate(ours) / rate(many), bound: { atLeast: bounds.atMany } },
      {
        name: 'processor seconds to the script at 10',
        ratio: ours.cpuSeconds / ten.cpuSeconds,
        bound: { atMost: bounds.cpu },
      },
    ],
  }
}

type Medians = Omit<Copy, 'by'>

function mediansOf(copies: Copy[]): Medians {
  const of = (value: (copy: Copy) => number) => median(copies.map(value))
  return {
    seconds: of(({ seconds }) => seconds),
    calls: of(({ calls }) => calls),
    products: of(({ products }) => products),
    cpuSeconds: of(({ cpuSeconds }) => cpuSeconds),
  }
}

async function oneRound({ compares }: { compares: boolean }): Promise<Copy[]> {
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-bench-'))
  await using ending = new AsyncDisposableStack()
  ending.defer(() => rm(directory, { recursive: true }))
  const sandbox = await sandboxProcess({
    port: await freePort(),
    adminToken: randomBytes(16).toString('hex'),
    plan: 'unlimited',
    latencyMs: { read: latency, write: latency, heavy: latency },
    stores: ['source', 'ours', 'ten', 'many'].map((hash) => ({
      ...{ name: hash, hash, seed: hash === 'source' ? 'small' : 'empty' },
    })),
  })
  ending.defer(() => sandbox.stop())
  const service = await startService(directory, sandbox.url)
  ending.defer(() => service.stop())
  for (const hash of ['source', 'ours', 'ten']) await connect(service, sandbox, hash)
  const copies = [
    await copiedByScript(sandbox, 'ten', 10),
    await copiedByService(service, sandbox),
    await copiedByScript(sandbox, 'many', 24),
  ]
  if (compares) await expectSameCopy(service)
  return copies
}

function connect({ organisation, app }: Service, { stores }: RunningSandbox, hash: string) {
  return app.administration.connectStore({ organisation, hash, token: stores[hash]?.token ?? '', label: hash })
}

/** The script must copy as much as Storeferry does, or it would be faster only by leaving things out. */
async function expectSameCopy({ api }: Service): Promise<void> {
  const body = { source: 'source', destination: 'ten', entities, mode: 'verify' }
  const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', body)
  const { summaryLine } = await ended(api, requestId)
  if (!summaryLine.endsWith('all are equal.')) throw new Error(`The script's copy is not the same: ${summaryLine}`)
}

async function copiedByScript(sandbox: RunningSandbox, hash: string, concurrency: number): Promise<Copy> {
  const store = (name: string) => ({ path: `/stores/${name}`, token: sandbox.stores[name]?.token ?? '' })
  const options = { source: store('source'), destination: store(hash), concurrency }
  const { stdout } = await promisify(execFile)(process.execPath, [script, sandbox.url, JSON.stringify(options)])
  const { refused, ...copy } = JSON.parse(stdout) as Medians & { refused: Record<string, number> }
  if (Object.keys(refused).length > 0) throw new Error(`The script was refused: ${JSON.stringify(refused)}`)
  return { by: `script, ${concurrency} at once`, ...copy }
}

async function copiedByService({ api }: Service, sandbox: RunningSandbox): Promise<Copy> {
  const [source, destination] = ['source', 'ours'] as const
  for (const hash of [source, destination]) await sandbox.admin(hash, '/requests', 'DELETE')
  const cpuBefore = await cpuSeconds(sandbox.pid)
  const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', { source, destination, entities })
  const { timestamps, phases } = await completed(api, requestId)
  const counted = await Promise.all([source, destination].map((hash) => numberOfCalls(sandbox, hash)))
  return {
    by: 'Storeferry',
    seconds: (Date.parse(timestamps.updated) - Date.parse(timestamps.started ?? timestamps.created)) / 1_000,
    calls: counted.reduce((sum, calls) => sum + calls, 0),
    products:
      phases.find(({ key }) => key === 'products')?.components.find(({ key }) => key === 'products')?.success ?? 0,
    cpuSeconds: (await cpuSeconds(sandbox.pid)) - cpuBefore,
  }
}
