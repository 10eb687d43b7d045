import { expect } from 'vitest'
import { excludedFields } from '../comparison/exclusions.ts'
import { otherValue } from '../comparison/other-value.ts'
import { aWorld, type World } from '../harness/world.ts'

const named = ['currencies', 'tax-classes', 'categories', 'brands', 'products', 'customer-groups', 'customers']
const tables = ['orders', 'order_products', 'order_addresses', 'order_fees', 'order_shipments']

type Row = Record<string, unknown> & { id: number }
/** One change to a copy, and the line of `reported` that it has to cause. */
export interface Drift {
  title: string
  table: string
  rowId: number
  orderId: number
  fields: Record<string, unknown>
  seen: string
}

const links = { id: 'its own', order_id: 'what it belongs to', order_address_id: 'what it belongs to' }
const follows = 'follows from quantity and price'
const ofCatalogue = 'the catalogue has it, and names the row'

/** Fields that cannot be written there, or that follow from another reported field. */
const notReported: Record<string, Record<string, string>> = {
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
    applied_discounts: 'read-only on the platform; they are in the amounts of the order',
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

/** Copies orders with all that they name. @returns the last run, which covers currencies and orders only. */
export async function copiedOrders(): Promise<{ world: World; id: string }> {
  const world = await aWorld({ entities: ['currencies', 'orders'] })
  await world.complete({ entities: [...named, 'orders'] })
  return { world, id: (await world.complete()).requestId }
}

export const rowsOf = async (world: World, table: string) => ((await world.state('destination'))[table] ?? []) as Row[]

/** One for each field of orders and of their parts. */
export async function everyDrift(world: World): Promise<Drift[]> {
  const drifts: Drift[] = []
  for (const table of tables) {
    const every = await rowsOf(world, table)
    let turn = 0
    for (const field of Object.keys(every[0] ?? {}).filter((name) => !(name in (notReported[table] ?? {})))) {
      // Only products of the catalogue can be gift-wrapped.
      const all = field.startsWith('wrapping_') ? every.filter(({ product_id }) => product_id !== 0) : every
      const below = field === 'billing_address' ? Object.keys(all[0]?.[field] ?? {}) : ['']
      for (const leaf of below.filter((name) => !(name in (notReported[table] ?? {})))) {
        // Spread over the rows, so that a few rounds cover them all.
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
  // The copy adds its mark at the end.
  if (path === 'orders.staff_notes') return `Other ${value}`
  if (path === 'orders.date_created') return 'Sat, 01 Jan 2022 00:00:00 +0000'
  if (path === 'orders.status_id') return value === 6 ? 5 : 6
  return otherValue(path, value)
}

/** Drifts of one round are in different orders. */
export function roundsOf(drifts: Drift[]): Drift[][] {
  const rounds: Drift[][] = []
  for (const drift of drifts) {
    const round = rounds.find((one) => one.every(({ orderId }) => orderId !== drift.orderId))
    if (round) round.push(drift)
    else rounds.push([drift])
  }
  return rounds
}

/** A round with as many drifts as there are orders, taking from all tables in turn. */
export function mixedRound(drifts: Drift[]): Drift[] {
  const round: Drift[] = []
  const free = (drift: Drift) => round.every(({ orderId }) => orderId !== drift.orderId)
  for (let at = 0, idle = 0; idle < tables.length; at++) {
    const next = drifts.find((drift) => drift.table === tables[at % tables.length] && free(drift))
    if (next) round.push(next)
    idle = next ? 0 : idle + 1
  }
  return round
}

/** Expects verify to report exactly these drifts while they last. */
export async function expectReported(world: World, id: string, drifts: Drift[]): Promise<void> {
  const set = ({ table, rowId }: Drift, fields: Record<string, unknown>) =>
    world.change('destination', { op: 'set', table, id: rowId, fields })
  const before = new Map<Drift, Record<string, unknown>>()
  for (const drift of drifts) {
    const row = (await rowsOf(world, drift.table)).find((one) => one.id === drift.rowId)
    before.set(drift, Object.fromEntries(Object.keys(drift.fields).map((field) => [field, row?.[field]])))
    await set(drift, drift.fields)
  }
  const titles = drifts.map(({ title }) => title).join(', ')
  expect.soft(await reported(world, id), titles).toEqual(drifts.map(({ seen }) => seen).sort())
  for (const drift of drifts) await set(drift, before.get(drift) ?? {})
}

/** What verify reports about orders: one line for each field of a copy, and one for a shipment as a whole. */
async function reported(world: World, runId: string): Promise<string[]> {
  const { differences } = await world.verify(runId)
  const lines = differences.flatMap(({ component, destinationId, fields, kind }) => {
    if (component === 'orders') return fields.map(({ path }) => `orders ${destinationId} ${path.split(/[.[]/)[0]}`)
    // Stock is left out, and so is the former state of a shipment, which is reported as missing beside its present one.
    return component.startsWith('order-') && kind !== 'missing' ? [`${component} ${destinationId}`] : []
  })
  return [...new Set(lines)].sort()
}
