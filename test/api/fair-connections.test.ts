import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { requestingOrganisation, shareConnections } from '../../src/db/core/connection-shares.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { anOrganisation, aService, type Service, siteUrl } from './a-service.ts'
import { aQueuedRun } from './migration-rows.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('S25: requests of one organization that wait for the database leave connections to the others', async () => {
  const [busy, other] = [await anOrganisation(service), await anOrganisation(service)]
  const [busyToken, otherToken] = [await busy.token(), await other.token()]
  const id = await aQueuedRun(service, busy)
  const ask = (token: string, given: { method?: 'PATCH'; url: string; payload?: object }) =>
    service.app.inject({ ...given, headers: { host: new URL(siteUrl).host, authorization: `Bearer ${token}` } })
  const begun = await service.deps.database.transaction().execute(async (tx) => {
    // As a request that changes very many rows of the migration holds it.
    await sql`select from runs where id = ${id} for update`.execute(tx)
    const { bearerTokens, database } = service.deps
    let verified = 0
    const verify: typeof bearerTokens.verify = async (token) => {
      const caller = await bearerTokens.verify(token)
      verified += 1
      return caller
    }
    service.deps.bearerTokens = { ...bearerTokens, verify }
    const renamed = Array.from({ length: 20 }, (_, at) =>
      ask(busyToken, { method: 'PATCH', url: `/v2/migrations/${id}`, payload: { label: `Name ${at}` } }),
    )
    await untilWaiting(database, limits.connectionsPerOrganisation)
    await until('all have begun', async () => verified === renamed.length)
    const asked = [0, 1, 2].map(() => ask(otherToken, { url: '/v2/stores' }))
    for (const answer of await Promise.all(asked)) expect(answer.statusCode).toBe(200)
    return { renamed }
  })
  for (const { statusCode } of await Promise.all(begun.renamed)) expect(statusCode).toBe(200)
})

test('S25: a request that waits too long for its share is a 503 that says so, and a connection that is given back serves the next', async () => {
  const { url, drop } = await createDatabase()
  const pool = new pg.Pool({ connectionString: url })
  // Dropping the database may end a connection that is about to close.
  pool.on('connect', (client) => client.on('error', () => undefined))
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  shareConnections(pool, 1, 50)
  const connectFor = (organisation: string) => requestingOrganisation.run(organisation, () => pool.connect())
  const [first, ofOthers] = [await connectFor('one'), await connectFor('other')]
  await expect(connectFor('one')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  const next = connectFor('one')
  first.release()
  expect((await (await next).query('select 1 as one')).rows).toEqual([{ one: 1 }])
  for (const client of [await next, ofOthers]) client.release()
})
