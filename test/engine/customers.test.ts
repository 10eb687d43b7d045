import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, stateOfUnchanged } from './counted.ts'
import { tablesContaining } from './tables-containing.ts'

const entities = ['customer-groups', 'customer-attributes', 'customers']
const components = [
  'customer-attributes',
  'customers',
  'customer-addresses',
  'customer-attribute-values',
  'customer-form-fields',
]
const aboutCustomers = new Set([...components, 'customer-address-form-fields', 'customer-metafields'])

/** Customers of the seed, and one with more parts than fit into one call; copied once, and neither store changes after that. */
let world: World
let run: MigrationDetail
let writes: string[]
beforeAll(async () => {
  world = await startWorld()
  await addCustomers()
  run = await world.complete({ entities })
  writes = (await world.requests('destination'))
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(/\/\d+(?=\/|$)/g, '/*')}`)
})
afterAll(() => world?.stop())

const address = {
  first_name: 'Ada',
  last_name: 'Example',
  address1: '1 Seclusion Street',
  city: 'Austin',
  state_or_province: 'Texas',
  postal_code: '78759',
  country_code: 'US',
}

function made(method: string, path: string, body: unknown) {
  return callStore<{ id: number }[]>(world, 'source', method, path, body)
}

async function addCustomers(): Promise<void> {
  const names = Array.from({ length: 12 }, (_none, at) => `Extra ${at}`)
  const attributes = await made(
    'POST',
    '/v3/customers/attributes',
    names.map((name) => ({ name, type: 'string' })),
  )
  await callStore(world, 'source', 'POST', '/v2/customer_groups', { name: 'Regulars' })
  const group = (await world.state('source')).customer_groups?.find(({ name }) => name === 'Regulars')
  const rich = {
    customer_group_id: group?.id,
    email: 'Rich.Example@example.com',
    first_name: 'Rich',
    last_name: 'Example',
  }
  const [customer] = await made('POST', '/v3/customers', [
    { ...rich, form_fields: [{ name: 'Gate', value: ['North', 'South'] }], store_credit_amounts: [{ amount: 7.25 }] },
  ])
  const customer_id = customer?.id ?? 0
  const addresses = names.map((name, at) => ({
    ...address,
    address2: name,
    customer_id,
    ...(at % 5 === 0 ? { form_fields: [{ name: 'Floor', value: at }] } : {}),
  }))
  await made('POST', '/v3/customers/addresses', addresses)
  const values = attributes.map(({ id }) => ({ attribute_id: id, customer_id, value: `kept value of ${id}` }))
  await made('PUT', '/v3/customers/attribute-values', values)
}

function times(call: string): number {
  return writes.filter((write) => write === call).length
}

async function differences(): Promise<unknown[]> {
  const found = compareStores(await world.state('source'), await world.state('destination'))
  return found.filter(({ entity }) => aboutCustomers.has(entity))
}

test('customers and everything that belongs to them are copied without an issue, even if it does not fit into one call', async () => {
  const issues = await world.issues(run.requestId)
  expect(issues.filter(({ component }) => aboutCustomers.has(component))).toEqual([])
  expect(run.status).toBe('completed')
  expect(await differences()).toEqual([])
})

test('E2: customers are sent in one call, and the addresses and attribute values that do not fit into it in one more call each', async () => {
  expect(times('POST /v3/customers')).toBe(1)
  expect(times('POST /v3/customers/addresses')).toBe(1)
  expect(times('PUT /v3/customers/attribute-values')).toBe(1)
})

test('every copied customer has to choose a password', async () => {
  const { customers = [] } = await world.state('destination')
  expect(customers.length).toBeGreaterThan(5)
  expect(customers.every((row) => row.force_password_reset === true)).toBe(true)
})

test('C2, G13: a second run leaves every customer alone, without comparing what its list does not show, and writes none', async () => {
  await world.resetRequests('destination')
  const second = await world.complete({ entities })
  expect(second.status).toBe('completed')
  for (const [component, { discovered, ...counts }] of Object.entries(await counted(world, second.requestId)))
    if (aboutCustomers.has(component))
      expect(counts, component).toEqual(discovered ? { [stateOfUnchanged(component, 'skip')]: discovered } : {})
  const written = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(written.filter(({ path }) => path.startsWith('/v3/customers'))).toEqual([])
})

test('F1: verify finds the copy equal', async () => {
  const { detail, differences } = await world.verify(run.requestId)
  expect(detail.status).toBe('completed')
  expect(differences.filter(({ component }) => aboutCustomers.has(component))).toEqual([])
})

test('S9: no personal data of a shopper is written to the database in clear', async () => {
  const texts = ['Rich.Example', 'rich.example', 'shopper-1@', 'Seclusion Street', 'kept value of ']
  expect(await tablesContaining(world, texts)).toEqual([])
})
