import { expect, test } from 'vitest'
import { Lane } from './lane.ts'

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
  const lane = new Lane(() => 2)
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
  const lane = new Lane(() => 1)
  const wait = held()
  await lane.start(() => lane.setAside(wait.work))
  await lane.start(async () => undefined)
  await lane.quiet()
  expect(lane.idle).toBe(false)
  wait.end()
  await lane.drain()
  expect(lane.idle).toBe(true)
})

test('the first fault ends the lane once what is under way has ended', async () => {
  const lane = new Lane(() => 2)
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
  const lane = new Lane(() => limit)
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
