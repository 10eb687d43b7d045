import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countOutbox } from '../../src/db/runs/outbox.ts'
import { anOrganisation, type Organisation } from '../api/a-service.ts'
import { aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { startProgram } from '../cli/run-program.ts'
import { until } from '../harness/until.ts'
import { anAccessToken } from '../mcp/a-connection.ts'
import { aStartedService, type StartedService } from './a-started-service.ts'

const kills = 50
/** How often the file of the index is deleted as well. */
const everyTenth = 10
const runsOfEach = 30
const issuesOfEach = 300

let service: StartedService
beforeAll(async () => {
  service = await aStartedService()
})
afterAll(() => service.stop())

interface Merchant {
  organisation: Organisation
  /** Several, as each may be used 600 times a minute. */
  tokens: string[]
  assistant: string
  ids: string[]
}

async function aMerchant(name: string): Promise<Merchant> {
  const organisation = await anOrganisation(service.planting)
  const tokens = await Promise.all(Array.from({ length: 8 }, () => organisation.token()))
  const { token: assistant } = await anAccessToken(service.planting, organisation, { audience: service.url })
  const ids: string[] = []
  for (let at = 0; at < runsOfEach; at++) {
    const id = await aQueuedRun(service.planting, organisation)
    await plantIssues(id, organisation.id, name)
    await bringTo(service.planting, organisation.id, id, 'partial_completed')
    ids.push(id)
  }
  return { organisation, tokens, assistant, ids }
}

async function plantIssues(runId: string, organisationId: string, name: string): Promise<void> {
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item)
    select ${organisationId}::uuid, ${runId}::uuid, 'brands', 'brands', 'failure', 'platform_refused',
      ${name} || ' ' || nr || ' was refused because its web address is taken by another page.', 'Correct it.', nr::text,
      jsonb_build_object('name', ${name} || ' ' || nr, 'sku', null, 'path', null)
    from generate_series(1, ${issuesOfEach}::integer) nr`.execute(service.database)
}

/** As clients do: a service that is too busy, as it may be beside other tests, is asked again. */
async function ask(path: string, token: string | undefined, tries = 5): Promise<Response> {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 503 || tries === 1) return answer
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return ask(path, token, tries - 1)
}

/** Reads again and again what has ended, as its owner; whatever happens to the index, each answer is what it was. */
async function keepReading({ tokens, ids }: Merchant, signal: AbortSignal): Promise<Set<string | null>> {
  const bodies = new Map<string, string>()
  const sources = new Set<string | null>()
  for (let at = 0; !signal.aborted; at++) {
    const path = `/v2/migrations/${ids[at % ids.length]}`
    const answer = await ask(path, tokens[at % tokens.length])
    const body = await answer.text()
    expect([path, answer.status, body]).toEqual([path, 200, bodies.get(path) ?? body])
    bodies.set(path, body)
    sources.add(answer.headers.get('x-read-source'))
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  return sources
}

/** Every issue that an assistant finds by a text, page by page. */
async function everyFound({ assistant }: Merchant, query: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const call = { name: 'search_issues', arguments: { query, limit: 100, ...(cursor && { cursor }) } }
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${assistant}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    })
    const { result } = (await answer.json()) as { result: { structuredContent: Page } }
    found.push(...result.structuredContent.issues.map(({ issue_id }) => issue_id))
    cursor = result.structuredContent.next_cursor ?? null
  }
  return found
}
interface Page {
  issues: { issue_id: string }[]
  next_cursor?: string
}

/** Starts a reindex and kills it when it, or the service beside it, has indexed so many runs. */
async function killWhileIndexing(after: number): Promise<void> {
  const { waiting: before } = await countOutbox(service.database)
  const run = startProgram(['reindex'], { environment: service.environment })
  await until('it has put every run into the outbox, or ended', async () => {
    const { waiting } = await countOutbox(service.database)
    return waiting > before || run.child.exitCode !== null
  })
  const { waiting: most } = await countOutbox(service.database)
  await until(`${after} runs are indexed`, async () => {
    const { waiting } = await countOutbox(service.database)
    return most - waiting >= after || waiting === 0
  })
  run.child.kill('SIGKILL')
  await run.ended
}

/** What of the file is there more than once, or more than PostgreSQL has. */
function countsInIndex() {
  const database = new DatabaseSync(service.path, { readOnly: true })
  const count = (from: string) => Number(database.prepare(`select count(*) as count from ${from}`).get()?.count)
  const counts = {
    runs: count('runs'),
    writings: count('writings'),
    issues: count('issues'),
    distinctIssues: count('(select distinct organisation_id, id from issues)'),
    texts: count('issue_texts'),
  }
  database.close()
  return counts
}

test(`an indexing process killed ${kills} times beside a service that is read, and the index deleted: no request fails, nothing is lost, twice, or of another organisation`, async () => {
  const [ours, theirs] = [await aMerchant('Brass lamp'), await aMerchant('Oak chair')]
  const stopping = new AbortController()
  const reading = Promise.allSettled([ours, theirs].map((one) => keepReading(one, stopping.signal)))
  for (let at = 0; at < kills; at++) {
    if (at % everyTenth === everyTenth - 1) rmSync(service.path, { force: true })
    await killWhileIndexing(at % runsOfEach)
  }
  await until('the index has caught up', async () => (await countOutbox(service.database)).waiting === 0, {
    seconds: 120,
  })
  stopping.abort()
  const sources = new Set(['sqlite', 'postgres'])
  for (const read of await reading) expect(read).toEqual({ status: 'fulfilled', value: sources })
  expect((await countOutbox(service.database)).dead).toBe(0)
  const issues = 2 * runsOfEach * issuesOfEach
  expect(countsInIndex()).toEqual({
    ...{ runs: 2 * runsOfEach, writings: 2 * runsOfEach },
    ...{ issues, distinctIssues: issues, texts: issues },
  })
  for (const [merchant, own, foreign] of [
    [ours, 'brass lamp', 'oak chair'],
    [theirs, 'oak chair', 'brass lamp'],
  ] as const) {
    const { rows } = await sql<{ id: string }>`
      select id from issues where organisation_id = ${merchant.organisation.id} order by first_at desc, id desc`.execute(
      service.database,
    )
    expect(await everyFound(merchant, own)).toEqual(rows.map(({ id }) => id))
    expect(await everyFound(merchant, foreign)).toEqual([])
  }
}, 1_200_000)
