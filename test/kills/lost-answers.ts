import { expect } from 'vitest'
import type { FaultKind } from '../../sandbox/faults/faults.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import type { Subject } from './subject.ts'
import { plantSpareValue } from './subjects.ts'

/** A used-up quota ends after a second instead of half a minute. */
const quota = { requests: 1_000_000, windowMs: 1_000 }

/** Each kind once for the writes of every component; those that prevent a write come first, because it is then sent again. */
async function setEverywhere(world: World, kinds: FaultKind[], creators: readonly Subject[]): Promise<void> {
  for (const kind of kinds) for (const { write } of creators) await world.fault('destination', { kind, ...write })
}

/** Every kind happened, and every component was hit. */
async function expectHits(world: World, kinds: FaultKind[], creators: readonly Subject[]): Promise<void> {
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0)
  expect(new Set(hit.map(({ kind }) => kind))).toEqual(new Set(kinds))
  expect(new Set(hit.map(({ path }) => path))).toEqual(new Set(creators.map(({ write }) => write.path)))
}

/** Copies while the writes of these components get such answers, and expects the copy of an undisturbed run. */
export async function expectCopiedDespite(
  kinds: FaultKind[],
  creators: readonly Subject[],
  options: WorldOptions = {},
): Promise<void> {
  const quotas = { source: quota, destination: quota }
  const world = await aWorld({ processes: false, requestTimeoutSeconds: 1, quotas, ...options })
  await plantSpareValue(world)
  await addCatalogueParts(world, 'source')
  await setEverywhere(world, kinds, creators)
  const run = await world.migrate()
  expect(await world.finished(run, { seconds: 600 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectHits(world, kinds, creators)
  await expectWhole(world, run)
}
