import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Seed } from '../sandbox/seeds/plant-seed.ts'
import { removeEmbeddedPostgres } from '../src/app.ts'
import { childEnvironment } from '../src/child-environment.ts'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { freePort } from '../src/db/postgres/free-port.ts'
import { execute } from '../test/harness/postgres.ts'
import { numberFrom } from './parts/number-from.ts'
import { completed, embeddedPostgres, startAppIn, startConnected, temporaryDirectory } from './parts/running-service.ts'
import type { BenchResult } from './run.ts'

const program = fileURLToPath(new URL('../bin/storeferry.cjs', import.meta.url))
const seed = (process.env.BENCH_SEED ?? 'small') as Seed
/** With everything, each of a hundred lists has a few statements of its own, which count for more in a small store. */
const copies = [
  { destination: 'catalogue', entities: ['brands', 'categories', 'products'], statementsAnItem: 0.3 },
  { destination: 'everything', entities: undefined, statementsAnItem: 0.35 },
]

/**
 * What a copy takes of the database: the statements of the run's process and the bytes that stay, for each item that is
 * written, be it the catalogue of `small` or all of it. Then what an operator waits for: seconds from the command
 * `start` until the service is ready, in a new installation and in one that has data. `BENCH_SEED` copies another seed.
 */
export async function bench(): Promise<BenchResult> {
  const copied = await copiesOf()
  const [first, again] = await startsOf()
  return {
    rows: [
      ...copied.map(({ destination, items, statements, bytes }) => ({
        copied: destination,
        items,
        statements,
        'statements an item': (statements / items).toFixed(2),
        'KB of database an item': (bytes / items / 1024).toFixed(2),
      })),
      { 'first start, s': first.toFixed(1), 'start, s': again.toFixed(1) },
    ],
    ratios: copied.map(({ destination, items, statements, statementsAnItem }) => ({
      name: `statements of the run for each item, ${destination}`,
      ratio: statements / items,
      bound: { atMost: statementsAnItem },
    })),
  }
}

type Copied = (typeof copies)[number] & {
  items: number
  statements: number
  bytes: number
}

async function copiesOf(): Promise<Copied[]> {
  await using ending = new AsyncDisposableStack()
  const directory = await temporaryDirectory(ending)
  await prepareCounting(directory)
  const { service } = await startConnected(ending, directory, {
    plan: 'unlimited',
    stores: ['source', ...copies.map(({ destination }) => destination)].map((hash) => ({
      ...{ name: hash, hash, seed: hash === 'source' ? seed : 'empty' },
    })),
  })
  const postgres = await embeddedPostgres(join(directory, 'service'))
  ending.defer(() => postgres.stop())
  const url = postgres.url('postgres')
  await execute(url, 'create extension pg_stat_statements')
  const copied: Copied[] = []
  for (const copy of copies) {
    const { destination, entities } = copy
    const [statements, bytes] = [await statementsOfRuns(url), await bytesOf(url)]
    const body = { source: 'source', destination, entities }
    const { requestId } = await service.api<MigrationDetail>('POST', '/v2/migrations', body)
    const { phases } = await completed(service.api, requestId)
    copied.push({
      ...copy,
      items: phases.flatMap(({ components }) => components).reduce((sum, { success }) => sum + success, 0),
      statements: (await statementsOfRuns(url)) - statements,
      bytes: (await bytesOf(url)) - bytes,
    })
  }
  return copied
}

/** Only processes of runs connect as another role than the owner of the tables. */
function statementsOfRuns(url: string): Promise<number> {
  return numberFrom(
    url,
    'select coalesce(sum(calls), 0) as number from pg_stat_statements where userid <> current_user::regrole',
  )
}

function bytesOf(url: string): Promise<number> {
  return numberFrom(url, 'select pg_database_size(current_database()) as number')
}

/** A service that has started once, because PostgreSQL only loads the module that counts statements when it starts. */
async function prepareCounting(directory: string): Promise<void> {
  await using ending = new AsyncDisposableStack()
  const { app, dataDirectory } = await startAppIn(directory, 'http://127.0.0.1')
  ending.defer(() => app.stop())
  const postgres = await embeddedPostgres(dataDirectory)
  ending.defer(() => postgres.stop())
  await execute(postgres.url('postgres'), "alter system set shared_preload_libraries = 'pg_stat_statements'")
}

/** Seconds of the first start in a directory, and of the next one. */
async function startsOf(): Promise<[number, number]> {
  await using ending = new AsyncDisposableStack()
  const dataDirectory = join(await temporaryDirectory(ending), 'service')
  ending.defer(() => removeEmbeddedPostgres(dataDirectory))
  return [await startSeconds(dataDirectory), await startSeconds(dataDirectory)]
}

async function startSeconds(dataDirectory: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'start'], {
    env: { ...childEnvironment, PORT: String(port), STOREFERRY_DATA: dataDirectory },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`The service ended with exit code ${child.exitCode}.`)
      await sleep(10)
    }
    return (performance.now() - began) / 1000
  } finally {
    child.kill()
    await ended
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return answer?.ok === true
}
