import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

const entities = ['customer-attributes', 'customers']
const address = {
  ...{ first_name: 'Ada', last_name: 'Example', address1: '1 Example Street', city: 'Austin' },
  ...{ postal_code: '78759', country_code: 'US' },
}

test('F4: a customer with an address in a state that the destination does not know is copied without that address only, also if another one has no state, and an issue names it', async () => {
  const world = await aWorld({ switches: { destination: { address_states: 'known' } }, entities })
  const addresses = ['Texas', 'Texax', ''].map((state_or_province) => ({ ...address, state_or_province }))
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example', addresses }
  await callStore(world, 'source', 'POST', '/v3/customers', [customer])
  const before = await world.state('source')
  const { requestId } = await world.complete()
  const after = await world.state('destination')
  const statesOf = (state: typeof after) => (state.customer_addresses ?? []).map((row) => row.state_or_province).sort()
  expect(after.customers).toHaveLength(before.customers?.length ?? 0)
  expect(statesOf(after)).toEqual(statesOf(before).filter((state) => state !== 'Texax'))
  const issues = (await world.issues(requestId)).filter(({ phase }) => phase === 'customers')
  expect(issues.map(({ code, component, state }) => `${code} ${component} ${state}`)).toEqual([
    'platform_refused customer-addresses open',
  ])
  const bad = before.customer_addresses?.find((row) => row.state_or_province === 'Texax')
  expect(issues[0]?.message).toBe(
    `The destination refused "Customer address ${bad?.id}" of "Customer ${bad?.customer_id}": HTTP 422, a value is not valid.`,
  )
  expect((await counted(world, requestId))['customer-addresses']).toMatchObject({ failed: 1 })
  await expectCountersToEqualTheLedger(world, requestId)

  const correction = [{ id: bad?.id, state_or_province: 'TX' }]
  await callStore(world, 'source', 'PUT', '/v3/customers/addresses', correction)
  const { requestId: next } = await world.complete()
  expect(statesOf(await world.state('destination'))).toEqual(statesOf(await world.state('source')))
  expect((await world.issues(next)).filter(({ phase }) => phase === 'customers')).toEqual([])
})
