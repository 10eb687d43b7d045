import { afterAll, beforeAll, expect, test } from 'vitest'
import { excludedFields } from '../comparison/exclusions.ts'
import { otherValue } from '../comparison/other-value.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'

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

/** Each test goes on where the one before it ended. */
let world: World
beforeAll(async () => {
  world = await startWorld({ entities })
})
afterAll(() => world?.stop())

type Row = Record<string, unknown> & { id: number }
/** One thing changed in a copy, and how verify has to tell it. */
interface Drift {
  title: string
  table: string
  rowId: number
  orderId: number
  fields: Record<string, unknown>
  seen: string
}

const links = { id: 'its own', order_id: 'what it hangs on', order_address_id: 'what it hangs on' }
const follows = 'follows from quantity and price'
const ofCatalogue = 'the catalogue has it, and names the row'

/** What nobody can write there, or follows from something else that is told. */
const notTold: Record<string, Record<string, string>> = {
  orders: {
    ...excludedFields.orders,
    is_deleted: 'an archived order is gone from the list: a story of its own',
    ip_address_v6: 'either of the two addresses, never both',
    form_fields: 'the platform does not take them with a new order',
  },
  order_products: {
    ...links,
    product_id: ofCatalogue,
    variant_id: ofCatalogue,
    sku: ofCatalogue,
    type: ofCatalogue,
    name_merchant: 'for the staff; the choices of what is not in the catalogue are added to it',
    quantity_shipped: 'follows from shipments',
    base_price: 'what the catalogue asks today',
    base_total: 'what the catalogue asks today',
    total_ex_tax: follows,
    total_inc_tax: follows,
    applied_discounts: 'the platform lets nobody write them; they are in the amounts of the order',
    product_options: 'the seed has chosen nothing besides the variant',
  },
  order_addresses: {
    ...links,
    form_fields: 'the platform does not take them with a new order',
    shipping_zone_id: 'the platform writes down which zone it was',
    shipping_zone_name: 'the platform writes down which zone it was',
    base_cost: 'is the cost of the order',
    cost_ex_tax: 'is the cost of the order',
    cost_inc_tax: 'is the cost of the order',
  },
  order_fees: {
    ...links,
    tax_class_id: 'names another row in every store',
    base_cost: 'follows from the cost',
    cost_tax: 'follows from the costs',
  },
  order_shipments: {
    ...links,
    items: 'names lines, which have other ids in every store',
    date_created: 'the platform writes it down',
  },
}

const fieldOf: Record<string, string> = {
  order_products: 'products',
  order_addresses: 'shipping_addresses',
  order_fees: 'fees',
}

const rows = async (table: string) => ((await world.state('destination'))[table] ?? []) as Row[]

async function everyField(): Promise<Drift[]> {
  const drifts: Drift[] = []
  for (const table of ['orders', 'order_products', 'order_addresses', 'order_fees', 'order_shipments']) {
    const every = await rows(table)
    let turn = 0
    for (const field of Object.keys(every[0] ?? {}).filter((name) => !(name in (notTold[table] ?? {})))) {
      // What is not in the catalogue cannot be wrapped.
      const all = field.startsWith('wrapping_') ? every.filter(({ product_id }) => product_id !== 0) : every
      const below = field === 'billing_address' ? Object.keys(all[0]?.[field] ?? {}) : ['']
      for (const leaf of below.filter((name) => !(name in (notTold[table] ?? {})))) {
        // Spread over the rows, so that few rounds hold them all.
        const row = all[turn++ % all.length] as Row
        const path = [table, field, ...(leaf ? [leaf] : [])].join('.')
        const value = leaf
          ? { ...(row[field] as object), [leaf]: otherValue(path, (row[field] as Record<string, unknown>)[leaf]) }
          : another(path, row[field])
        const orderId = table === 'orders' ? row.id : Number(row.order_id)
        drifts.push({
          title: path,
          table,
          rowId: row.id,
          orderId,
          fields: { [field]: value },
          seen:
            table === 'order_shipments' ? `order-shipments ${row.id}` : `orders ${orderId} ${fieldOf[table] ?? field}`,
        })
      }
    }
  }
  return drifts
}

