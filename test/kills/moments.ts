import { randomInt } from 'node:crypto'
import { seededRandom } from '../../sandbox/store/random.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'

/** Milliseconds for a test that waits for its turn with a world on a busy machine. */
export const timeout = 3_600_000

/**
 * Random but repeatable moments: the seed is printed with the subject of the test.
 *
 * @returns a function that makes whole numbers from `least` to `most`.
 */
export function randomMoments(subject: string): (least: number, most: number) => number {
  const seed = Number(process.env.STOREFERRY_SEED ?? randomInt(1_000_000))
  console.log(`${subject}: STOREFERRY_SEED=${seed}`)
  const random = seededRandom(seed)
  return (least, most) => least + Math.floor(random() * (most - least + 1))
}

export async function writesSent(world: World): Promise<number> {
  return (await world.requests('destination')).filter(({ method }) => method !== 'GET').length
}

/** Waits until the run has sent this many writes in all; more may be in flight by then. */
export async function untilWritten(world: World, writes: number): Promise<void> {
  await until(`${writes} writes are sent`, async () => (await writesSent(world)) >= writes, {
    seconds: 300,
    seen: () => writesSent(world),
  })
}
