import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { addStorefront, firstPair, outletOf } from './two-storefronts.ts'

const people = ['customers', 'subscribers', 'wishlists'] as const
const withLists = ['products', 'customer-groups', 'customer-attributes', ...people]

const idsIn = async (world: World, table: string) =>
  ((await world.state('destination'))[table] ?? []).map(({ id }) => id)

type Counts = Record<(typeof people)[number], number>

async function countPeople(world: World): Promise<Counts> {
  const count = async (table: string) => (await idsIn(world, table)).length
  return {
    customers: await count('customers'),
    subscribers: await count('subscribers'),
    wishlists: await count('wishlists'),
  }
}

/** Copied once; then a customer with a wishlist, the wishlist of another one and a subscriber are deleted at the destination. */
async function withErased(entities: string[]): Promise<{ world: World; copied: Counts; left: Counts }> {
  const world = await aWorld({ entities })
  await world.complete()
  const copied = await countPeople(world)
  const { wishlists = [] } = await world.state('destination')
  const [first] = wishlists
  const other = wishlists.find(({ customer_id }) => customer_id !== first?.customer_id)
  const [subscriber] = await idsIn(world, 'subscribers')
  await callStore(world, 'destination', 'DELETE', `/v3/customers?id:in=${first?.customer_id}`)
  await callStore(world, 'destination', 'DELETE', `/v3/wishlists/${other?.id}`)
  await callStore(world, 'destination', 'DELETE', `/v3/customers/subscribers/${subscriber}`)
  return { world, copied, left: await countPeople(world) }
}

longTest(
  'G12: under no strategy people who were deleted at the destination are created again, and a warning says how they would be',
  async () => {
    const { world, copied, left } = await withErased(withLists)
    for (const table of people) expect(left[table], table).toBeLessThan(copied[table])
    for (const conflictStrategy of ['skip', 'update', 'replace', 'skip']) {
      const run = await world.complete({ conflictStrategy })
      console.log(
        conflictStrategy,
        JSON.stringify(
          (await world.issues(run.requestId)).map((one) => [one.component, one.code, one.item.sourceId, one.message]),
          null,
          1,
        ),
      )
      expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await countPeople(world), conflictStrategy).toEqual(left)
      const warned = (await world.issues(run.requestId)).filter(({ code }) => code === 'not_recreated')
      expect(new Set(warned.map(({ component }) => component))).toEqual(new Set(people))
      for (const { component, message, severity } of warned) {
        expect(severity).toBe('warning')
        expect(message).toMatch(new RegExp(`name ("customers" and )?"${component}" in recreateErased`))
      }
      expect((await counted(world, run.requestId)).customers?.created).toBeUndefined()
    }
  },
)

longTest('G12: verify lists people who stay erased as missing and kept, and counts none of them', async () => {
  const { world, copied, left } = await withErased(withLists)
  const { requestId } = await world.complete()
  const { detail, differences } = await world.verify(requestId)
  expect(differences.map(({ kind, kept }) => ({ kind, kept }))).toEqual(
    differences.map(() => ({ kind: 'missing', kept: true })),
  )
  for (const table of people)
    expect(differences.filter(({ component }) => component === table)).toHaveLength(copied[table] - left[table])
  expect(detail).toMatchObject({ status: 'completed', failuresOpen: 0 })
})

longTest('G12: a new order of an erased customer is copied as that of a guest', async () => {
  const { world } = await withErased([...withLists, 'orders'])
  const gone = (await world.issues((await world.complete()).requestId)).find(
    ({ code, component }) => code === 'not_recreated' && component === 'customers',
  )
  const order = await callStore<{ id: number }>(world, 'source', 'POST', '/v2/orders', {
    customer_id: Number(gone?.item.sourceId),
    status_id: 10,
    billing_address: {
      first_name: 'Ada',
      last_name: 'Example',
      email: 'ada@example.com',
      country: 'United States',
      country_iso2: 'US',
      street_1: '1 Main',
      city: 'Austin',
      state: 'Texas',
      zip: '78759',
    },
    products: [{ name: 'Custom', quantity: 1, price_inc_tax: 5, price_ex_tax: 5 }],
  })
  await world.complete({ entities: ['customers', 'orders'] })
  const { orders = [] } = await world.state('destination')
  const copy = orders.find(({ external_order_id }) => String(external_order_id).endsWith(`-${order.id}`))
  expect(copy).toMatchObject({ customer_id: 0 })
})

