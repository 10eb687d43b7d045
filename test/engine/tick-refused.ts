import type { DutyDeps } from '../../src/engine/retry-duties.ts'
import type { World } from '../harness/world.ts'

/** What a host does with every tick; the store behind it refuses. @returns how often it was asked, and the lines of level `error`. */
export async function tickRefused(
  { database }: Pick<World, 'database'>,
  tick: (deps: DutyDeps) => Promise<void>,
): Promise<{ asked: number; errors: object[] }> {
  const errors: object[] = []
  let asked = 0
  const refusal = () => {
    asked++
    return Promise.reject(new Error('The store does not answer.'))
  }
  await tick({
    database,
    log: { info: () => undefined, warn: () => undefined, error: (fields) => errors.push(fields) },
    openStore: () => ({ get: refusal, write: refusal }),
    leaveStores: () => Promise.resolve(),
  })
  return { asked, errors }
}
