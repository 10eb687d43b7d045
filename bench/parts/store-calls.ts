import { mostWithin } from '../../test/harness/most-within.ts'
import type { RunningSandbox } from './sandbox-process.ts'

export interface StoreCall {
  atMs: number
  status: number
}

/** The calls that a store has counted since they were last deleted; it keeps the last 25,000 to 50,000. */
export async function callsTo(sandbox: RunningSandbox, hash: string): Promise<StoreCall[]> {
  const { requests } = await sandbox.admin<{ requests: { at: string; status: number }[] }>(
    hash,
    '/requests?limit=50000',
  )
  return requests.map(({ at, status }) => ({ atMs: Date.parse(at), status }))
}

/** How many calls a store has counted since then, also of runs that are longer than what it keeps. */
export async function numberOfCalls(sandbox: RunningSandbox, hash: string): Promise<number> {
  const { counts } = await sandbox.admin<{ counts: Record<string, number> }>(hash, '/requests?limit=1')
  return Object.values(counts).reduce((sum, calls) => sum + calls, 0)
}

/** The most calls within any time as long as the quota's window. */
export function mostInWindow(windowMs: number, calls: StoreCall[]): number {
  return mostWithin(
    windowMs,
    calls.map(({ atMs }) => atMs),
  )
}

export function refusedOf(calls: StoreCall[]): number {
  return calls.filter(({ status }) => status === 429).length
}
