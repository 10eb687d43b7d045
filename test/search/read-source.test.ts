import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { modes } from '../../src/contract/modes.ts'
import { countOutbox } from '../../src/db/runs/outbox.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { anOrganisation, type Organisation } from '../api/a-service.ts'
import { addIssue, aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { runProgram } from '../cli/run-program.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { anAccessToken } from '../mcp/a-connection.ts'
import { anEndedRun } from './a-search.ts'
import { aStartedService, type StartedService } from './a-started-service.ts'

let service: StartedService
let organisation: Organisation
let owner: string
let assistant: string
beforeAll(async () => {
  service = await aStartedService()
  organisation = await anOrganisation(service.planting)
  owner = await organisation.token()
  assistant = (await anAccessToken(service.planting, organisation, { audience: service.url })).token
})
afterAll(() => service.stop())

const endings = ['completed', 'partial_completed', 'failed', 'cancelled'] as const
const everyKind = modes.flatMap((mode) => endings.map((status) => ({ mode, status })))

async function aRun({ mode, status }: (typeof everyKind)[number], of = organisation): Promise<string> {
  const id = await anEndedRun(service.planting, of, { status, name: `${mode} ${status}` })
  await sql`update runs set mode = ${mode} where id = ${id}`.execute(service.database)
  // Once more, with the snapshot of that mode.
  await bringTo(service.planting, of.id, id, status)
  return id
}

interface Read {
  path: string
  source: string | null
  body: string
}

async function read(path: string, token = owner): Promise<Read> {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.text()
  expect(answer.status, `${path}: ${body}`).toBe(200)
  return { path, source: answer.headers.get('x-read-source'), body }
}

/** Detail and every issue of these runs. */
async function readAll(ids: string[], token = owner): Promise<Read[]> {
  const { rows } = await sql<{ path: string }>`
    select '/v2/migrations/' || run_id || '/issues/' || id as path from issues
    where run_id = any(${ids}::uuid[]) order by run_id, first_at, id`.execute(service.database)
  const paths = [...ids.map((id) => `/v2/migrations/${id}`), ...rows.map(({ path }) => path)]
  return Promise.all(paths.map((path) => read(path, token)))
}

/** What an assistant is answered about the issues of all migrations; its answer does not name its source. */
async function search(query: string): Promise<string> {
  const call = { name: 'search_issues', arguments: { query, limit: 100 } }
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${assistant}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  })
  const body = await answer.text()
  expect([answer.status, body]).toEqual([200, expect.stringContaining(query)])
  return body
}

const from = (source: string, reads: Read[]): Read[] => reads.map((one) => ({ ...one, source }))

/** How many runs are to be indexed. */
async function waiting(): Promise<number> {
  return (await countOutbox(service.database)).waiting
}

async function countEnded(): Promise<number> {
  const { rows } = await sql<{ ended: number }>`select count(*)::integer as ended from snapshots`.execute(
    service.database,
  )
  return rows[0]?.ended ?? 0
}

async function readIndexed(ids: string[], token = owner): Promise<Read[]> {
  await service.indexWaiting()
  await until('the index has every run', async () => (await waiting()) === 0)
  return readAll(ids, token)
}

test('F3: a migration is read from the engine while it is live, and the header says so', async () => {
  for (const status of ['queued', 'in_progress', 'paused'] as const) {
    const id = await aQueuedRun(service.planting, organisation)
    await addIssue(service.database, { id, organisationId: organisation.id }, { sourceId: '1' })
    await bringTo(service.planting, organisation.id, id, status)
    const [detail, issue] = await readAll([id])
    expect([status, detail?.source, issue?.source]).toEqual([status, 'engine', 'postgres'])
  }
})

