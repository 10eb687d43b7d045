import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { renewShares } from '../../src/db/runs/quota-shares.ts'
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
