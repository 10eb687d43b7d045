import type { Seed } from '../sandbox/seeds/plant-seed.ts'
import { PLAN_QUOTAS } from '../sandbox/server/quota.ts'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { pacing } from '../src/contract/primitives/pacing.ts'
import { completed, startConnected, temporaryDirectory } from './parts/running-service.ts'
import { callsTo, mostInWindow, numberOfCalls, refusedOf } from './parts/store-calls.ts'
import type { BenchResult } from './run.ts'

const plans = (['standard', 'pro'] as const).filter((plan) => plan === (process.env.BENCH_PLAN ?? plan))
type Plan = (typeof plans)[number]
/** What it reaches today, with some tolerance; the goal is 1.02. */
const slowest = 1.2
const stores = ['source', 'copy'] as const
const seed = (process.env.BENCH_SEED ?? 'small') as Seed

/**
 * A whole copy of the seed `small` on a plan with 150 and on one with 450 calls per 30 s: its time, compared with what
 * the calls to the busier store take at the quota less the reserve, and the most calls within any 30 s. `BENCH_SEED`
 * copies another seed, `BENCH_PLAN` measures only one of the plans; the shorter a copy, the more its end weighs.
 */
export async function bench(): Promise<BenchResult> {
  const copies: Copy[] = []
  for (const plan of plans) copies.push(await copied(plan))
  return {
    rows: copies.map(({ plan, seconds, calls, atLeast, most, usable, refused }) => ({
      'calls per 30 s': PLAN_QUOTAS[plan].requests,
      seconds: seconds.toFixed(1),
      'by the quota, s': atLeast.toFixed(1),
      'calls to the busier store': calls,
      'most in 30 s': most,
      'quota less the reserve': usable,
      refused,
    })),
    ratios: copies.flatMap(({ plan, seconds, atLeast, most, usable, refused, calls }) => {
      const name = (what: string) => `${what} at ${PLAN_QUOTAS[plan].requests}`
      return [
        { name: name('time to what the quota takes'), ratio: seconds / atLeast, bound: { atMost: slowest } },
        { name: name('most calls in 30 s to the quota less the reserve'), ratio: most / usable, bound: { atMost: 1 } },
        { name: name('refused calls to all'), ratio: refused / calls, bound: { atMost: 0.0001 } },
      ]
    }),
  }
}

interface Copy {
  plan: Plan
  seconds: number
  /** To the busier of both stores. */
  calls: number
  /** Seconds until the quota allows the last call, if those of each window are all sent at once. */
  atLeast: number
  most: number
  usable: number
  refused: number
}

async function copied(plan: Plan): Promise<Copy> {
  await using ending = new AsyncDisposableStack()
  const { sandbox, service } = await startConnected(ending, await temporaryDirectory(ending), {
    plan,
    stores: stores.map((hash) => ({ name: hash, hash, seed: hash === 'source' ? seed : 'empty' })),
  })
  const { api } = service
  for (const hash of stores) await sandbox.admin(hash, '/requests', 'DELETE')
  const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', { source: 'source', destination: 'copy' })
  const { timestamps } = await completed(api, requestId)
  const quota = PLAN_QUOTAS[plan]
  const usable = quota.requests * (1 - pacing.quotaReserve)
  const calls = await Promise.all(stores.map((hash) => callsTo(sandbox, hash)))
  const busier = Math.max(...(await Promise.all(stores.map((hash) => numberOfCalls(sandbox, hash)))))
  return {
    plan,
    // With the forecast, whose calls count as well.
    seconds: (Date.parse(timestamps.updated) - Date.parse(timestamps.created)) / 1_000,
    calls: busier,
    atLeast: Math.floor((busier - 1) / usable) * (quota.windowMs / 1_000),
    most: Math.max(...calls.map((some) => mostInWindow(quota.windowMs, some))),
    usable,
    refused: Math.max(...calls.map(refusedOf)),
  }
}
