import { expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'
import { tablesContaining } from './tables-containing.ts'

const entities = ['customer-groups', 'customer-attributes', 'customers']
const withConsent = { entities, customerConsent: true }
const consentPath = /^\/v3\/customers\/\d+\/consent$/
const component = 'customer-consents'

/** Customers of the seed, a few of whom answered the question about tracking; @returns how many did, out of how many. */
async function someWhoAnswered() {
  const world = await aWorld()
  await callStore(world, 'source', 'PUT', '/v3/customers/settings', {
    privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: '/privacy' },
  })
  const silent = (await consents(world, 'source')).map(({ customer_id }) => customer_id)
  const { customers: rows = [] } = await world.state('source')
  const [first, second] = rows.filter(({ id }) => !silent.includes(id))
  await declare(world, 'source', first?.id, { allow: ['targeting', 'analytics'], deny: [] })
  await declare(world, 'source', second?.id, { allow: [], deny: ['targeting', 'analytics', 'functional'] })
  return { world, declared: (await consents(world, 'source')).length, customers: rows.length }
}

async function consents(world: World, side: Side) {
  return (await world.state(side)).customer_consents ?? []
}

function declare(world: World, side: Side, customerId: unknown, body: object) {
  return callStore(world, side, 'PUT', `/v3/customers/${customerId}/consent`, body)
}

async function countConsentCalls(world: World, side: Side, method: string): Promise<number> {
  const requests = await world.requests(side, method)
  return requests.filter(({ path }) => consentPath.test(path)).length
}

async function copied(world: World, settings: object = {}): Promise<MigrationDetail> {
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  const run = await world.complete({ ...withConsent, ...settings })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  return run
}

async function differing(world: World) {
  const found = compareStores(await world.state('source'), await world.state('destination'))
  return found.filter(({ entity }) => entity === component || entity === 'customers')
}

const consentReports = async (world: World, { requestId }: MigrationDetail) =>
  (await world.findings(requestId)).filter(({ item }) => item.sourceId === 'consents').length

longTest('tracking consent is read only if the request includes it, and a later update can add it', async () => {
  const { world, declared } = await someWhoAnswered()
  const run = await copied(world, { customerConsent: false })
  expect(await countConsentCalls(world, 'source', 'GET')).toBe(0)
  expect((await counted(world, run.requestId))[component]).toEqual({})
  expect(await consentReports(world, run)).toBe(1)
  await copied(world, { conflictStrategy: 'update' })
  expect(await countConsentCalls(world, 'destination', 'PUT')).toBe(declared)
  expect(await differing(world)).toEqual([])
})

test('a copy reads consent once per customer besides the forecast, and writes it once per customer who answered', async () => {
  const { world, declared, customers } = await someWhoAnswered()
  const run = await copied(world)
  // The forecast looks at five of them as well.
  expect(await countConsentCalls(world, 'source', 'GET')).toBe(customers + Math.min(5, customers))
  expect(await countConsentCalls(world, 'destination', 'PUT')).toBe(declared)
  expect((await counted(world, run.requestId))[component]).toMatchObject({ discovered: declared, created: declared })
  expect(await consentReports(world, run)).toBe(0)
})

longTest(
  'C2, F2: consent is copied as a dry run foretells, and a second run writes none under any strategy',
  async () => {
    const { world, declared } = await someWhoAnswered()
    const reported = await comparedWithItsPlan(world, withConsent)
    expect(reported).toEqual({ onlyPlanned: [], onlyDone: [], refusals: 0, predicted: 0 })
    expect(await consents(world, 'destination')).toHaveLength(declared)
    expect(await differing(world)).toEqual([])
    for (const conflictStrategy of ['skip', 'update', 'replace']) {
      const run = await copied(world, { conflictStrategy })
      expect(await countConsentCalls(world, 'destination', 'PUT'), conflictStrategy).toBe(0)
      // The list of customers that skip reads shows no consent (G13).
      const state = conflictStrategy === 'skip' ? 'skipped' : 'matched'
      expect((await counted(world, run.requestId))[component]).toEqual({ discovered: declared, [state]: declared })
    }
  },
)

