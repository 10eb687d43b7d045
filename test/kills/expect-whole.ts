import { sql } from 'kysely'
import { expect } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { expectSoundEnd } from '../harness/sound-end.ts'
import { tally } from '../harness/tally.ts'
import type { World } from '../harness/world.ts'

/** The destination holds what the source holds, each once; nothing is in doubt any more and the counters tell the truth. */
export async function expectWhole(world: World, run: string): Promise<void> {
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  expect(tally(source, destination)).toEqual([])
  expect(compareStores(source, destination)).toEqual([])
  const unconfirmed = await sql`
    select i.component, i.action, i.items from intents i join runs r on r.id = i.run_id
    where r.organisation_id = ${world.organisationId}`.execute(world.database)
  expect(unconfirmed.rows).toEqual([])
  await expectSoundEnd(world, run)
}
