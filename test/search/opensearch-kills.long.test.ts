import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countOutbox } from '../../src/db/runs/outbox.ts'
import { anOrganisation, type Organisation } from '../api/a-service.ts'
import { aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { missingOpenSearch } from '../harness/opensearch-files.ts'
import { until } from '../harness/until.ts'
import { aStartedService, type StartedService } from './a-started-service.ts'
import { notOurs, startOpenSearch } from './opensearch-server.ts'

const missing = missingOpenSearch()
const kills = 50
/** How often the index is deleted as well. */
const everyTenth = 10
const runsOfEach = 12
const issuesOfEach = 150

interface Merchant {
  organisation: Organisation
  /** Several, as each may be used 600 times a minute. */
  tokens: string[]
  ids: string[]
}

async function aMerchant(service: StartedService): Promise<Merchant> {
  const organisation = await anOrganisation(service.planting)
  const tokens = await Promise.all(Array.from({ length: 4 }, () => organisation.token()))
  const ids: string[] = []
  for (let at = 0; at < runsOfEach; at++) {
    const id = await aQueuedRun(service.planting, organisation)
    await sql`
      insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item)
      select ${organisation.id}::uuid, ${id}::uuid, 'brands', 'brands', 'failure', 'platform_refused',
        'Brass lamp ' || nr || ' was refused.', 'Correct it.', nr::text,
        jsonb_build_object('name', 'Brass lamp ' || nr, 'sku', null, 'path', null)
      from generate_series(1, ${issuesOfEach}::integer) nr`.execute(service.database)
    await bringTo(service.planting, organisation.id, id, 'partial_completed')
    ids.push(id)
  }
  return { organisation, tokens, ids }
}

/** Reads again and again what has ended, as its owner; whatever happens to the index, each answer is what it was. */
async function keepReading(url: string, { tokens, ids }: Merchant, signal: AbortSignal): Promise<Set<string | null>> {
  const bodies = new Map<string, string>()
  const sources = new Set<string | null>()
  for (let at = 0; !signal.aborted; at++) {
    const path = `/v2/migrations/${ids[at % ids.length]}`
    const headers = { authorization: `Bearer ${tokens[at % tokens.length]}` }
    const answer = await fetch(`${url}${path}`, { headers })
    const body = await answer.text()
    expect([path, answer.status, body]).toEqual([path, 200, bodies.get(path) ?? body])
    bodies.set(path, body)
    sources.add(answer.headers.get('x-read-source'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return sources
}

/** Of the whole index: how many documents of each kind and organisation. */
async function countIn(address: string) {
  await fetch(`${address}/_refresh`, { method: 'POST' })
  const by = (field: string) => ({ terms: { field, size: 10 } })
  const answer = await fetch(`${address}/_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      size: 0,
      aggs: { kinds: { ...by('kind'), aggs: { of: by('organisationId') } } },
    }),
  })
  const { aggregations } = (await answer.json()) as { aggregations: { kinds: Buckets } }
  return Object.fromEntries(
    aggregations.kinds.buckets.map(({ key, of }) => [
      key,
      Object.fromEntries((of?.buckets ?? []).map(({ key, doc_count }) => [key, doc_count])),
    ]),
  )
}
interface Buckets {
  buckets: { key: string; doc_count: number; of?: Buckets }[]
}

describe.skipIf(missing ?? notOurs)(missing ?? `OpenSearch under a service${notOurs ?? ''}`, () => {
  test(`killed ${kills} times while it is filled and read, and its index deleted: no request fails, nothing is lost, twice, or of another organisation`, async () => {
    const server = await startOpenSearch()
    onTestFinished(() => server.stop())
    const prefix = `test-${randomUUID()}`
    const service = await aStartedService({ OPENSEARCH_URL: server.url, OPENSEARCH_INDEX: prefix })
    onTestFinished(() => service.stop())
    const merchants = [await aMerchant(service), await aMerchant(service)] as const
    const stopping = new AbortController()
    const reading = Promise.allSettled(merchants.map((one) => keepReading(service.url, one, stopping.signal)))
    let interrupted = 0
    for (let at = 0; at < kills; at++) {
      if (at % everyTenth === everyTenth - 1) await fetch(`${server.url}/${prefix}-v2-data`, { method: 'DELETE' })
      await sql`
        insert into outbox (kind, organisation_id, subject_id, revision)
        select 'run', organisation_id, run_id, revision from snapshots
        where run_id not in (select subject_id from outbox)`.execute(service.database)
      await new Promise((resolve) => setTimeout(resolve, 60 * (at % everyTenth)))
      server.signal('SIGKILL')
      if ((await countOutbox(service.database)).waiting > 0) interrupted += 1
      await server.restart()
    }
    await until('the index has caught up', async () => (await countOutbox(service.database)).waiting === 0, {
      seconds: 120,
    })
    stopping.abort()
    const sources = new Set(['opensearch', 'postgres'])
    for (const read of await reading) expect(read).toEqual({ status: 'fulfilled', value: sources })
    expect((await countOutbox(service.database)).dead).toBe(0)
    expect(interrupted).toBeGreaterThan(kills / 2)
    // What it has replaced is kept for readers until it ends.
    await service.stopService()
    const [one, other] = merchants.map(({ organisation }) => organisation.id) as [string, string]
    const issues = runsOfEach * issuesOfEach
    expect(await countIn(`${server.url}/${prefix}-v2`)).toEqual({
      complete: {},
      hidden: { [one]: 1, [other]: 1 },
      run: { [one]: runsOfEach, [other]: runsOfEach },
      issue: { [one]: issues, [other]: issues },
    })
  }, 3_600_000)
})
