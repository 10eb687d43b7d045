import { sql } from 'kysely'
import { expect } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { expectSoundEnd } from '../harness/sound-end.ts'
import { tally } from '../harness/tally.ts'
import type { World } from '../harness/world.ts'

/** Expects the destination to hold every source item once, no unconfirmed writes, and correct counters. */
export async function expectWhole(world: World, run: string): Promise<void> {
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  expect(tally(source, destination)).toEqual([])
  expect(compareStores(source, destination)).toEqual([])
  const intents = sql`select component, action, items from intents where organisation_id = ${world.organisationId}`
  expect((await intents.execute(world.database)).rows).toEqual([])
  await expectSoundEnd(world, run)
}
