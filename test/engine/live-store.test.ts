import { expect, test } from 'vitest'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

const entities = [
  'currencies',
  'tax-classes',
  'categories',
  'brands',
  'products',
  'customer-groups',
  'customers',
  'orders',
]

type Row = Record<string, unknown> & { id: number }

const rows = async (world: World, side: StoreName, table: string) => ((await world.state(side))[table] ?? []) as Row[]

/** Holds the next call of this kind until it is released. */
const holding = (world: World, path: string) =>
  world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path, times: 1 })

async function held(world: World, side: StoreName, fault: number): Promise<void> {
  const hit = async () => (await world.faults(side)).some(({ id, hits }) => id === fault && hits > 0)
  await until('the run waits for an answer', hit)
}

const shopper = { email: 'late@example.com', first_name: 'Robin', last_name: 'Sample' }
const lateOrder = {
  status_id: 11,
  billing_address: { ...shopper, zip: '78751', country: 'Canada' },
  shipping_addresses: [{ ...shopper, street_1: '1 Sample Street', zip: '78751', shipping_method: 'By bicycle' }],
  products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
}

longTest(
  'changes to the source during a run fail no item, a reference left out is reported, and the next update copies edits and new items',
  async () => {
    // Longer than the test needs to change something while an answer is held.
    const world = await aWorld({ entities, requestTimeoutSeconds: 30 })
    const send = (method: string, path: string, body?: unknown) => callStore<Row>(world, 'source', method, path, body)
    await addCatalogueParts(world, 'source')
    const atMetafields = await holding(world, '^/v3/catalog/brands/metafields$')
    const atProducts = await holding(world, '^/v3/catalog/products$')
    const atOrders = await holding(world, '^/v2/orders$')
    const id = await world.migrate()

    // Its brands are copied, its products are still to be read.
    await held(world, 'destination', atMetafields)
    const brand = await send('POST', '/v3/catalog/brands', { name: 'Late Works' })
    const [edited, deleted] = await rows(world, 'source', 'products')
    await send('PUT', `/v3/catalog/products/${edited?.id}`, { brand_id: brand.id })
    await world.release('destination')

    // The products are read, and the first one is written.
    await held(world, 'destination', atProducts)
    await send('PUT', `/v3/catalog/products/${edited?.id}`, { price: 4711 })
    await send('DELETE', `/v3/catalog/products/${deleted?.id}`)
    await world.release('destination')

    // Everything except orders is copied, and the first order is written.
    await held(world, 'destination', atOrders)
    await send('POST', '/v3/catalog/products', { name: 'Late Lamp', type: 'physical', weight: 1, price: 9 })
    await send('POST', '/v3/customers', [shopper])
    await send('POST', '/v2/orders', lateOrder)
    const [first, second] = await rows(world, 'source', 'orders')
    await send('PUT', `/v2/orders/${first?.id}`, { status_id: 5 })
    await send('DELETE', `/v2/orders/${second?.id}`)
    await world.release('destination')

    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectCountersToEqualTheLedger(world, id)
    const issues = (await world.issues(id)).map(({ component, code, severity }) => `${severity} ${component} ${code}`)
    expect(issues, issues.join(', ')).toContain('warning products reference_left_out')

    const next = await world.complete({ conflictStrategy: 'update' })
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const copy = (await rows(world, 'destination', 'products')).find(({ name }) => name === edited?.name)
    const works = (await rows(world, 'destination', 'brands')).find(({ name }) => name === 'Late Works')
    expect(copy).toMatchObject({ price: 4711, brand_id: works?.id })
    const emails = (await rows(world, 'destination', 'customers')).map(({ email }) => email)
    expect(emails.filter((email) => email === shopper.email)).toHaveLength(1)
    const orders = await rows(world, 'destination', 'orders')
    const late = orders.filter((order) => (order.billing_address as { email: string }).email === shopper.email)
    expect(late).toMatchObject([{ status_id: 11 }])
    expect(new Set(orders.map(({ external_order_id }) => external_order_id)).size).toBe(orders.length)

    // An item deleted at the source stays at the destination, and the status of an existing order belongs to the merchant.
    const { differences } = await world.verify(next.requestId)
    const others = differences.filter(({ kind, living }) => kind !== 'extra' && !living)
    expect(others).toEqual([])
    expect(differences.filter(({ kind }) => kind === 'extra').map(({ component }) => component)).toContain('products')
  },
)

