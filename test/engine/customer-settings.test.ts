import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'

const path = '/v3/customers/settings'
const entities = ['customer-settings']
const update = { entities, conflictStrategy: 'update' }
const groupsFirst = ['price-lists', 'customer-groups']

const groups = async (world: World, side: Side) => (await world.state(side)).customer_groups ?? []
const said = (world: World, side: Side, at = '') => callStore(world, side, 'GET', `${path}${at}`)

/** Two storefronts, the first of which the destination has; groups with other ids there. */
async function groupsInSettings() {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' } })
  const outlet = (await world.state('source')).channels?.find(({ name }) => name === 'Outlet')?.id ?? 0
  const [first, second] = await groups(world, 'source')
  await callStore(world, 'source', 'PUT', path, {
    privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: '/privacy' },
    customer_group_settings: { guest_customer_group_id: first?.id, default_customer_group_id: 0 },
  })
  await callStore(world, 'source', 'PUT', `${path}/channels/1`, {
    customer_group_settings: { default_customer_group_id: second?.id },
    allow_global_logins: false,
  })
  const writes = async () =>
    (await world.requests('destination'))
      .filter(({ method }) => method !== 'GET')
      .map((one) => `${one.method} ${one.path}`)
      .sort()
  return { world, outlet, first, second, writes }
}

test('skip leaves the customer settings of the store alone, and reports those of a channel without a counterpart', async () => {
  const { world, outlet } = await groupsInSettings()
  const before = await said(world, 'destination')
  const run = await world.complete({ entities })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await said(world, 'destination')).toEqual(before)
  const reported = (await world.findings(run.requestId)).filter(
    ({ component }) => component === 'channel-customer-settings',
  )
  expect(reported.map(({ code, item }) => `${code} ${item.sourceId}`)).toEqual([`not_copied ${outlet}/customers`])
})

test('C4: groups that were not copied are left out of the customer settings and reported, and the privacy settings are copied', async () => {
  const { world } = await groupsInSettings()
  const run = await world.complete(update)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const reported = (await world.issues(run.requestId)).map(({ code, component }) => `${code} ${component}`).sort()
  expect(reported).toEqual(['reference_left_out channel-customer-settings', 'reference_left_out customer-settings'])
  expect(await said(world, 'destination')).toMatchObject({
    privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: '/privacy' },
    customer_group_settings: { guest_customer_group_id: 0 },
  })
})

test('C4: where a group of the customer settings was not copied, the destination keeps its own', async () => {
  const { world, writes } = await groupsInSettings()
  const made = (name: string) => callStore(world, 'destination', 'POST', '/v2/customer_groups', { name })
  const [guests, regulars] = [await made('Passers-by'), await made('Regulars')]
  const own = { guest_customer_group_id: guests.id, default_customer_group_id: regulars.id }
  await callStore(world, 'destination', 'PUT', path, { customer_group_settings: own })
  for (const sent of [2, 0]) {
    await world.resetRequests('destination')
    await world.complete(update)
    expect(await said(world, 'destination')).toMatchObject({
      privacy_settings: { policy_url: '/privacy' },
      customer_group_settings: { guest_customer_group_id: guests.id, default_customer_group_id: 0 },
    })
    expect(await writes()).toHaveLength(sent)
  }
})

longTest(
  'F2, C2: update names the same groups by their ids at the destination, as a dry run foretells; a second update writes nothing',
  async () => {
    const { world, first, second, writes } = await groupsInSettings()
    await world.complete({ entities: groupsFirst })
    await world.resetRequests('destination')
    const dry = await world.complete({ ...update, mode: 'dry-run' })
    expect(await writes()).toEqual([])
    expect(await counted(world, dry.requestId)).toMatchObject({
      'customer-settings': { updated: 1 },
      'channel-customer-settings': { updated: 1, skipped: 1 },
    })
    expect(await world.complete(update)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await writes()).toEqual([`PUT ${path}`, `PUT ${path}/channels/1`])
    const copies = await groups(world, 'destination')
    const twin = (group: typeof first) => copies.find(({ name }) => name === group?.name)?.id ?? -1
    const groupOf = { guest_customer_group_id: twin(first), default_customer_group_id: 0 }
    expect(await said(world, 'destination')).toMatchObject({ customer_group_settings: groupOf })
    expect(await said(world, 'destination', '/channels/1')).toMatchObject({
      privacy_settings: { policy_url: null },
      customer_group_settings: { guest_customer_group_id: null, default_customer_group_id: twin(second) },
      allow_global_logins: false,
    })
    await world.resetRequests('destination')
    await world.complete(update)
    expect(await writes()).toEqual([])
  },
)

longTest('F1: verify reports which customer settings differ', async () => {
  const { world } = await groupsInSettings()
  const run = await world.complete({ ...update, entities: [...groupsFirst, ...entities] })
  await callStore(world, 'destination', 'PUT', path, { privacy_settings: { policy_url: '/other' } })
  await callStore(world, 'destination', 'PUT', `${path}/channels/1`, { allow_global_logins: true })
  const { differences } = await world.verify(run.requestId)
  const fields = differences
    .filter(({ component }) => component.endsWith('customer-settings'))
    .map((one) => `${one.component} ${one.fields.map((field) => field.path)}`)
  expect(fields.sort()).toEqual([
    // Settings of the storefront without a counterpart.
    'channel-customer-settings ',
    'channel-customer-settings allow_global_logins',
    'customer-settings privacy_settings',
  ])
})

longTest(
  'F6: if the source asks shoppers for consent, a run over customers reports that answers are left out, unless it includes them',
  async () => {
    const { world } = await groupsInSettings()
    const reported = async (entities: string[], customerConsent = false) => {
      const run = await world.complete({ entities, customerConsent, mode: 'dry-run' })
      return (await world.findings(run.requestId)).filter(({ item }) => item.sourceId === 'consents').length
    }
    expect(await reported(['customers'])).toBe(1)
    expect(await reported(['customers'], true)).toBe(0)
    expect(await reported(['subscribers'])).toBe(0)
  },
)

test('D3: a run over one storefront leaves the customer settings of the store alone', async () => {
  const { world, outlet, writes } = await groupsInSettings()
  const pair = { sourceStorefront: String(outlet), destStorefront: '1' }
  await callStore(world, 'source', 'PUT', `${path}/channels/${outlet}`, { allow_global_logins: false })
  expect(await world.complete({ ...update, ...pair })).toMatchObject({ status: 'completed' })
  expect(await writes()).toEqual([`PUT ${path}/channels/1`])
  expect(await said(world, 'destination', '/channels/1')).toEqual(await said(world, 'source', `/channels/${outlet}`))
})
