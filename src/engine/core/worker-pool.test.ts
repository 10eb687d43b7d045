import { expect, test } from 'vitest'
import type { Component } from '../../entities/core/component.ts'
import { Batcher } from './batcher.ts'
import { WorkerPool } from './worker-pool.ts'

/** Work that ends when told. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { work: () => promise, end: () => resolve(), fail: (error: Error) => reject(error) }
}

async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const turns = (async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    return true
  })()
  return Promise.race([promise.then(() => false), turns])
}

test('E2: as many pieces of work are under way as there are places, and the next waits for one', async () => {
  const lane = new WorkerPool({ slots: () => 2 })
  const [one, two, three] = [held(), held(), held()]
  await lane.start(one.work)
  await lane.start(two.work)
  const third = lane.start(three.work)
  expect(await isWaiting(third)).toBe(true)
  one.end()
  await third
  two.end()
  three.end()
  await lane.drain()
  expect(lane.idle).toBe(true)
})

test('a long wait holds no place: the work behind it goes on', async () => {
  const lane = new WorkerPool({ slots: () => 1 })
  const wait = held()
  await lane.start(() => lane.park(wait.work))
  await lane.start(async () => undefined)
  await lane.quiet()
  expect(lane.idle).toBe(false)
  wait.end()
  await lane.drain()
  expect(lane.idle).toBe(true)
})

test('the first fault ends the lane once what is under way has ended', async () => {
  const lane = new WorkerPool({ slots: () => 2 })
  const [good, bad] = [held(), held()]
  await lane.start(good.work)
  await lane.start(bad.work)
  bad.fail(new Error('the first fault'))
  const drained = lane.drain()
  expect(await isWaiting(drained.catch(() => undefined))).toBe(true)
  good.end()
  await expect(drained).rejects.toThrow('the first fault')
  await expect(lane.start(good.work)).rejects.toThrow('the first fault')
})

test('A6: a smaller limit counts at once for whoever waits', async () => {
  let limit = 2
  const lane = new WorkerPool({ slots: () => limit })
  const [one, two] = [held(), held()]
  await lane.start(one.work)
  await lane.start(two.work)
  limit = 1
  const third = lane.start(async () => undefined)
  one.end()
  expect(await isWaiting(third)).toBe(true)
  two.end()
  await third
  await lane.drain()
})

test('A6: no more wait aside than may, however many places are free: what comes next waits for one of them', async () => {
  const lane = new WorkerPool({ slots: () => 10, parked: () => 2 })
  const waits = [held(), held()]
  for (const wait of waits) await lane.start(() => lane.park(wait.work))
  const third = lane.start(async () => undefined)
  expect(await isWaiting(third)).toBe(true)
  waits[0]?.end()
  await third
  waits[1]?.end()
  await lane.drain()
})

test('A6: items that wait for batches of several kinds are sent in smaller ones when no more may wait, and all of them are', async () => {
  const kinds = ['a', 'b', 'c', 'd']
  const sent: number[] = []
  const component = { key: 'levels', create: { batch: 5 } } as unknown as Component
  const batcher = new Batcher<string, string>(
    async (_component, orders) => {
      sent.push(orders.length)
      await Promise.resolve()
      return orders
    },
    { largest: () => 5, shared: (_component, order) => order },
  )
  const done: string[] = []
  let [waiting, most] = [0, 0]
  const lane: WorkerPool = new WorkerPool({
    slots: () => 3,
    parked: () => 8,
    saturated: () => {
      if (batcher.idle) batcher.flush()
    },
  })
  const write = async (order: string) => {
    most = Math.max(most, ++waiting)
    done.push(await lane.park(() => batcher.add(component, order)))
    waiting--
  }
  const orders = Array.from({ length: 200 }, (_, at) => kinds[at % kinds.length] as string)
  for (const order of orders) await lane.start(() => write(order))
  await lane.quiet()
  batcher.flush()
  await lane.drain()
  expect(done.sort()).toEqual(orders.sort())
  expect(most).toBeLessThanOrEqual(8 + 3)
  expect(Math.max(...sent)).toBeLessThanOrEqual(5)
})