longTest('D1: consent changed at the destination is kept, unless `overwriteLiving` names the component', async () => {
  const { world } = await someWhoAnswered()
  await copied(world)
  const all = await consents(world, 'destination')
  const changed = all.find(({ allow }) => Array.isArray(allow) && allow.includes('targeting'))
  await declare(world, 'destination', changed?.customer_id, { allow: [], deny: ['targeting'] })
  const { requestId } = await copied(world, { conflictStrategy: 'update' })
  expect(await differing(world)).toMatchObject([{ entity: component, field: 'allow' }, { field: 'deny' }])
  const { differences } = await world.verify(requestId)
  // By field names alone, because a customer's answer is personal data.
  const reported = differences.filter((one) => one.component === component)
  expect(reported).toMatchObject([{ kind: 'different', living: true }])
  const unseen = { source: null, destination: null }
  expect(reported[0]?.fields).toEqual([
    { path: 'allow', ...unseen },
    { path: 'deny', ...unseen },
  ])
  await copied(world, { conflictStrategy: 'update', overwriteLiving: [component] })
  expect(await differing(world)).toEqual([])
})

test('a forecast includes consent only if the request does, and marks its number as estimated', async () => {
  const { world, declared } = await someWhoAnswered()
  const forecast = async (customerConsent: boolean) => {
    const [source, destination] = [world.address('source').hash, world.address('destination').hash]
    const body = { source, destination, entities: ['customers'], customerConsent }
    const answer = await world.api<{ counts: Record<string, number>; estimated: string[] }>(
      'POST',
      '/v2/forecast',
      body,
    )
    expect(answer.status).toBe(200)
    const { counts, estimated } = answer.body
    return [counts[component] ?? 0, estimated.includes(component)]
  }
  expect(await forecast(false)).toEqual([0, false])
  expect(await forecast(true)).toEqual([declared, true])
})

test('S9: consent is not stored in clear', async () => {
  const { world } = await someWhoAnswered()
  await copied(world)
  expect(await tablesContaining(world, ['"analytics"', '"targeting"'])).toEqual([])
})

test('C2: a customer with consent whose update was refused at first is not reported as edited at the destination', async () => {
  const { world } = await someWhoAnswered()
  await copied(world)
  const [{ customer_id } = { customer_id: 0 }] = await consents(world, 'source')
  const fields = { company: 'Another Company' }
  await world.change('source', { op: 'set', table: 'customers', id: Number(customer_id), fields })
  const refused = { method: 'PUT', path: '^/v3/customers$' }
  await world.fault('destination', { kind: 'error_before_applying', status: 422, ...refused })
  const run = await world.complete({ ...withConsent, conflictStrategy: 'update' })
  const about = (await world.issues(run.requestId)).filter((issue) => issue.component === 'customers')
  expect(about.map(({ code, state }) => [code, state])).toEqual([['platform_refused', 'healed']])
})

test('G4: a customer with consent whom only the destination has is deleted under `replace` on request', async () => {
  const { world } = await someWhoAnswered()
  await copied(world)
  await callStore(world, 'destination', 'POST', '/v3/customers', [
    { email: 'only.here@example.com', first_name: 'Only', last_name: 'Here' },
  ])
  const only = (await world.state('destination')).customers?.find(({ email }) => email === 'only.here@example.com')
  await declare(world, 'destination', only?.id, { allow: ['targeting'], deny: [] })
  const run = await world.complete({
    ...withConsent,
    conflictStrategy: 'replace',
    pruneLive: ['customers'],
    pruneLimitPercent: 100,
  })
  expect((await world.issues(run.requestId)).filter((issue) => issue.component === 'customers')).toEqual([])
  expect((await world.state('destination')).customers?.map(({ id }) => id)).not.toContain(only?.id)
})
