import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database } from '../src/db/core/database.ts'
import { countOutbox } from '../src/db/runs/outbox.ts'
import { anOrganisation, type Organisation } from '../test/api/a-service.ts'
import { aQueuedRun, bringTo } from '../test/api/migration-rows.ts'
import { runProgram } from '../test/cli/run-program.ts'
import { missingOpenSearch } from '../test/harness/opensearch-files.ts'
import { aStartedService, type StartedService } from '../test/search/a-started-service.ts'
import { type OpenSearchServer, startOpenSearch } from '../test/search/opensearch-server.ts'
import type { BenchResult, Ratio } from './run.ts'

const runs = Number(process.env.BENCH_RUNS ?? 5_000)
const issuesOfEach = 400
/** Requests of each kind; p95 leaves out the slowest ones. */
const rounds = 60
/** What takes seconds is asked once in so many rounds. */
const seldom = 6
const readers = 20

/**
 * The history and the issues of an organization with 5,000 migrations and 2 million issues: the 95th percentile of a
 * page of the history, of searches and of counts, compared with that of one migration read from the same store. Then
 * the index is filled again beside 20 readers, of which none may fail. Once with SQLite and, where it can be started,
 * once with OpenSearch. `BENCH_RUNS` sets another number of migrations; 5,000 take about an hour, and half of that with one
 * store in `BENCH_STORE`.
 */
export async function bench(): Promise<BenchResult> {
  const only = process.env.BENCH_STORE
  const results = only === 'opensearch' ? [] : [await measure('sqlite')]
  const missing = only === 'sqlite' ? 'BENCH_STORE is sqlite.' : missingOpenSearch()
  if (missing) console.log(`OpenSearch is skipped: ${missing}`)
  else results.push(await withOpenSearch((server) => measure('opensearch', server)))
  return { rows: results.flatMap(({ rows }) => rows), ratios: results.flatMap(({ ratios }) => ratios) }
}

