import { expect, test } from 'vitest'
import { productComponents } from '../entities/product-components.ts'
import { Batcher } from './batcher.ts'
import type { Order, Writer } from './writer.ts'

const assignments = productComponents.find(({ key }) => key === 'product-channel-assignments')

test('whoever waits when a batch is abandoned is told why, and so is whoever comes later', async () => {
  if (!assignments) throw new Error('The registry has no channel assignments.')
  // Nothing is sent here: a batch of 250 is never full.
  const batcher = new Batcher({} as Writer)
  const waiting = batcher.add(assignments, {} as Order)
  batcher.abandon(new Error('the first reason'))
  await expect(waiting).rejects.toThrow('the first reason')
  await expect(batcher.add(assignments, {} as Order)).rejects.toThrow('the first reason')
})
