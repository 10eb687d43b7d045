import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Keyring } from '../../src/accounts/encryption.ts'
import { systemClock } from '../../src/clock.ts'
import type { StoreRow } from '../../src/db/accounts/stores.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { renewShares } from '../../src/db/runs/quota-shares.ts'
import { createStoreOpener } from '../../src/operations/shared/open-store.ts'
import { createQuotaClaims } from '../../src/operations/shared/quota-claims.ts'
import { mostWithin } from '../harness/most-within.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

test('E4: a server that reads a store live claims a part of the quota, shares it with a run, and releases it', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  const claimsOfRun = async () => (await renewShares(database, new Map([['abc', []]]), 'run 1')).get('abc')?.claims
  try {
    expect(await claimsOfRun()).toBe(1)
    const keeper = createQuotaClaims(database, systemClock)
    keeper.renew('abc')
    await until('the server knows of both', async () => keeper.claims('abc') === 2)
    expect(await claimsOfRun()).toBe(2)
    expect(keeper.claims('another')).toBe(1)
    await keeper.drop()
    expect(await claimsOfRun()).toBe(1)
  } finally {
    await database.destroy()
    await drop()
  }
})

test('E4: a server that goes on reading a store beside a run that starts claims its part of the quota again', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  const store = createServer((_, answer) => answer.setHeader('content-type', 'application/json').end('{}')).listen(0)
  await once(store, 'listening')
  const { port } = store.address() as AddressInfo
  const opener = createStoreOpener({
    ...{ database, clock: systemClock, keyring: {} as Keyring, requestTimeoutSeconds: 5, quotaReserve: 0.1 },
    bigcommerceApiUrl: `http://127.0.0.1:${port}`,
  })
  const claimsOfRun = async () => (await renewShares(database, new Map([['abc', []]]), 'run 1')).get('abc')?.claims
  try {
    const client = opener.openUnconnected({ hash: 'abc', token: 'token' }, { isAccepted: true })
    await client.get('/v2/time')
    await until('the server has its part', async () => (await claimsOfRun()) === 2)
    await opener.leave(['abc'])
    expect(await claimsOfRun()).toBe(1)
    await client.get('/v2/time')
    await until('the server has its part again', async () => (await claimsOfRun()) === 2)
    await client.close()
  } finally {
    await opener.close()
    store.close()
    await database.destroy()
    await drop()
  }
})

test('E4: two organisations that read one store through a server share its part of the quota', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  const quota = 20
  const cameMs: number[] = []
  const window = { beganMs: performance.now(), calls: 0 }
  const store = createServer((_, answer) => {
    const nowMs = performance.now()
    if (nowMs - window.beganMs >= 1_000) Object.assign(window, { beganMs: nowMs, calls: 0 })
    cameMs.push(nowMs)
    window.calls += 1
    answer.setHeader('content-type', 'application/json')
    answer.setHeader('x-rate-limit-requests-quota', quota)
    answer.setHeader('x-rate-limit-requests-left', Math.max(0, quota - window.calls))
    answer.setHeader('x-rate-limit-time-window-ms', 1_000)
    answer.setHeader('x-rate-limit-time-reset-ms', Math.ceil(window.beganMs + 1_000 - nowMs))
    answer.end('{}')
  }).listen(0)
  await once(store, 'listening')
  const { port } = store.address() as AddressInfo
  const keyring = { decrypt: () => Buffer.from('token') } as unknown as Keyring
  const opener = createStoreOpener({
    ...{ database, clock: systemClock, keyring, requestTimeoutSeconds: 5, quotaReserve: 0.1 },
    bigcommerceApiUrl: `http://127.0.0.1:${port}`,
  })
  const storeOf = (organisation: string) =>
    ({ id: organisation, hash: 'abc', tokenEncrypted: Buffer.from(organisation) }) as StoreRow
  try {
    const readMany = async (organisation: string) => {
      const client = opener.open(storeOf(organisation), { readOnly: true })
      for (const _ of Array.from({ length: 30 })) await client.get('/v2/time')
    }
    await Promise.all(['one', 'another'].map(readMany))
    expect(mostWithin(1_000, cameMs)).toBeLessThanOrEqual(quota * 0.9)
  } finally {
    await opener.close()
    store.close()
    await database.destroy()
    await drop()
  }
})
