import { expect, it } from 'vitest'
import { aPlatform, type Platform, runClient } from './run-client.ts'

const ask = (platform: Platform, scenario: string, input?: unknown) =>
  runClient('aligent-bigcommerce-api-shoppers.ts', platform, scenario, { input })

it('creates customers ten a call and pages through them without missing one', async () => {
  const customers = await ask(await aPlatform(), 'customers', 23)
  expect(new Set(customers.map(({ email }: { email: string }) => email)).size).toBe(23)
})

it('meets 422 with the address that is in use', async () => {
  const { message } = await ask(await aPlatform(), 'duplicateCustomer')
  expect(message).toMatch(/422 - .*"Create customers failed\.".*person-1@example\.com/)
})

it('puts a customer into a segment, which the list of customers tells', async () => {
  const platform = await aPlatform()
  const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example' }
  const [{ id }] = await platform.made('POST', '/v3/customers', [ada])
  const [customer] = await ask(platform, 'segments', id)
  expect(customer).toMatchObject({ id, segment_ids: [expect.any(String)], shopper_profile_id: expect.any(String) })
})

it('makes a promotion with codes, switches it on and may not delete it while it has them', async () => {
  const platform = await aPlatform()
  const { changed, codes, refused } = await ask(platform, 'promotions', ['FIVE-1', 'FIVE-2'])
  expect(changed).toMatchObject({ status: 'ENABLED' })
  expect(codes.map(({ code }: { code: string }) => code)).toEqual(['FIVE-1', 'FIVE-2'])
  expect(refused.message).toContain('422')
  expect(platform.store.table('promotions').count()).toBe(1)
})

it('reads groups of customers of version 2, and nothing where there are none', async () => {
  const { first, behind } = await ask(await aPlatform(), 'groups')
  expect([first, behind]).toEqual([[expect.objectContaining({ name: 'Trade' })], null])
})

it('makes a shipping zone with a method and reads it', async () => {
  expect(await ask(await aPlatform(), 'shipping')).toMatchObject([{ name: 'Flat', type: 'perorder' }])
})

it('makes a subscriber, lists it and meets 409 with a second one', async () => {
  const { all, again } = await ask(await aPlatform(), 'subscribers', 'ada@example.com')
  expect(all).toMatchObject([{ email: 'ada@example.com' }])
  expect(again.message).toContain('409')
})
