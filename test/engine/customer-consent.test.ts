import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'
import { tablesThatTell } from './tables-that-tell.ts'

const entities = ['customer-groups', 'customer-attributes', 'customers']
const consentPath = /^\/v3\/customers\/\d+\/consent$/
const component = 'customer-consents'

/** Customers of the seed, of whom a few said something about tracking; each test goes on where the one before it ended. */
let world: World
let declared: number
let customers: number
beforeAll(async () => {
  world = await startWorld({ moreStores: ['plain'] })
  await callStore(world, 'source', 'PUT', '/v3/customers/settings', {
    privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: '/privacy' },
  })
  const silent = (await consents('source')).map(({ customer_id }) => customer_id)
  const { customers: rows = [] } = await world.state('source')
  const [first, second] = rows.filter(({ id }) => !silent.includes(id))
  await declare('source', first?.id, { allow: ['targeting', 'analytics'], deny: [] })
  await declare('source', second?.id, { allow: [], deny: ['targeting', 'analytics', 'functional'] })
  declared = (await consents('source')).length
  customers = rows.length
})
afterAll(() => world?.stop())

async function consents(side: Side) {
  return (await world.state(side)).customer_consents ?? []
}

function declare(side: Side, customerId: unknown, body: object) {
  return callStore(world, side, 'PUT', `/v3/customers/${customerId}/consent`, body)
}

async function asked(side: Side, method: string): Promise<number> {
  const requests = await world.requests(side, method)
  return requests.filter(({ path }) => consentPath.test(path)).length
}

async function copied(settings: object = {}): Promise<MigrationDetail> {
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  const run = await world.complete({ entities, ...settings })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectCountersToEqualTheLedger(world, run.requestId)
  return run
}

async function differing() {
  const found = compareStores(await world.state('source'), await world.state('destination'))
  return found.filter(({ entity }) => entity === component || entity === 'customers')
}

const toldOfConsent = async ({ requestId }: MigrationDetail) =>
  (await world.findings(requestId)).filter(({ item }) => item.sourceId === 'consents').length

test('nobody is asked what customers answered about tracking unless the request says so, and the run tells that', async () => {
  const run = await copied({ customerConsent: undefined, destination: 'plain' })
  expect(await asked('source', 'GET')).toBe(0)
  expect((await counted(world, run.requestId))[component]).toEqual({})
  expect(await toldOfConsent(run)).toBe(1)
})

test('F2: the dry run before it plans each answer that the copy then gives', async () => {
  const told = await comparedWithItsPlan(world, { entities, mode: undefined })
  expect(told).toEqual({ onlyPlanned: [], onlyDone: [], refusals: 0, predicted: 0 })
  expect(await consents('destination')).toHaveLength(declared)
  expect(await differing()).toEqual([])
})

test('one call of the source is taken for each customer, and one of the destination for each who answered', async () => {
  const there = (await world.state('destination')).customers ?? []
  for (const { id } of there) await callStore(world, 'destination', 'DELETE', `/v3/customers?id:in=${id}`)
  const run = await copied()
  // The forecast looks at five of them as well.
  expect(await asked('source', 'GET')).toBe(customers + Math.min(5, customers))
  expect(await asked('destination', 'PUT')).toBe(declared)
  expect((await counted(world, run.requestId))[component]).toMatchObject({ discovered: declared, created: declared })
  expect(await toldOfConsent(run)).toBe(0)
})

test.each(['skip', 'update', 'replace'])('C2: a second run under %s writes nothing', async (conflictStrategy) => {
  const run = await copied({ conflictStrategy })
  expect(await asked('destination', 'PUT')).toBe(0)
  expect((await counted(world, run.requestId))[component]).toEqual({ discovered: declared, matched: declared })
})

test('D1: who changed their mind at the destination has the last word, unless `overwriteLiving` names the component', async () => {
  const changed = (await consents('destination')).find(({ allow }) => (allow as string[]).includes('targeting'))
  await declare('destination', changed?.customer_id, { allow: [], deny: ['targeting'] })
  await copied({ conflictStrategy: 'update' })
  expect(await differing()).toMatchObject([{ entity: component, field: 'allow' }, { field: 'deny' }])
  const { requestId } = await copied({ conflictStrategy: 'update' })
  const { differences } = await world.verify(requestId)
  // By names of fields alone: what somebody answered is personal.
  const told = differences.filter((one) => one.component === component)
  expect(told).toMatchObject([{ kind: 'different', living: true }])
  const unseen = { source: null, destination: null }
  expect(told[0]?.fields).toEqual([
    { path: 'allow', ...unseen },
    { path: 'deny', ...unseen },
  ])
  await copied({ conflictStrategy: 'update', overwriteLiving: [component] })
  expect(await differing()).toEqual([])
})

test('customers that were copied without their answers get them from an update that asks for them', async () => {
  for (const { id } of await consents('destination'))
    await world.change('destination', { op: 'remove', table: 'customer_consents', id: Number(id) })
  await copied({ conflictStrategy: 'update' })
  expect(await asked('destination', 'PUT')).toBe(declared)
  expect(await differing()).toEqual([])
})

test('a forecast counts the answers where they are asked for, as many as it found among those it looked at', async () => {
  const forecast = async (customerConsent: boolean) => {
    const pair = { source: 'source', destination: 'plain', entities: ['customers'] }
    const answer = await world.api<{ counts: Record<string, number>; estimated: string[] }>('POST', '/v2/forecast', {
      ...pair,
      customerConsent,
    })
    expect(answer.status).toBe(200)
    const { counts, estimated } = answer.body
    return [counts[component] ?? 0, estimated.includes(component)]
  }
  expect(await forecast(false)).toEqual([0, false])
  expect(await forecast(true)).toEqual([declared, true])
})

test('S9: what somebody answered about tracking is not kept in clear', async () => {
  expect(await tablesThatTell(world, ['"analytics"', '"targeting"'])).toEqual([])
})
