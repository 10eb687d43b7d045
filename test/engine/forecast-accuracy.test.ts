import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'

/** A call is repeated after its time-out, which would add one on a busy machine. */
const emptyWorld = () => aWorld({ seeds: { source: 'empty' }, requestTimeoutSeconds: 30 })

/** Reads of each store, forecast and made. */
async function readsOf(world: World, runId: string): Promise<Record<string, { forecast: number; made: number }>> {
  const { rows } = await sql<{ side: string; calls: number; predicted: number }>`
    select side, calls, predicted from run_calls where run_id = ${runId} and class = 'read'`.execute(world.database)
  return Object.fromEntries(rows.map(({ side, calls, predicted }) => [side, { forecast: predicted, made: calls }]))
}

test.each([
  ['a copy', { mode: 'full' }, 0],
  ['an update', { mode: 'full', conflictStrategy: 'update' }, 0],
  ['a dry run', { mode: 'dry-run' }, 0],
  // It reads settings again in which the stores differ, such as their names: which those are, no forecast knows (F1).
  ['a comparison', { mode: 'verify' }, 3],
])('%s between two empty stores makes exactly as many reads of each as forecast', async (_name, body, again) => {
  const world = await emptyWorld()
  const { requestId } = await world.complete({ ...body, customerConsent: true })
  const { source, destination } = await readsOf(world, requestId)
  // Preflight, and at least one list of each store for every pass.
  expect(source?.made).toBeGreaterThan(60)
  expect(source?.made).toBe((source?.forecast ?? 0) + again)
  expect(destination?.made).toBe((destination?.forecast ?? 0) + again)
})

longTest('a run reads the channels of its stores once, however many of its entities need them', async () => {
  const world = await emptyWorld()
  const { requestId } = await world.complete()
  const { started } = (await world.detail(requestId)).timestamps
  for (const side of ['source', 'destination'] as const) {
    const lists = (await world.requests(side)).filter(({ path }) => path.split('?')[0] === '/v3/channels')
    const [priced, run] = [lists.filter(({ at }) => at < `${started}`), lists.filter(({ at }) => at >= `${started}`)]
    // The list, and a check that the token may read it; a forecast makes the same calls.
    expect({ side, run: run.length }).toEqual({ side, run: 2 })
    expect(priced.length).toBeLessThanOrEqual(2)
  }
})
