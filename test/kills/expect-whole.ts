import { sql } from 'kysely'
import { expect } from 'vitest'
import { foldLedger } from '../../src/db/ledger.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { tally } from '../harness/tally.ts'
import type { World } from '../harness/world.ts'

const countedStates = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled', 'pruned']

/** The destination holds what the source holds, each once; nothing is in doubt any more and the counters tell the truth. */
export async function expectWhole(world: World, run: string): Promise<void> {
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  expect(tally(source, destination)).toEqual([])
  expect(compareStores(source, destination)).toEqual([])
  expect((await sql`select component, action, items from intents`.execute(world.database)).rows).toEqual([])
  await expectHonestCounters(world, run)
}

/** Counters change with the results they count, so whatever died in between they equal the ledger (E3). */
export async function expectHonestCounters({ database }: World, run: string): Promise<void> {
  const { rows } = await sql<Record<string, number> & { component: string }>`
    select * from run_counters where run_id = ${run}`.execute(database)
  const counted = rows.flatMap((row) =>
    countedStates
      .map((state) => ({ component: row.component, state, count: row[state] ?? 0 }))
      .filter(({ count }) => count > 0),
  )
  const byName = (a: { component: string; state: string }, b: { component: string; state: string }) =>
    `${a.component} ${a.state}` < `${b.component} ${b.state}` ? -1 : 1
  const folded = (await foldLedger(database, run)).filter(({ state, count }) => state !== 'pending' && count > 0)
  expect(counted.sort(byName)).toEqual(folded.toSorted(byName))
}
