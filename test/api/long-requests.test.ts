import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { mapItems } from '../harness/map-items.ts'
import { until } from '../harness/until.ts'
import { anOrganisation, aService, type Organisation, type Service, siteUrl } from './a-service.ts'

let service: Service
let organisation: Organisation
let owner: string
let id: string
beforeAll(async () => {
  service = await aService()
  // Otherwise the run would be priced meanwhile, in the time that the stories move.
  service.deps.openStore = () => {
    throw new Error('No store is looked at.')
  }
  organisation = await anOrganisation(service)
  owner = await organisation.token()
  const headers = { authorization: `Bearer ${owner}` }
  const payload = { source: 'store1', destination: 'store2' }
  id = (await service.inject({ method: 'POST', url: '/v2/migrations', headers, payload })).json().requestId
  await until('it is priced', async () => (await service.get(`/v2/migrations/${id}`, owner)).json().forecast !== null)
})
afterAll(() => service.close())

/** Without trying again. */
const ask = (list: string, token = owner) =>
  service.app.inject({
    url: `/v2/migrations/${id}/${list}`,
    headers: { host: new URL(siteUrl).host, authorization: `Bearer ${token}` },
  })

/** Long requests wait by this clock until the end of the test. */
function aClock(): FakeClock {
  const { clock } = service.deps
  onTestFinished(() => {
    service.deps.clock = clock
  })
  const waits = new FakeClock()
  service.deps.clock = waits
  return waits
}

const allOfWait = limits.longRequestWaitSeconds * 1000
const soon = { timeout: 5_000 }

test('S6, S25: a long request waits for ten seconds at most, so that no answer goes to a caller who has given up or lost access', async () => {
  const waits = aClock()
  const answers: LightMyRequestResponse[] = []
  const statuses = () => answers.map(({ statusCode }) => statusCode)
  const begun = await service.deps.database.transaction().execute(async (tx) => {
    await sql`lock table mapping_sets in access exclusive mode`.execute(tx)
    const asked = Array.from({ length: limits.longRequestsAtOnce + 2 }, async () => {
      answers.push(await ask('mappings'))
    })
    await expect.poll(() => waits.sleeping, soon).toBe(2)
    await waits.advance(allOfWait - 1)
    expect(statuses()).toEqual([])
    await waits.advance(1)
    await expect.poll(statuses, soon).toEqual([503, 503])
    return asked
  })
  await Promise.all(begun)
  expect(statuses()).toEqual([503, 503, 200, 200, 200])
  expect([answers[0]?.headers['retry-after'], answers[0]?.json()]).toEqual([
    '5',
    { error: 'unavailable', message: expect.stringMatching(/^Your organisation has 3 requests under way/) },
  ])
})

test('a file that is half sent goes on waiting, and its caller is authenticated again each time', async () => {
  const { database, bearerTokens } = service.deps
  onTestFinished(() => {
    service.deps.bearerTokens = bearerTokens
  })
  const items = Array.from({ length: limits.maximumPageSize + 1 }, (_, n) => ({
    sourceId: String(n),
    destinationId: `9${n}`,
  }))
  await mapItems(database, id, items)
  const waits = aClock()
  const reader = await organisation.token()
  const others: Promise<LightMyRequestResponse>[] = []
  const file = await database.transaction().execute(async (tx) => {
    await sql`lock table before_images in access exclusive mode`.execute(tx)
    let verified = 0
    const verify: typeof bearerTokens.verify = async (token) => {
      if (token === reader) verified += 1
      // The first page is read, and the caller is authenticated for the second one.
      if (token === reader && verified === 2) {
        for (let n = 0; n < limits.longRequestsAtOnce; n += 1) others.push(ask('before-images'))
        await untilWaiting(database, limits.longRequestsAtOnce)
      }
      return bearerTokens.verify(token)
    }
    service.deps.bearerTokens = { ...bearerTokens, verify }
    const asked = ask('mappings.csv', reader)
    await expect.poll(() => waits.sleeping, soon).toBe(1)
    await waits.advance(allOfWait)
    await expect.poll(() => [verified, waits.sleeping], soon).toEqual([3, 1])
    return { asked }
  })
  expect((await file.asked).body.trim().split('\r\n')).toHaveLength(1 + items.length)
  for (const answer of await Promise.all(others)) expect(answer.statusCode).toBe(200)
})
