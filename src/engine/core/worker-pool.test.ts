import { expect, test } from 'vitest'
import type { Component } from '../../entities/core/component.ts'
import { Batcher } from './batcher.ts'
import { WorkerPool } from './worker-pool.ts'

/** Work that lasts until the test ends it. */
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

test('E2: as many pieces of work run as there are slots, and the next waits for one', async () => {
  const pool = new WorkerPool({ slots: () => 2 })
  const [one, two, three] = [held(), held(), held()]
  await pool.start(one.work)
  await pool.start(two.work)
  const third = pool.start(three.work)
  expect(await isWaiting(third)).toBe(true)
  one.end()
  await third
  two.end()
  three.end()
  await pool.drain()
  expect(pool.idle).toBe(true)
})

test('parked work frees its slot for the next', async () => {
  const pool = new WorkerPool({ slots: () => 1 })
  const wait = held()
  await pool.start(() => pool.park(wait.work))
  await pool.start(async () => undefined)
  await pool.quiet()
  expect(pool.idle).toBe(false)
  wait.end()
  await pool.drain()
  expect(pool.idle).toBe(true)
})

test('the first fault ends the pool after the work in progress has ended', async () => {
  const pool = new WorkerPool({ slots: () => 2 })
  const [good, bad] = [held(), held()]
  await pool.start(good.work)
  await pool.start(bad.work)
  bad.fail(new Error('the first fault'))
  const drained = pool.drain()
  expect(await isWaiting(drained.catch(() => undefined))).toBe(true)
  good.end()
  await expect(drained).rejects.toThrow('the first fault')
  await expect(pool.start(good.work)).rejects.toThrow('the first fault')
})

test('A6: a smaller limit applies at once to waiting work', async () => {
  let limit = 2
  const pool = new WorkerPool({ slots: () => limit })
  const [one, two] = [held(), held()]
  await pool.start(one.work)
  await pool.start(two.work)
  limit = 1
  const third = pool.start(async () => undefined)
  one.end()
  expect(await isWaiting(third)).toBe(true)
  two.end()
  await third
  await pool.drain()
})

test('A6: with as much work parked as allowed, new work waits even if slots are free', async () => {
  const pool = new WorkerPool({ slots: () => 10, parked: () => 2 })
  const waits = [held(), held()]
  for (const wait of waits) await pool.start(() => pool.park(wait.work))
  const third = pool.start(async () => undefined)
  expect(await isWaiting(third)).toBe(true)
  waits[0]?.end()
  await third
  waits[1]?.end()
  await pool.drain()
})

test('A6: when no more items may wait for their batches, smaller batches are sent, and no item is lost', async () => {
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
  const pool: WorkerPool = new WorkerPool({
    slots: () => 3,
    parked: () => 8,
    saturated: () => {
      if (batcher.idle) batcher.flush()
    },
  })
  const write = async (order: string) => {
    most = Math.max(most, ++waiting)
    done.push(await pool.park(() => batcher.add(component, order)))
    waiting--
  }
  const orders = Array.from({ length: 200 }, (_, at) => kinds[at % kinds.length] as string)
  for (const order of orders) await pool.start(() => write(order))
  await pool.quiet()
  batcher.flush()
  await pool.drain()
  expect(done.sort()).toEqual(orders.sort())
  expect(most).toBeLessThanOrEqual(8 + 3)
  expect(Math.max(...sent)).toBeLessThanOrEqual(5)
})
