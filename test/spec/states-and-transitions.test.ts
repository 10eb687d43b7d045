import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationStatuses } from '../../src/contract/status.ts'
import { bringTo } from '../api/migration-rows.ts'
import { aMerchant, type Merchant, pair } from './a-merchant.ts'

let merchant: Merchant
beforeAll(async () => {
  merchant = await aMerchant()
})
afterAll(() => merchant?.close())

/** A run where the engine would have brought it. */
async function aRun(status: (typeof migrationStatuses)[number]): Promise<string> {
  const { requestId } = (await merchant.post('/v2/migrations', { ...pair, entities: ['brands'] })).json()
  await bringTo(merchant.service, merchant.organisation.id, requestId, status)
  return requestId
}

const controls = ['pause', 'resume', 'cancel', 'heal']

test('MigrationStatus (field `status`) takes one of: `queued`, `in_progress`, `paused`, `completed`, `failed`, `cancelled`, `partial_completed`.', async () => {
  const named = ['queued', 'in_progress', 'paused', 'completed', 'failed', 'cancelled', 'partial_completed']
  expect([...migrationStatuses].sort()).toEqual(named.toSorted())
  for (const status of migrationStatuses) {
    const id = await aRun(status)
    expect((await merchant.get(`/v2/migrations/${id}`)).json().status).toBe(status)
  }
})

test('`completed`, `failed` and `cancelled` are terminal.', async () => {
  for (const status of ['completed', 'failed', 'cancelled'] as const) {
    const id = await aRun(status)
    for (const control of controls) {
      const refused = await merchant.post(`/v2/migrations/${id}/${control}`)
      expect(`${status} ${control} ${refused.json().error}`).toBe(`${status} ${control} invalid_transition`)
    }
    expect((await merchant.get(`/v2/migrations/${id}`)).json().status).toBe(status)
  }
})

test('`partial_completed` is not named as terminal.', async () => {
  const id = await aRun('partial_completed')
  expect((await merchant.post(`/v2/migrations/${id}/cancel`)).statusCode).toBe(202)
  expect((await merchant.get(`/v2/migrations/${id}`)).json().status).toBe('cancelled')
})

test('A finished run is read from a durable snapshot (survives engine teardown); a live run is read from the engine.', async () => {
  const sources = []
  for (const status of ['queued', 'in_progress', 'paused', 'completed', 'failed'] as const)
    sources.push([status, (await merchant.get(`/v2/migrations/${await aRun(status)}`)).headers['x-read-source']])
  // No engine has ever run beside this service.
  expect(Object.fromEntries(sources)).toEqual({
    queued: 'engine',
    in_progress: 'engine',
    paused: 'engine',
    completed: 'postgres',
    failed: 'postgres',
  })
})