test('F1: only a difference that is edited during the comparison is marked as changed meanwhile', async () => {
  const world = await aWorld({ catalogueOnly: true, requestTimeoutSeconds: 30 })
  const { requestId } = await world.complete()
  const [edited, unedited] = await rows(world, 'destination', 'products')
  const edit = (product: Row | undefined, page_title: string) =>
    callStore(world, 'destination', 'PUT', `/v3/catalog/products/${product?.id}`, { page_title })
  for (const product of [edited, unedited]) await edit(product, 'Theirs')
  // Differing items are read a second time by id, first from the source, then from the destination.
  const again = { method: 'GET', path: '^/v3/catalog/products$', query: 'id%3Ain=' }
  const fault = await world.fault('source', { kind: 'hold_after_applying', ...again, times: 1 })
  const verifying = world.verify(requestId)
  await held(world, 'source', fault)
  await edit(edited, 'Theirs again')
  await world.release('source')
  const { differences } = await verifying
  // Differences come newest first; the order of these two is not under test.
  const changed = new Map(differences.map(({ destinationId, changedMeanwhile }) => [destinationId, changedMeanwhile]))
  expect(changed).toEqual(
    new Map([
      [String(edited?.id), true],
      [String(unedited?.id), false],
    ]),
  )
})

/** A comparison, and what happens while it waits for an answer of a store. */
async function comparedWhile(
  world: World,
  id: string,
  side: StoreName,
  query: string,
  meanwhile: () => Promise<unknown>,
) {
  const list = { method: 'GET', path: '^/v3/catalog/products$', query, times: 1 }
  const fault = await world.fault(side, { kind: 'hold_after_applying', ...list })
  const verifying = world.verify(id)
  await held(world, side, fault)
  await meanwhile()
  await world.release(side)
  return verifying
}

test('F1: the difference of an item that the source deletes during the comparison is marked as changed meanwhile', async () => {
  const world = await aWorld({ catalogueOnly: true, requestTimeoutSeconds: 30 })
  const { requestId } = await world.complete()
  const [first, second] = await rows(world, 'destination', 'products')
  for (const product of [first, second])
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${product?.id}`, { page_title: 'Theirs' })
  const deleted = (await rows(world, 'source', 'products')).find(({ name }) => name === first?.name)
  // The copies are read by id for the first look at a page.
  const { detail, differences } = await comparedWhile(world, requestId, 'destination', 'id%3Ain=', () =>
    callStore(world, 'source', 'DELETE', `/v3/catalog/products/${deleted?.id}`),
  )
  const ofProducts = differences.filter(({ component }) => component === 'products')
  const changed = new Map(ofProducts.map(({ destinationId, changedMeanwhile }) => [destinationId, changedMeanwhile]))
  expect(changed).toEqual(
    new Map([
      [String(first?.id), true],
      [String(second?.id), false],
    ]),
  )
  expect(detail.failuresOpen).toBe(1)
})

test('F1: a product that another migration copies during the comparison is not missing', async () => {
  const entities = ['categories', 'brands', 'products']
  const world = await aWorld({ catalogueOnly: true, entities, requestTimeoutSeconds: 30 })
  const { requestId } = await world.complete()
  const lamp = { name: 'Late Lamp', type: 'physical', weight: 1, price: 9 }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', lamp)
  // The list of the destination, without the product.
  const { detail, differences } = await comparedWhile(world, requestId, 'destination', 'include_fields=name', () =>
    world.complete(),
  )
  expect((await rows(world, 'destination', 'products')).map(({ name }) => name)).toContain('Late Lamp')
  expect(differences).toEqual([])
  expect(detail).toMatchObject({ status: 'completed', failuresOpen: 0 })
})
