import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PLAN_QUOTAS } from '../sandbox/server/quota.ts'
import type { HistoryEntry } from '../src/contract/history.ts'
import type { MigrationDetail } from '../src/contract/migration.ts'
import { pacing } from '../src/contract/primitives/pacing.ts'
import { freePort } from '../src/db/postgres/free-port.ts'
import { startMortalPostgres } from '../test/harness/postgres.ts'
import { startWorldService } from '../test/harness/world-service.ts'
import { cpuSeconds } from './parts/cpu-seconds.ts'
import { numberFrom } from './parts/number-from.ts'
import { type Member, signIn } from './parts/running-service.ts'
import { sandboxProcess } from './parts/sandbox-process.ts'
import { callsTo, mostInWindow, refusedOf, type StoreCall } from './parts/store-calls.ts'
import type { BenchResult } from './run.ts'

const hosts = 4
const organisations = 5
const runsOfEach = 10
const plan = 'pro'
const quota = PLAN_QUOTAS[plan]
const usable = quota.requests * (1 - pacing.quotaReserve)

/**
 * Fifty copies at once on four hosts: five organisations, each from one store into ten, so that processes on different
 * hosts share the quota of each source. All are requested before a host starts. Otherwise the first four organisations,
 * with four copies each, would fill its sixteen slots, and the fifth would wait for a whole copy, however fair the turns.
 *
 * Time is compared with what the calls to the busiest source take at its quota less the reserve.
 */
export async function bench(): Promise<BenchResult> {
  await using ending = new AsyncDisposableStack()
  const groups = Array.from({ length: organisations }, (_, at) => ({
    source: `source${at}`,
    destinations: Array.from({ length: runsOfEach }, (_, to) => `copy${at}x${to}`),
  }))
  const sandbox = await sandboxProcess({
    port: await freePort(),
    adminToken: randomBytes(16).toString('hex'),
    plan,
    stores: groups.flatMap(({ source, destinations }) => [
      { name: source, hash: source, seed: 'tiny' },
      ...destinations.map((hash) => ({ name: hash, hash, seed: 'empty' as const })),
    ]),
  })
  ending.defer(() => sandbox.stop())
  const postgres = await startMortalPostgres()
  ending.defer(() => postgres.stop())
  const service = await startWorldService({
    databaseUrl: postgres.url,
    bigcommerceApiUrl: sandbox.url,
    requestTimeoutSeconds: 30,
    settleSeconds: 5,
    hosts,
  })
  ending.defer(() => service.stop())
  const members: Member[] = []
  for (const [at, { source, destinations }] of groups.entries()) {
    const member = await signIn(service, `Bench Outfitters ${at + 1}`)
    for (const hash of [source, ...destinations]) {
      const token = sandbox.stores[hash]?.token ?? ''
      await service.administration.connectStore({ organisation: member.organisation, hash, token, label: hash })
    }
    members.push(member)
  }
  const stores = groups.flatMap(({ source, destinations }) => [source, ...destinations])
  for (let at = 0; at < hosts; at++) await service.killHost('SIGTERM', at)
  for (const [at, member] of members.entries())
    for (const destination of groups[at]?.destinations ?? [])
      await requested(member, { source: `source${at}`, destination })
  // The calls of the forecasts must not count, nor leave less of the quota.
  await sleep(quota.windowMs)
  for (const hash of stores) await sandbox.admin(hash, '/requests', 'DELETE')
  const [committed, cpu, began] = [await transactionsOf(postgres.url), await cpuSeconds(sandbox.pid), Date.now()]
  await Promise.all(Array.from({ length: hosts }, (_, at) => service.startHost(at)))
  const endedAfter = await whenEnded(members, began)
  const seconds = (Date.now() - began) / 1000
  const transactions = (await transactionsOf(postgres.url)) - committed
  const cpuUsed = (await cpuSeconds(sandbox.pid)) - cpu
  const calls = new Map<string, StoreCall[]>()
  for (const hash of stores) calls.set(hash, await callsTo(sandbox, hash))
  return judge({ groups, calls, endedAfter, seconds, cpuUsed, transactions })
}

/** Requests a copy and waits for its forecast, without which no host takes it. */
async function requested({ api }: Member, body: { source: string; destination: string }): Promise<void> {
  const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', body)
  while ((await api<MigrationDetail>('GET', `/v2/migrations/${requestId}`)).forecast === null) await sleep(200)
}

/** @returns seconds until each organisation's runs had ended, in order. */
async function whenEnded(members: Member[], beganMs: number): Promise<number[][]> {
  const seconds = members.map(() => [] as number[])
  while (seconds.some(({ length }) => length < runsOfEach)) {
    await sleep(1_000)
    for (const [at, { api }] of members.entries()) {
      const { items } = await api<{ items: HistoryEntry[] }>('GET', '/v2/migrations?limit=50')
      const ended = items.filter(({ status }) => !['queued', 'in_progress'].includes(status))
      const bad = ended.find(({ status, failuresOpen }) => status !== 'completed' || failuresOpen > 0)
      if (bad) throw new Error(`A copy ended ${bad.status}: ${bad.summaryLine}`)
      while ((seconds[at]?.length ?? runsOfEach) < ended.length) seconds[at]?.push((Date.now() - beganMs) / 1000)
    }
  }
  return seconds
}

function transactionsOf(url: string): Promise<number> {
  return numberFrom(url, 'select xact_commit as number from pg_stat_database where datname = current_database()')
}

interface Measured {
  groups: { source: string; destinations: string[] }[]
  calls: Map<string, StoreCall[]>
  endedAfter: number[][]
  seconds: number
  cpuUsed: number
  transactions: number
}

function judge({ groups, calls, endedAfter, seconds, cpuUsed, transactions }: Measured): BenchResult {
  const all = [...calls.values()].flat()
  const most = (some: StoreCall[]) => mostInWindow(quota.windowMs, some)
  const busiest = Math.max(...groups.map(({ source }) => calls.get(source)?.length ?? 0))
  const atLeast = (busiest / usable) * (quota.windowMs / 1000)
  const fullest = Math.max(...[...calls.values()].map((one) => most(one)))
  const refused = refusedOf(all)
  const halves = endedAfter.map((ends) => ends[runsOfEach / 2 - 1] ?? Number.NaN)
  const fairness = Math.max(...halves) / Math.min(...halves)
  return {
    rows: [
      ...groups.map(({ source }, at) => ({
        organisation: at + 1,
        'calls to its source': calls.get(source)?.length ?? 0,
        'most in 30 s': most(calls.get(source) ?? []),
        'half its copies, s': (halves[at] ?? 0).toFixed(0),
        'all its copies, s': (endedAfter[at]?.at(-1) ?? 0).toFixed(0),
      })),
      {
        organisation: 'all',
        'all its copies, s': seconds.toFixed(0),
        'by the quota, s': atLeast.toFixed(0),
        calls: all.length,
        refused,
        'transactions a call': (transactions / all.length).toFixed(1),
        'processor seconds a copy': (cpuUsed / organisations / runsOfEach).toFixed(1),
      },
    ],
    ratios: [
      { name: 'most calls in 30 s to the quota', ratio: fullest / quota.requests, bound: { atMost: 1 } },
      { name: 'refused calls to all', ratio: refused / all.length, bound: { atMost: 0.0001 } },
      { name: 'half the copies, slowest organisation to fastest', ratio: fairness, bound: { atMost: 1.5 } },
      { name: 'all copies to the time that the quota takes', ratio: seconds / atLeast, bound: { atMost: 2 } },
    ],
  }
}
