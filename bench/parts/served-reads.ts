import Fastify from 'fastify'
import { sql } from 'kysely'
import { readBearerToken } from '../../src/api/authenticate.ts'
import { RequestRate } from '../../src/api/request-rate.ts'
import { systemClock } from '../../src/clock.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import type { Database } from '../../src/db/core/database.ts'
import { countOutbox } from '../../src/db/runs/outbox.ts'
import { createRun } from '../../src/db/runs/runs.ts'
import { writeSnapshot } from '../../src/db/runs/snapshots.ts'
import { phasesInScope } from '../../src/operations/shared/runs/run-scope.ts'
import { anOrganisation, type Organisation } from '../../test/api/a-service.ts'
import { anAccessToken } from '../../test/mcp/a-connection.ts'
import { aStartedService, type StartedService } from '../../test/search/a-started-service.ts'

/**
 * A process for `bench/reads.ts` and `bench/mcp.ts`: the service with one organisation whose migrations are planted, and
 * two bare Fastify routes on the same database, each with one indexed SELECT. One verifies the bearer token and counts the
 * request as the service does, then sends a stored JSON; the other sends a user. Prints one line when it is ready.
 */
const historyLength = 60
const issuesOfEach = 200

// The cost of a request is measured, not the rate limit.
Object.assign(limits, { requestsPerMinute: Number.MAX_SAFE_INTEGER })
const service = await aStartedService()
const { database, planting } = service
const organisation = await anOrganisation(planting)
const indexed = await plantRun(organisation)
await endRun(organisation, indexed)
await service.indexWaiting()
while ((await countOutbox(database)).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 100))
const { unindexed, live } = await service.withoutIndexing(() => plantOthers(service, organisation))
const token = await organisation.token()
const bare = await startBareRoute()
const documents = [
  `/v2/migrations/${unindexed}`,
  '/v2/migrations?limit=50',
  `/v2/migrations/${unindexed}/issues?limit=50`,
]
for (const path of documents) await storeAnswer(path)
await sql`analyze`.execute(database)
console.log(
  JSON.stringify({
    url: service.url,
    bareUrl: bare.url,
    userPath: `/users/${organisation.userId}`,
    token,
    toolToken: (await anAccessToken(planting, organisation, { audience: service.url })).token,
    runs: { indexed, unindexed, live },
  }),
)
process.once('SIGTERM', async () => {
  await bare.close()
  await service.stop()
})

async function plantRun({ id, userId }: Organisation): Promise<string> {
  const { rows } = await sql<{ hash: string; id: string }>`
    select hash, id from stores where organisation_id = ${id}`.execute(database)
  const storeId = (hash: string) => rows.find((row) => row.hash === hash)?.id ?? ''
  const run = await database.transaction().execute((tx) =>
    createRun(tx, {
      organisationId: id,
      sourceStoreId: storeId('store1'),
      destinationStoreId: storeId('store2'),
      mode: 'full',
      conflictStrategy: 'skip',
      autoHeal: true,
      label: 'Spring',
      settings: {},
      selective: false,
      sourceStorefront: null,
      destStorefront: null,
      phases: phasesInScope(undefined),
      verifiesRunId: null,
      createdBy: userId,
    }),
  )
  await sql`update run_counters set expected = 500, discovered = 500, created = 480, matched = 18, failed = 2, errors = 3,
    progressed_at = now() where run_id = ${run}`.execute(database)
  await sql`
    insert into issues (organisation_id, run_id, phase, component, severity, code, message, remedy, source_id, item)
    select ${id}, ${run}, 'products', 'products', 'failure', 'platform_refused',
      'Item ' || nr || ' was refused because its web address is taken by another page.', 'Correct it.', nr::text,
      jsonb_build_object('name', 'Brass lamp ' || nr, 'sku', 'SKU-' || nr, 'path', null)
    from generate_series(1, ${issuesOfEach}::integer) nr`.execute(database)
  return run
}

async function endRun({ id }: Organisation, run: string): Promise<void> {
  await database.transaction().execute(async (tx) => {
    await sql`update runs set status = 'partial_completed', tier = 'small', mem_mib = 256, cpus = 0.25, phase = 'products',
      started_at = now(), finished_at = now(), worked_ms = 60000 where id = ${run}`.execute(tx)
    await writeSnapshot(tx, id, run)
  })
}

/** @returns an ended run that is only in PostgreSQL, and one that is paused. */
async function plantOthers(at: StartedService, of: Organisation): Promise<{ unindexed: string; live: string }> {
  const unindexed = await plantRun(of)
  await endRun(of, unindexed)
  await sql`
    insert into runs select (jsonb_populate_record(run, jsonb_build_object('id', gen_random_uuid(),
      'created_at', now() - nr * interval '1 minute', 'label', 'Spring ' || nr))).*
    from runs run, generate_series(2, ${historyLength}::integer) nr where run.id = ${unindexed}`.execute(at.database)
  await sql`
    insert into snapshots select (jsonb_populate_record(snapshot, jsonb_build_object('run_id', run.id))).*
    from snapshots snapshot, runs run where snapshot.run_id = ${unindexed} and run.id not in (${unindexed}, ${indexed})`.execute(
    at.database,
  )
  const live = await plantRun(of)
  await sql`update runs set status = 'paused', phase = 'products', started_at = now(), worked_ms = 60000,
    progress_samples = '[[10000, 900], [40000, 4000]]' where id = ${live}`.execute(at.database)
  return { unindexed, live }
}

/** The answer to a path becomes the JSON of the bare route at the same path. */
async function storeAnswer(path: string): Promise<void> {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.text()
  await sql`insert into bench_documents values (${path}, ${body}::json)`.execute(database)
}

async function startBareRoute(): Promise<{ url: string; close(): Promise<void> }> {
  await sql`create table bench_documents (path text primary key, body json not null)`.execute(database)
  const rate = new RequestRate(systemClock, limits.requestsPerMinute)
  const app = Fastify()
  const { bearerTokens } = planting.deps
  app.get<{ Params: { id: string } }>('/users/:id', async ({ params }) => {
    const { rows } = await sql`
      select id, first_name, last_name, email from users where id = ${params.id}`.execute(database)
    return rows[0]
  })
  app.get('/*', async (request, reply) => {
    await bearerTokens.verify(readBearerToken(request.headers.authorization))
    rate.count(request.headers.authorization ?? '')
    return reply.type('application/json; charset=utf-8').send(await readDocument(database, request.url))
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

async function readDocument(at: Database, path: string): Promise<string | undefined> {
  const { rows } = await sql<{ body: string }>`
    /* kept: bench-document */ select body::text as body from bench_documents where path = ${path}`.execute(at)
  return rows[0]?.body
}
