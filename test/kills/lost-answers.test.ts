import { describe, expect, test } from 'vitest'
import type { FaultKind } from '../../sandbox/faults.ts'
import { startWorld, type World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { longForm } from './moments.ts'
import { brands, categories, metafields, modifiers, options, optionValues, products } from './subjects.ts'

const creators = [categories, brands, products, options, optionValues, modifiers, metafields]

async function inAWorld(
  options: { requestTimeoutSeconds?: number; settleSeconds?: number },
  story: (world: World) => Promise<void>,
): Promise<void> {
  const world = await startWorld(options)
  try {
    await story(world)
  } finally {
    await world.stop()
  }
}

/** Sets the fault once for the writes of every component. */
async function setEverywhere(world: World, kind: FaultKind, more: { seconds?: number } = {}): Promise<number[]> {
  const set: number[] = []
  for (const { write } of creators) set.push(await world.fault('destination', { kind, ...write, ...more }))
  return set
}

async function expectHits(world: World, faults: number[]): Promise<void> {
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0).map(({ id }) => id)
  expect(hit).toEqual(expect.arrayContaining(faults))
}

describe.concurrent('an answer that is lost while everybody lives leaves no duplicate and loses nothing', () => {
  async function expectCopiedDespite(kinds: FaultKind[], seconds: number): Promise<void> {
    await inAWorld({}, async (world) => {
      const faults: number[] = []
      for (const kind of kinds) faults.push(...(await setEverywhere(world, kind)))
      const run = await world.migrate()
      expect(await world.finished(run, { seconds })).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await expectHits(world, faults)
      await expectWhole(world, run)
    })
  }

  const doubtful: FaultKind[] = [
    'reset_after_applying',
    'reset_before_applying',
    'error_after_applying',
    'error_before_applying',
    'truncated_body',
  ]
  test(`once each for every component that creates: ${doubtful.join(', ')}`, () => expectCopiedDespite(doubtful, 60))

  // A refusal for too many calls is waited out for half a minute, and there is one in every phase.
  test.runIf(longForm)(
    'once each for every component that creates: too_many_requests, overloaded',
    () => expectCopiedDespite(['too_many_requests', 'overloaded'], 600),
    660_000,
  )

  test('the store applies a write twenty seconds after we gave up waiting', () =>
    inAWorld({ requestTimeoutSeconds: 1, settleSeconds: 21 }, async (world) => {
      const late = { kind: 'apply_late', seconds: 21 } as const
      const fault = await world.fault('destination', { ...late, ...products.write })
      const run = await world.migrate({ entities: ['products'] })
      expect(await world.finished(run, { seconds: 90 })).toMatchObject({ status: 'completed' })
      await expectHits(world, [fault])
      const names = (await world.state('destination')).products?.map(({ name }) => String(name)) ?? []
      const wanted = (await world.state('source')).products?.map(({ name }) => String(name)) ?? []
      expect(names.sort()).toEqual(wanted.sort())
    }))
})
