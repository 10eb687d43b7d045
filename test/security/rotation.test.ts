import crypto from 'node:crypto'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { rotateCredential } from '../../src/accounts/api-credentials.ts'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'
import { askSocket } from '../api/ask-socket.ts'

const counted = { hashes: 0, comparisons: 0 }
const { createHash, timingSafeEqual } = crypto

/** Every module that imports these by name gets the counting versions until they are restored. */
function countWork(): void {
  Object.assign(crypto, {
    createHash: (...given: Parameters<typeof createHash>) => {
      counted.hashes += 1
      return createHash(...given)
    },
    timingSafeEqual: (...given: Parameters<typeof timingSafeEqual>) => {
      counted.comparisons += 1
      return timingSafeEqual(...given)
    },
  })
  syncBuiltinESMExports()
}

function stopCounting(): void {
  Object.assign(crypto, { createHash, timingSafeEqual })
  syncBuiltinESMExports()
}

let service: Service
let address: string
beforeAll(async () => {
  service = await aService()
  address = await service.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())

test('rotate while twenty clients poll: every request that starts after the answer gets 401', async () => {
  const organisation = await anOrganisation(service)
  const tokens = await Promise.all(Array.from({ length: 20 }, () => organisation.token()))
  let rotatedMs = Number.POSITIVE_INFINITY
  let stop = false
  const polls: { startedMs: number; status: number | undefined }[] = []
  async function poll(token: string): Promise<void> {
    while (!stop) {
      const startedMs = performance.now()
      const response = await askSocket(address, '/v2/stores', { authorization: `Bearer ${token}` })
      response.resume()
      await once(response, 'end')
      // The process may be too busy to answer, in which case no request was let in.
      if (response.statusCode !== 503) polls.push({ startedMs, status: response.statusCode })
    }
  }
  const polling = tokens.map(poll)
  await expect.poll(() => polls.length, { timeout: 60_000 }).toBeGreaterThan(100)
  await rotateCredential(organisation.id, { userId: null }, service.deps)
  rotatedMs = performance.now()
  const after = () => polls.filter(({ startedMs }) => startedMs >= rotatedMs)
  await expect.poll(() => after().length, { timeout: 60_000 }).toBeGreaterThan(100)
  stop = true
  await Promise.all(polling)
  expect(new Set(after().map(({ status }) => status))).toEqual(new Set([401]))
  expect(polls.filter(({ startedMs }) => startedMs < rotatedMs).map(({ status }) => status)).toContain(200)
})

test('S5: a failed login does the same work whichever value is wrong: as many hashes and as many comparisons', async () => {
  const { identity } = await anOrganisation(service)
  const disabled = await anOrganisation(service)
  await sql`update api_credentials set enabled = false where organisation_id = ${disabled.id}`.execute(
    service.deps.database,
  )
  const stranger = await anOrganisation(service)
  const wrong: Record<string, object> = {
    username: { ...identity, username: 'Grace' },
    email: { ...identity, email: 'nobody@example.com' },
    'email of another user': { ...identity, email: stranger.identity.email },
    organization_name: { ...identity, organization_name: 'Nowhere' },
    client_id: { ...identity, client_id: 'sfc_unknown' },
    client_secret: { ...identity, client_secret: 'wrong' },
    'disabled credential': disabled.identity,
    everything: { username: 'x', email: 'x', organization_name: 'x', client_id: 'x', client_secret: 'x' },
  }
  countWork()
  onTestFinished(stopCounting)
  const work: Record<string, { hashes: number; comparisons: number }> = {}
  for (const [at, [what, body]] of Object.entries(wrong).entries()) {
    const before = { ...counted }
    const response = await service.login(body, `198.51.100.${at + 1}`)
    expect(response.statusCode).toBe(401)
    work[what] = {
      hashes: counted.hashes - before.hashes,
      comparisons: counted.comparisons - before.comparisons,
    }
  }
  const same = { hashes: work.username?.hashes ?? 0, comparisons: 1 }
  expect(same.hashes).toBeGreaterThanOrEqual(2)
  expect(work).toEqual(Object.fromEntries(Object.keys(wrong).map((what) => [what, same])))
})

test('S5: login throttling cannot lock an organisation out from other addresses', async () => {
  const { identity } = await anOrganisation(service)
  const attacker = '203.0.113.66'
  for (let failure = 0; failure < 30; failure += 1) await service.login({ ...identity, client_secret: 'x' }, attacker)
  expect((await service.login(identity, attacker)).statusCode).toBe(429)
  expect((await service.login(identity, '203.0.113.67')).statusCode).toBe(200)
})
