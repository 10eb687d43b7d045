import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { copiedOrders, everyDrift, expectReported, mixedRound, rowsOf } from './order-drifts.ts'

longTest(
  'F1: an edit of an order, its products, addresses or fees is reported by field, one of a shipment as a whole, and nothing else is',
  async () => {
    const { world, id } = await copiedOrders()
    const round = mixedRound(await everyDrift(world))
    expect(new Set(round.map(({ table }) => table)).size).toBe(5)
    await expectReported(world, id, round)
    await expectReported(world, id, [])
  },
)

test('F1: an order whose copy was removed is missing, and an order of the destination’s own is no difference', async () => {
  const world = await aWorld({ entities: ['currencies', 'orders'] })
  const { requestId } = await world.complete()
  const [first] = await rowsOf(world, 'orders')
  await callStore(world, 'destination', 'POST', '/v2/orders', {
    billing_address: {
      first_name: 'Robin',
      last_name: 'Sample',
      zip: '78751',
      country: 'Canada',
      email: 'robin@example.com',
    },
    products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
  })
  await world.change('destination', { op: 'remove', table: 'orders', id: first?.id ?? 0 })
  const { differences } = await world.verify(requestId)
  expect(differences.filter(({ component }) => component === 'orders')).toMatchObject([
    { kind: 'missing', item: { name: expect.stringContaining('Order') } },
  ])
})

longTest(
  'F1: an order duplicated at the destination is extra there, and the next run neither copies nor adopts it',
  async () => {
    const world = await aWorld({ entities: ['currencies', 'orders'] })
    const { requestId } = await world.complete()
    const copy = (await rowsOf(world, 'orders')).find(({ external_source }) => external_source === 'M-MIG')
    const { id } = await world.change('destination', { op: 'double', table: 'orders', id: copy?.id ?? 0 })
    const extra = async () =>
      (await world.verify(requestId)).differences.filter((one) => one.component === 'orders' && one.kind === 'extra')
    expect(await extra()).toMatchObject([{ destinationId: String(id), item: { name: `Order ${id}` } }])
    const before = (await rowsOf(world, 'orders')).length
    await world.complete()
    expect(await rowsOf(world, 'orders')).toHaveLength(before)
    await world.change('destination', { op: 'remove', table: 'orders', id: Number(id) })
    expect(await extra()).toEqual([])
  },
)
