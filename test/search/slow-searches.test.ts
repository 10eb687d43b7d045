import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { anEndedRun, aSearch } from './a-search.ts'
import { makeEndless } from './an-endless-index.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('a search that the index does not answer in time is answered by PostgreSQL', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const { path, index } = aSearch(service, { mostMs: 500 })
  await anEndedRun(service, organisation)
  await index()
  const paths = ['/v2/issues?itemId=1', '/v2/issues/counts?itemId=1']
  const read = () =>
    Promise.all(
      paths.map(async (one) => {
        const { statusCode, headers, body } = await service.get(one, token)
        return { statusCode, source: headers['x-read-source'], body }
      }),
    )
  makeEndless(path)
  const answers = await read()
  expect(answers.map(({ statusCode, source }) => [statusCode, source])).toEqual(paths.map(() => [200, 'postgres']))
  expect(answers.map(({ body }) => JSON.parse(body))).toMatchObject([
    { items: [{ item: { sourceId: '1' } }] },
    { total: 1 },
  ])
})

test('a search that PostgreSQL does not answer in time is refused, with what to do about it', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const { database } = service.deps
  const paths = ['/v2/issues?text=lamp', '/v2/issues/counts?text=lamp']
  const answers = await database.transaction().execute(async (tx) => {
    await sql`lock table issues in access exclusive mode`.execute(tx)
    const asked = Promise.all(paths.map((path) => service.get(path, token)))
    await untilWaiting(database, paths.length)
    // What PostgreSQL does at the limit.
    await sql`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database)
    return asked
  })
  const message = expect.stringMatching(/longer than 30 seconds .* Search the issues of one migration, or add filters/)
  for (const { statusCode, body } of answers)
    expect([statusCode, JSON.parse(body)]).toEqual([
      422,
      { error: 'validation_failed', message, errors: { text: [message] } },
    ])
})