describe('migrations of every mode, however they ended', () => {
  let ids: string[]
  let fromPostgres: Read[]
  let found: string
  beforeAll(async () => {
    ids = await service.withoutIndexing(() => Promise.all(everyKind.map((kind) => aRun(kind))))
    fromPostgres = await readAll(ids)
    found = await search('refused')
  })

  test('F3: are read from PostgreSQL while the index does not have them', () => {
    expect(fromPostgres).toHaveLength(3 * everyKind.length)
    expect(fromPostgres).toEqual(from('postgres', fromPostgres))
  })

  test('F3: are read from the index as soon as it has them, with the same bytes', async () => {
    expect(await readIndexed(ids)).toEqual(from('sqlite', fromPostgres))
    expect(await search('refused')).toBe(found)
  })

  test('F3: are read from PostgreSQL when the index is gone, with the same bytes, until it has filled itself again', async () => {
    // What still waits would be indexed at once with everything else.
    await readIndexed(ids)
    await service.withoutIndexing(async () => {
      rmSync(service.path)
      expect(await readAll(ids)).toEqual(fromPostgres)
      expect(await search('refused')).toBe(found)
      await until('everything is to be indexed again', async () => (await waiting()) === (await countEnded()))
      expect(await readAll(ids)).toEqual(fromPostgres)
      expect(await search('refused')).toBe(found)
    })
    expect(await readIndexed(ids)).toEqual(from('sqlite', fromPostgres))
    expect(await search('refused')).toBe(found)
  })

  test('F3: are read from PostgreSQL when the index is behind, and only those that have changed', async () => {
    const other = await anOrganisation(service.planting)
    const token = await other.token()
    const changed = await aRun({ mode: 'full', status: 'completed' }, other)
    const unchanged = [await aRun({ mode: 'verify', status: 'failed' }, other)]
    await readIndexed([changed, ...unchanged], token)
    await service.withoutIndexing(() => bringTo(service.planting, other.id, changed, 'cancelled'))
    const [detail, ...issues] = await readAll([changed], token)
    expect(detail).toMatchObject({ source: 'postgres', body: expect.stringContaining('"status":"cancelled"') })
    expect(issues.map(({ source }) => source)).toEqual(['postgres', 'postgres'])
    expect((await readAll(unchanged, token)).map(({ source }) => source)).toEqual(['sqlite', 'sqlite', 'sqlite'])
    expect(await readIndexed([changed], token)).toEqual(from('sqlite', [detail, ...issues] as Read[]))
  })
})

describe('storeferry reindex', () => {
  const reindex = (environment = service.environment) => runProgram(['reindex'], { environment })

  /** Runs that no outbox row names, and that the index does not have. */
  async function forget(): Promise<void> {
    const store = openSqliteStore(service.path, systemClock)
    for (const run of await store.listRuns(undefined, 1_000)) await store.removeRun(run)
    await store.close()
  }

  longTest('fills the index while the service runs', async () => {
    const ids = [await aRun({ mode: 'full', status: 'completed' })]
    const before = await readIndexed(ids)
    await forget()
    expect(await readAll(ids)).toEqual(from('postgres', before))
    const { code, output, errors } = await reindex()
    expect([code, errors, output]).toEqual([
      0,
      '',
      expect.stringMatching(/^(\d+) of \1 migrations\nThe search index is filled again: \1 migrations\.\n$/m),
    ])
    expect(await readAll(ids)).toEqual(from('sqlite', before))
  })

  longTest('fills it while the service is stopped', async () => {
    const { rows } = await sql<{ ended: number }>`select count(*)::integer as ended from snapshots`.execute(
      service.database,
    )
    await service.stopService()
    await forget()
    const { code, output } = await reindex()
    expect([code, output]).toEqual([0, expect.stringContaining('The search index is filled again')])
    const store = openSqliteStore(service.path, systemClock)
    expect(await store.listRuns(undefined, 1_000)).toHaveLength(rows[0]?.ended ?? 0)
    await store.close()
  })

  test('refuses where there is no data, and where there is no index', async () => {
    const nowhere = await reindex({ ...service.environment, STOREFERRY_DATA: '/nonexistent/ferry' })
    expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringContaining('There is no data of a service in')])
    const shared = await reindex({ ...service.environment, DATABASE_URL: 'postgres://ferry@db.example/ferry' })
    expect([shared.code, shared.errors]).toEqual([1, expect.stringContaining('there is no search index')])
  })
})
