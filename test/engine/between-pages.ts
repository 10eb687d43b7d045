import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'

/** Longer than a test needs to change something while an answer is held. */
export const patientSeconds = 30

interface Between {
  side: StoreName
  /** Of the list. */
  path: string
  /** First pages that others read before the run does, such as its forecast. */
  before?: number
}

/** Starts a run, and acts when the first page of a list is on its way and the second is still to be read; @returns the run's id. */
export async function actBetweenPages(
  world: World,
  { side, path, before = 0 }: Between,
  act: () => Promise<unknown>,
  request: object = {},
): Promise<string> {
  const query = '(^|&)page=1(&|$)'
  const times = before + 1
  const fault = await world.fault(side, { kind: 'hold_after_applying', method: 'GET', path: `^${path}$`, query, times })
  const id = await world.migrate(request)
  for (let hit = 1; hit <= times; hit++) {
    await until('the first page is held', async () => {
      const hits = (await world.faults(side)).find((one) => one.id === fault)?.hits ?? 0
      return hits >= hit && heldNow(world, side, path)
    })
    if (hit === times) await act()
    await world.release(side)
  }
  return id
}

async function heldNow(world: World, side: StoreName, path: string): Promise<boolean> {
  return (await world.requests(side, 'GET')).some((one) => one.path === path && one.status === null)
}
