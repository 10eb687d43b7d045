import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

const entities = ['customer-attributes', 'customers']
/** The fields that the seed answers. */
const ofSeed = ['Floor', 'Sales rep']
const address = {
  ...{ first_name: 'Ada', last_name: 'Example', address1: '1 Example Street', city: 'Austin' },
  ...{ state_or_province: 'Texas', postal_code: '78759', country_code: 'US' },
}

interface Answers {
  name: string
  value: unknown
}

/** Customers of the source beside those of the seed, each with these answers, and with an address that has some. */
async function addCustomers(world: World, many: number, answers: (at: number) => Answers[]): Promise<void> {
  for (let from = 0; from < many; from += 10) {
    const rows = Array.from({ length: Math.min(10, many - from) }, (_none, at) => ({
      email: `answering-${from + at}@example.com`,
      first_name: 'Ada',
      last_name: `Example ${from + at}`,
      form_fields: answers(from + at),
      addresses: [{ ...address, form_fields: [{ name: 'Gate', value: 'North' }] }],
    }))
    await callStore(world, 'source', 'POST', '/v3/customers', rows)
  }
}

async function writesOf(world: World): Promise<Record<string, number>> {
  const written = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  const about = written.filter(({ path }) => /^\/v3\/customers(\/addresses)?$/.test(path))
  const counted: Record<string, number> = {}
  for (const { method, path, status } of about) {
    const call = `${method} ${path} ${status}`
    counted[call] = (counted[call] ?? 0) + 1
  }
  return counted
}

async function differences(world: World): Promise<string[]> {
  const found = compareStores(await world.state('source'), await world.state('destination'))
  return found
    .filter(({ entity }) => ['customers', 'customer-addresses', 'customer-form-fields'].includes(entity))
    .map((one) => `${one.entity} ${one.kind}`)
}

async function issuesOf(world: World, run: string): Promise<string[]> {
  const issues = (await world.issues(run)).filter(({ phase }) => phase === 'customers')
  return issues.map(({ code, component, severity }) => `${severity} ${code} ${component}`).sort()
}

async function customersOf(world: World): Promise<Record<'source' | 'destination', unknown[]>> {
  const emails = async (hash: 'source' | 'destination') =>
    ((await world.state(hash)).customers ?? []).map(({ email }) => email).sort()
  return { source: await emails('source'), destination: await emails('destination') }
}

test('E2: answers to form fields are sent with the new customers, in no call of their own', async () => {
  const world = await aWorld({ entities })
  await addCustomers(world, 25, (at) => [{ name: 'Nickname', value: `Ada ${at}` }])
  const { requestId, status } = await world.complete()
  expect(status).toBe('completed')
  expect(await issuesOf(world, requestId)).toEqual([])
  expect(await differences(world)).toEqual([])
  const calls = Math.ceil((await customersOf(world)).source.length / 10)
  expect(await writesOf(world)).toEqual({ 'POST /v3/customers 200': calls })
  await expectCountersToEqualTheLedger(world, requestId)
})

test.each([
  'all or nothing',
  'partial',
])('F4: a field that the form of the destination lacks costs one refused call and no customer, whose other answers are copied (batches: %s)', async (customer_batch) => {
  const form_fields = [...ofSeed, 'Nickname', 'Gate']
  const world = await aWorld({ entities, switches: { destination: { form_fields, customer_batch } } })
  await addCustomers(world, 35, (at) => [{ name: at % 7 === 3 ? 'Shoe size' : 'Nickname', value: `Answer ${at}` }])
  const { requestId } = await world.complete()
  const { source, destination } = await customersOf(world)
  expect(destination).toEqual(source)
  expect(await issuesOf(world, requestId)).toEqual(
    Array.from({ length: 5 }, () => 'failure platform_refused customer-form-fields'),
  )
  expect(await differences(world)).toEqual(Array.from({ length: 5 }, () => 'customer-form-fields missing'))
  const { 'POST /v3/customers 422': refused } = await writesOf(world)
  expect(refused).toBe(1)
  await expectCountersToEqualTheLedger(world, requestId)
})

test('F4: a value that a field of the destination does not offer is not copied, and every other answer is', async () => {
  const form_fields = [{ name: 'Size', values: ['S', 'L'] }, ...ofSeed, 'Gate']
  const world = await aWorld({ entities, switches: { destination: { form_fields } } })
  await addCustomers(world, 12, (at) => [{ name: 'Size', value: at === 4 ? 'XL' : 'L' }])
  const { requestId } = await world.complete()
  const { source, destination } = await customersOf(world)
  expect(destination).toEqual(source)
  expect(await issuesOf(world, requestId)).toEqual(['failure platform_refused customer-form-fields'])
  expect(await differences(world)).toEqual(['customer-form-fields missing'])
})

test('F4: a field that only the forms of addresses lack is left out of addresses alone', async () => {
  const world = await aWorld({ entities, switches: { destination: { form_fields: [...ofSeed, 'Nickname'] } } })
  await addCustomers(world, 12, (at) => [{ name: 'Nickname', value: `Ada ${at}` }])
  const { requestId } = await world.complete()
  const { source, destination } = await customersOf(world)
  expect(destination).toEqual(source)
  const about = (await issuesOf(world, requestId)).filter((issue) => issue.endsWith(' customer-form-fields'))
  expect(about).toEqual([])
  const { customer_form_fields: answers = [] } = await world.state('destination')
  expect(answers.filter(({ name }) => name === 'Nickname')).toHaveLength(12)
})

test.each([
  1, 2,
])('B2: a field that the destination lacks, and %s lost answers, cost no customer and make none twice, and the other answers are there', async (times) => {
  const form_fields = [...ofSeed, 'Nickname', 'Gate']
  const world = await aWorld({ entities, switches: { destination: { form_fields } }, requestTimeoutSeconds: 1 })
  await addCustomers(world, 15, (at) => [{ name: at === 3 ? 'Shoe size' : 'Nickname', value: `Answer ${at}` }])
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v3/customers$', times })
  await world.complete()
  const { source, destination } = await customersOf(world)
  expect(destination).toEqual(source)
  expect(await differences(world)).toEqual(['customer-form-fields missing'])
})
