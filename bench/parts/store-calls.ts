import { mostWithin } from '../../test/harness/most-within.ts'
import type { RunningSandbox } from './sandbox-process.ts'

export interface StoreCall {
  atMs: number
  status: number
}

/** The calls that a store has counted since they were last deleted; it keeps 50,000. */
export async function callsTo(sandbox: RunningSandbox, hash: string): Promise<StoreCall[]> {
  const { requests } = await sandbox.admin<{ requests: { at: string; status: number }[] }>(
    hash,
    '/requests?limit=50000',
  )
  return requests.map(({ at, status }) => ({ atMs: Date.parse(at), status }))
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
