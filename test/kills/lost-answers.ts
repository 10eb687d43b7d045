import { expect } from 'vitest'
import type { FaultKind } from '../../sandbox/faults/faults.ts'
import type { World, WorldOptions } from '../harness/world.ts'
import { aWorldOfCreators, expectAllHit } from './creators.ts'
import { expectWhole } from './expect-whole.ts'
import type { Subject } from './subject.ts'

/** Each kind once for the writes of every component; those that prevent a write come first, because it is then sent again. */
async function setEverywhere(world: World, kinds: FaultKind[], creators: readonly Subject[]): Promise<void> {
  for (const kind of kinds) for (const { write } of creators) await world.fault('destination', { kind, ...write })
}

/** Copies while the writes of these components get such answers, and expects the copy of an undisturbed run. */
export async function expectCopiedDespite(
  kinds: FaultKind[],
  creators: readonly Subject[],
  options: WorldOptions = {},
): Promise<void> {
  const world = await aWorldOfCreators({ processes: false, ...options })
  await setEverywhere(world, kinds, creators)
  const run = await world.migrate()
  expect(await world.finished(run, { seconds: 600 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const hit = (await world.faults('destination')).filter(({ hits }) => hits > 0)
  expect(new Set(hit.map(({ kind }) => kind))).toEqual(new Set(kinds))
  await expectAllHit(world, creators)
  await expectWhole(world, run)
}