function another(path: string, value: unknown): unknown {
  // Behind it stands what the copy added.
  if (path === 'orders.staff_notes') return `Other ${value}`
  if (path === 'orders.date_created') return 'Sat, 01 Jan 2022 00:00:00 +0000'
  if (path === 'orders.status_id') return value === 6 ? 5 : 6
  return otherValue(path, value)
}

/** Drifts of one round are of different orders. */
function roundsOf(drifts: Drift[]): Drift[][] {
  const rounds: Drift[][] = []
  for (const drift of drifts) {
    const round = rounds.find((one) => one.every(({ orderId }) => orderId !== drift.orderId))
    if (round) round.push(drift)
    else rounds.push([drift])
  }
  return rounds
}

/** One line for each field of a copy; a shipment is told as a whole. */
async function told(runId: string): Promise<string[]> {
  const { differences } = await world.verify(runId)
  const lines = differences.flatMap(({ component, destinationId, fields, kind }) => {
    if (component === 'orders') return fields.map(({ path }) => `orders ${destinationId} ${path.split(/[.[]/)[0]}`)
    // Stock that orders took is another matter, and what a shipment was before is told beside what it is.
    return component.startsWith('order-') && kind !== 'missing' ? [`${component} ${destinationId}`] : []
  })
  return [...new Set(lines)].sort()
}

test('F1: every field of an order, its goods, addresses, fees and shipments is compared, and nothing else is told', async () => {
  const { requestId } = await world.complete()
  expect(await told(requestId)).toEqual([])
  const drifts = await everyField()
  expect(drifts.map(({ title }) => title)).toContain('orders.billing_address.zip')
  const rounds = roundsOf(drifts)
  for (const round of rounds) {
    const before = new Map<Drift, Record<string, unknown>>()
    for (const drift of round) {
      const row = (await rows(drift.table)).find(({ id }) => id === drift.rowId)
      before.set(drift, Object.fromEntries(Object.keys(drift.fields).map((field) => [field, row?.[field]])))
      await world.change('destination', { op: 'set', table: drift.table, id: drift.rowId, fields: drift.fields })
    }
    const titles = round.map(({ title }) => title).join(', ')
    expect.soft(await told(requestId), titles).toEqual(round.map(({ seen }) => seen).sort())
    for (const drift of round)
      await world.change('destination', {
        op: 'set',
        table: drift.table,
        id: drift.rowId,
        fields: before.get(drift) ?? {},
      })
  }
  console.log(`${drifts.length} fields of orders changed in ${rounds.length} rounds`)
  expect(await told(requestId)).toEqual([])
})

test("F1: an order that the copy lacks is missing, and what the destination sold by itself is nobody's difference", async () => {
  const { requestId } = await world.complete()
  const [first] = await rows('orders')
  await callStore(world, 'destination', 'POST', '/v2/orders', {
    billing_address: { first_name: 'Robin', last_name: 'Sample', zip: '78751', email: 'robin@example.com' },
    products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
  })
  await world.change('destination', { op: 'remove', table: 'orders', id: first?.id ?? 0 })
  const { differences } = await world.verify(requestId)
  expect(differences.filter(({ component }) => component === 'orders')).toMatchObject([
    { kind: 'missing', item: { name: expect.stringContaining('Order') } },
  ])
})

test('F1: an order that somebody doubled at the destination is extra there, and no run makes or takes another', async () => {
  const { requestId } = await world.complete()
  const copy = (await rows('orders')).find(({ external_source }) => external_source === 'M-MIG')
  const { id } = await world.change('destination', { op: 'double', table: 'orders', id: copy?.id ?? 0 })
  const extra = async () =>
    (await world.verify(requestId)).differences.filter((one) => one.component === 'orders' && one.kind === 'extra')
  expect(await extra()).toMatchObject([{ destinationId: String(id), item: { name: `Orders ${id}` } }])
  const before = (await rows('orders')).length
  await world.complete()
  expect(await rows('orders')).toHaveLength(before)
  await world.change('destination', { op: 'remove', table: 'orders', id: Number(id) })
  expect(await extra()).toEqual([])
})
