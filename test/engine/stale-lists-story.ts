import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'

/** Three times as long as a world waits before it looks for an unconfirmed write, as 300 s are to 105 s. */
const behindMs = 6_000

/** Both stores show in lists what was added up to this long ago or later. */
export const behind = { source: { lists_behind_ms: behindMs }, destination: { lists_behind_ms: behindMs } }

/** The lists of both stores show everything by now. */
export async function untilShown(world: World): Promise<void> {
  const requests = [...(await world.requests('source')), ...(await world.requests('destination'))]
  const writes = requests.filter(({ method }) => method !== 'GET')
  const last = Math.max(0, ...writes.map(({ at }) => Date.parse(at)))
  await until('the lists have caught up', async () => Date.now() > last + behindMs)
}
