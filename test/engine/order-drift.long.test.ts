import { expect, test } from 'vitest'
import { copiedOrders, everyDrift, expectReported, roundsOf } from './order-drifts.ts'

test('F1: a change of any comparable field of an order, its products, addresses, fees or shipments is reported, and nothing else is', async () => {
  const { world, id } = await copiedOrders()
  await expectReported(world, id, [])
  const drifts = await everyDrift(world)
  expect(drifts.map(({ title }) => title)).toContain('orders.billing_address.zip')
  const rounds = roundsOf(drifts)
  for (const round of rounds) await expectReported(world, id, round)
  console.log(`${drifts.length} fields of orders changed in ${rounds.length} rounds`)
  await expectReported(world, id, [])
})
