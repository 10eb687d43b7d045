import { expect, test } from 'vitest'
import { productComponents } from '../../entities/catalog/product-components.ts'
import type { CreateRequest, Outcome } from '../send/writes.ts'
import { Batcher } from './batcher.ts'

const assignments = productComponents.find(({ key }) => key === 'product-channel-assignments')

test('an abandoned batch rejects waiting and later requests with its reason', async () => {
  if (!assignments) throw new Error('The registry has no channel assignments.')
  // Nothing is sent here: a batch of 250 is never full.
  const batcher = new Batcher<CreateRequest, Outcome>(async () => [], { largest: () => 250 })
  const waiting = batcher.add(assignments, {} as CreateRequest)
  batcher.abandon(new Error('the first reason'))
  await expect(waiting).rejects.toThrow('the first reason')
  await expect(batcher.add(assignments, {} as CreateRequest)).rejects.toThrow('the first reason')
})

test('orders of one call share what they have to share, and a full one does not wait for another', async () => {
  if (!assignments) throw new Error('The registry has no channel assignments.')
  const sent: string[][] = []
  const batcher = new Batcher<string, string>(
    async (_component, orders) => {
      sent.push(orders)
      return orders
    },
    { largest: () => 2, shared: (_component, order) => order[0] },
  )
  const done = ['a1', 'b1', 'a2', 'b2', 'a3'].map((order) => batcher.add(assignments, order))
  expect(sent).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ])
  batcher.flush()
  expect(await Promise.all(done)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})
