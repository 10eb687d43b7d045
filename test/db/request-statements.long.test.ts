import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation } from '../api/a-service.ts'
import { aStartedService, type StartedService } from '../search/a-started-service.ts'

let started: StartedService
beforeAll(async () => {
  started = await aStartedService()
})
afterAll(() => started.stop())

test('a service that was started ends the statements of requests, and no others', async () => {
  const token = await (await anOrganisation(started.planting)).token()
  const ask = () => fetch(`${started.url}/v2/stores`, { headers: { authorization: `Bearer ${token}` } })
  const others = started.database.transaction().execute(async (tx) => {
    await sql`lock table stores in access exclusive mode`.execute(tx)
    await sql`select pg_sleep(55)`.execute(tx)
  })
  const answer = await ask()
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('took too long') })
  await others
  expect((await ask()).status).toBe(200)
}, 120_000)
