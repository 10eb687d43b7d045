import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { warnOfClockSkew } from '../../src/engine/core/clock-skew.ts'
import { until } from '../harness/until.ts'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

const settleSeconds = 60
const fiveMinutes = 300_000

/** A host's clock, with what the test does instead of the long wait for an unconfirmed write. */
interface HostClock extends Clock {
  offMs: number
  settle(ms: number, signal: AbortSignal): Promise<void>
}

function hostClock(): HostClock {
  let skippedMs = 0
  return {
    offMs: 0,
    settle: async () => undefined,
    now() {
      return new Date(Date.now() + skippedMs + this.offMs)
    },
    monotonicMs: () => performance.now() + skippedMs,
    async sleep(ms, signal) {
      if (ms < 15_000 || !signal) return sleep(Math.max(0, Math.min(ms, 1_000)), undefined, { signal })
      await this.settle(ms, signal)
      skippedMs += ms
    },
  }
}

/** What a post is made of. */
const postFields = ['title', 'body', 'url', 'is_published', 'author', 'tags', 'meta_description', 'meta_keywords']

test.each([
  { left: 'right', leftOffMs: 0, later: 'five minutes ahead', laterOffMs: fiveMinutes },
  { left: 'right', leftOffMs: 0, later: 'five minutes behind', laterOffMs: -fiveMinutes },
  { left: 'five minutes ahead', leftOffMs: fiveMinutes, later: 'right', laterOffMs: 0 },
  { left: 'five minutes behind', leftOffMs: -fiveMinutes, later: 'right', laterOffMs: 0 },
])('G9: a write left unconfirmed by a host whose clock is $left is waited for as long by one whose clock is $later', async ({
  leftOffMs,
  laterOffMs,
}) => {
  const clock = hostClock()
  const world = await aWorld({ entities: ['blog-posts'], requestTimeoutSeconds: 1, settleSeconds, clock })
  const titles = async () => ((await world.state('destination')).blog_posts ?? []).map(({ title }) => String(title))
  const { blog_posts: posts = [] } = await world.state('source')
  await world.fault('destination', { kind: 'reset_before_applying', method: 'POST', path: '/v2/blog/posts$' })
  clock.offMs = leftOffMs
  let waiting = false
  clock.settle = async (_ms, signal) => {
    waiting = true
    await sleep(60_000, undefined, { signal })
  }
  const first = await world.migrate()
  await until('a write waits to be settled', async () => waiting)
  expect(await world.api('POST', `/v2/migrations/${first}/cancel`)).toMatchObject({ status: 202 })
  await world.finished(first, { status: 'cancelled' })

  clock.offMs = laterOffMs
  const waits: number[] = []
  clock.settle = async (ms) => {
    waits.push(ms)
    // The unconfirmed write is applied after all.
    const there = await titles()
    const late = posts.find(({ title }) => !there.includes(String(title)))
    const post = Object.fromEntries(Object.entries(late ?? {}).filter(([field]) => postFields.includes(field)))
    await callStore(world, 'destination', 'POST', '/v2/blog/posts', post)
  }
  await world.complete()
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThan((settleSeconds - 10) * 1000)
  expect(waits[0]).toBeLessThan((settleSeconds + 2) * 1000)
  expect((await titles()).toSorted()).toEqual(posts.map(({ title }) => String(title)).toSorted())
})

test('G9: a host whose clock differs by more than five seconds from the database logs a warning', async () => {
  const { database } = await aWorld({ entities: [] })
  const warnings: object[] = []
  const log = { warn: (fields: object) => void warnings.push(fields) }
  const clock = hostClock()
  for (const offMs of [0, 4_000, -4_000, 6_000, -6_000]) {
    clock.offMs = offMs
    await warnOfClockSkew({ database, clock, log })
  }
  expect(warnings).toHaveLength(2)
})