async function withOpenSearch<Result>(work: (server: OpenSearchServer) => Promise<Result>): Promise<Result> {
  const server = await startOpenSearch()
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function measure(store: 'sqlite' | 'opensearch', server?: OpenSearchServer): Promise<BenchResult> {
  const prefix = `bench-${randomUUID()}`
  const service = await aStartedService(server ? { OPENSEARCH_URL: server.url, OPENSEARCH_INDEX: prefix } : {})
  try {
    const organisation = await anOrganisation(service.planting)
    const id = await service.withoutIndexing(() => plant(service, organisation))
    const indexed = await timed(() => indexAll(service))
    const megabytes = server ? await sizeIn(server, prefix) : sizeOf(service.path)
    console.log(`${store}: indexed in ${indexed.seconds.toFixed(0)} s, ${megabytes.toFixed(0)} MB`)
    const times = await ask(service.url, organisation, store, requestsFor(id))
    // The reindex takes much longer, and may fail.
    for (const [name, ms] of times) console.log(`${store}: ${name}: ${ms.toFixed(1)} ms`)
    const reindexed = await reindexWhileRead(service, organisation, id)
    const one = times.get('one migration') ?? 0
    const rows = [...times].map(([name, ms]) => ({
      store,
      name,
      'p95 ms': ms.toFixed(1),
      ratio: (ms / one).toFixed(1),
    }))
    const ratioOf = (name: string, most: number): Ratio => ({
      name: `${store}: ${name}, to one migration`,
      ratio: (times.get(name) ?? Number.NaN) / one,
      bound: { atMost: most },
    })
    return {
      rows: [
        ...rows,
        {
          store,
          name: `reindex, minutes; reads meanwhile: ${reindexed.reads}`,
          'p95 ms': '',
          ratio: (reindexed.seconds / 60).toFixed(1),
        },
        {
          store,
          name: `index, MB; filled in ${indexed.seconds.toFixed(0)} s`,
          'p95 ms': '',
          ratio: megabytes.toFixed(0),
        },
      ],
      ratios: [
        ratioOf('a page of the history', 10),
        ratioOf('issues by a rare text', 30),
        ratioOf('issues by a frequent text', 30),
        ratioOf('counts of all issues', 60),
        ratioOf('counts of a rare text', 60),
        { name: `${store}: failed reads during a reindex`, ratio: reindexed.failed, bound: { atMost: 0 } },
      ],
    }
  } finally {
    await service.stop()
  }
}

/** @returns the id of one of its migrations. */
async function plant(service: StartedService, organisation: Organisation): Promise<string> {
  const { database } = service
  const id = await aQueuedRun(service.planting, organisation)
  await bringTo(service.planting, organisation.id, id, 'partial_completed')
  await sql`
    insert into runs select (jsonb_populate_record(run, jsonb_build_object('id', gen_random_uuid(),
      'created_at', now() - nr * interval '1 minute', 'label', 'Spring ' || nr))).*
    from runs run, generate_series(2, ${runs}::integer) nr where run.id = ${id}`.execute(database)
  await sql`
    insert into snapshots select (jsonb_populate_record(snapshot, jsonb_build_object('run_id', run.id))).*
    from snapshots snapshot, runs run where snapshot.run_id = ${id} and run.id <> ${id}
      and run.organisation_id = ${organisation.id}`.execute(database)
  await plantIssues(database, organisation.id)
  await sql`
    insert into outbox (kind, organisation_id, subject_id, revision)
    select 'run', organisation_id, run_id, revision from snapshots where run_id <> ${id}`.execute(database)
  await sql`analyze`.execute(database)
  return id
}

async function plantIssues(database: Database, organisationId: string): Promise<void> {
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item, first_at, last_at)
    select organisation_id, id, issue_phase, issue_phase, case when nr % 3 = 0 then 'warning' else 'failure' end,
      (array['platform_refused', 'missing_reference', 'parent_failed', 'picture_reduced'])[1 + nr % 4],
      'Item ' || nr || ' was refused because its web address is taken by another page.', 'Correct it.', nr::text,
      jsonb_build_object('name', 'Brass lamp ' || substr(md5(id::text || nr), 1, 12), 'sku', 'SKU-' || nr, 'path', null),
      created_at + nr * interval '1 second', created_at + nr * interval '1 second'
    from runs, generate_series(1, ${issuesOfEach}::integer) nr,
      lateral (select (array['brands', 'products', 'customers', 'orders'])[1 + (nr / 100) % 4] as issue_phase) of_phase
    where organisation_id = ${organisationId}`.execute(database)
}

async function indexAll(service: StartedService): Promise<void> {
  await service.indexWaiting()
  while ((await countOutbox(service.database)).waiting > 0) await pause(500)
}

interface Request {
  name: string
  path: string
  /** From PostgreSQL, whichever index there is. */
  always?: 'postgres'
  /** Takes so long with millions of issues that it may be ended, and then PostgreSQL is asked, or nobody. */
  mayBeEnded?: true
}

const requestsFor = (id: string): Request[] => [
  { name: 'one migration', path: `/v2/migrations/${id}` },
  { name: 'a page of the history', path: '/v2/migrations?limit=50', always: 'postgres' },
  { name: 'the history by a text', path: '/v2/migrations?limit=50&text=spring%2017', always: 'postgres' },
  { name: 'issues by a rare text', path: '/v2/issues?limit=50&text=9f3a1' },
  { name: 'issues by a frequent text', path: '/v2/issues?limit=50&text=web%20address' },
  { name: 'latest issues', path: '/v2/issues?limit=50' },
  { name: 'counts of all issues', path: '/v2/issues/counts' },
  { name: 'issues by no text', path: '/v2/issues?limit=50&text=web%20address%20is%20not' },
  { name: 'counts of a frequent text', path: '/v2/issues/counts?text=web%20address', mayBeEnded: true },
  { name: 'counts of a rare text', path: '/v2/issues/counts?text=9f3a1' },
]

/** In turns, so that other load on the machine affects all alike. @returns the 95th percentile of each, in ms. */
async function ask(
  url: string,
  organisation: Organisation,
  store: string,
  requests: Request[],
): Promise<Map<string, number>> {
  const tokens = await tokensOf(organisation, 4)
  const times = new Map(requests.map(({ name }) => [name, [] as number[]]))
  for (let round = -2; round < rounds; round++)
    for (const { name, path, always, mayBeEnded } of requests) {
      if (mayBeEnded && round % seldom !== 0) continue
      const begun = performance.now()
      const answer = await fetch(`${url}${path}`, { headers: authorization(tokens, round) })
      await answer.arrayBuffer()
      const ms = performance.now() - begun
      const source = answer.headers.get('x-read-source') ?? 'postgres'
      if (!mayBeEnded && (answer.status !== 200 || source !== (always ?? store)))
        throw new Error(`${name}: ${answer.status} from ${source}`)
      // The first ones warm up.
      if (round >= 0) times.get(name)?.push(ms)
    }
  return new Map([...times].map(([name, taken]) => [name, percentile95(taken)]))
}

function percentile95(taken: number[]): number {
  return taken.toSorted((one, other) => one - other)[Math.floor(taken.length * 0.95)] ?? Number.NaN
}

async function reindexWhileRead(service: StartedService, organisation: Organisation, id: string) {
  const tokens = await tokensOf(organisation, 16)
  const stopping = new AbortController()
  let reads = 0
  const failures: string[] = []
  const reading = Array.from({ length: readers }, async (_, reader) => {
    while (!stopping.signal.aborted) {
      const path = reads % 2 === 0 ? `/v2/migrations/${id}` : '/v2/issues?limit=20&text=9f3a1'
      const answer = await fetch(`${service.url}${path}`, { headers: authorization(tokens, reader) }).catch(
        () => undefined,
      )
      const body = await answer?.text().catch(() => '')
      reads += 1
      if (answer?.status !== 200) failures.push(`${answer?.status ?? 'no answer'} of ${path}: ${body?.slice(0, 200)}`)
      await pause(300)
    }
  })
  const { seconds, result } = await timed(() => runProgram(['reindex'], { environment: service.environment }))
  stopping.abort()
  await Promise.all(reading)
  if (result.code !== 0) throw new Error(`reindex ended with ${result.code}: ${result.errors}`)
  for (const failure of failures.slice(0, 5)) console.log(failure)
  return { seconds, reads, failed: failures.length }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Each may be used 600 times a minute. */
function tokensOf(organisation: Organisation, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => organisation.token()))
}

function authorization(tokens: string[], at: number): { authorization: string } {
  return { authorization: `Bearer ${tokens[Math.abs(at) % tokens.length]}` }
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const begun = performance.now()
  const result = await work()
  return { seconds: (performance.now() - begun) / 1_000, result }
}

function sizeOf(path: string): number {
  return ['', '-wal'].reduce((sum, end) => sum + statSync(`${path}${end}`).size, 0) / 1e6
}

async function sizeIn(server: OpenSearchServer, prefix: string): Promise<number> {
  const answer = await fetch(`${server.url}/${prefix}-*/_stats/store`)
  const { _all } = (await answer.json()) as { _all: { primaries: { store: { size_in_bytes: number } } } }
  return _all.primaries.store.size_in_bytes / 1e6
}
