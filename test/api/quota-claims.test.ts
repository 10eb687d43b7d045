import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Keyring } from '../../src/accounts/encryption.ts'
import { systemClock } from '../../src/clock.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { renewShares } from '../../src/db/runs/quota-shares.ts'
import { createStoreOpener } from '../../src/operations/shared/open-store.ts'
import { createQuotaClaims } from '../../src/operations/shared/quota-claims.ts'
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
    const client = opener.openUnconnected({ hash: 'abc', token: 'token' })
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