test('G12: what segments have of a customer who was deleted at the destination is left out, and a warning says whom to create again', async () => {
  const world = await aWorld({ entities: ['customers', 'segments'] })
  await world.complete()
  const members = async () => (await world.state('destination')).segment_members ?? []
  const { shopper_profiles: profiles = [] } = await world.state('destination')
  const before = await members()
  const [member] = before
  const profile = profiles.find(({ id, uuid }) => [id, uuid].includes(member?.shopper_profile_id as number))
  const there = (await world.state('destination')).customers?.find(({ id }) => id === profile?.customer_id)
  const customer = (await world.state('source')).customers?.find(({ email }) => email === there?.email)?.id
  await callStore(world, 'destination', 'DELETE', `/v3/customers?id:in=${profile?.customer_id}`)
  const left = await members()
  expect(left.length).toBeLessThan(before.length)
  for (const conflictStrategy of ['skip', 'update', 'replace'])
    for (const mode of ['dry-run', 'full']) {
      const run = await world.complete({ mode, conflictStrategy })
      expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await members()).toEqual(left)
      const about = (await world.issues(run.requestId)).filter(
        ({ message }) => message.includes(`ustomer ${customer}"`) || message.includes(`customer ${customer},`),
      )
      expect(new Set(about.map(({ code }) => code))).toEqual(new Set(['not_recreated']))
      const advised = about.map(
        ({ component, message }) => `${component} ${message.match(/name (.*) in recreateErased/)?.[1]}`,
      )
      const kinds = ['customers', 'shopper-profiles', ...Array(before.length - left.length).fill('segment-members')]
      expect(advised.sort()).toEqual(kinds.map((component) => `${component} "customers"`).sort())
    }
  await world.complete({ recreateErased: ['customers'] })
  expect(await members()).toHaveLength(before.length)
})

test('G12: a request that names their components has them created again', async () => {
  const { world, copied } = await withErased(withLists)
  const run = await world.complete({ recreateErased: ['customers', 'subscribers', 'wishlists'] })
  expect(await countPeople(world)).toEqual(copied)
  const codes = (await world.issues(run.requestId)).map(({ code }) => code)
  expect(codes).toContain('destination_deleted')
  expect(codes).not.toContain('not_recreated')
  expect(
    await world.api('POST', '/v2/migrations', {
      source: world.address('source').hash,
      destination: world.address('destination').hash,
      recreateErased: ['customers', 'products'],
    }),
  ).toMatchObject({
    status: 422,
    body: { errors: { 'recreateErased.1': ['Use customers, subscribers, wishlists.'] } },
  })
})

test.each([
  ['the whole store', 'its storefront', {}, firstPair],
  ['its storefront', 'the whole store', firstPair, {}],
])('G12: a subscriber who was copied with %s and deleted at the destination is not created again with %s', async (_first, _next, first, next) => {
  const world = await aWorld({ entities: ['subscribers'] })
  await world.complete(first)
  const [erased, ...others] = await idsIn(world, 'subscribers')
  await callStore(world, 'destination', 'DELETE', `/v3/customers/subscribers/${erased}`)
  for (const conflictStrategy of ['skip', 'update']) {
    const run = await world.complete({ ...next, conflictStrategy })
    expect(await idsIn(world, 'subscribers'), conflictStrategy).toEqual(others)
    const warned = (await world.issues(run.requestId)).filter(({ code }) => code === 'not_recreated')
    expect(warned).toHaveLength(1)
  }
  await world.complete({ ...next, recreateErased: ['subscribers'] })
  expect(await idsIn(world, 'subscribers')).toHaveLength(others.length + 1)
})

test('G12: a subscriber who was copied with the whole store is still copied to another storefront than the counterpart of their own', async () => {
  const world = await aWorld({ entities: ['subscribers'] })
  await addStorefront(world)
  await world.complete()
  const copied = await idsIn(world, 'subscribers')
  const destStorefront = String(await outletOf(world, 'destination'))
  await world.complete({ sourceStorefront: '1', destStorefront })
  const added = ((await world.state('destination')).subscribers ?? []).filter(({ id }) => !copied.includes(id))
  expect(added.map(({ channel_id }) => String(channel_id))).toEqual(copied.map(() => destStorefront))
})
