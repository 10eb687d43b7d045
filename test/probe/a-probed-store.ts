import { type ProbeOptions, type ProbeResult, runProbe } from '../../src/probe/run-probe.ts'
import { systemClock } from '../../src/clock.ts'
import { ADMIN } from '../sandbox/a-shop.ts'
import { aSandbox } from '../sandbox/a-sandbox.ts'

type SandboxOptions = NonNullable<Parameters<typeof aSandbox>[0]>

/** Rows by table, each by its id. */
export type StoreState = Record<string, { id: number; [field: string]: unknown }[]>

export const prefix = 'sfprobe-'

/** A store of the sandbox, a probe of it, and what stands there. */
export async function aProbedStore(store: SandboxOptions['store'] = {}) {
  const shop = await aSandbox({ store })
  const { sandbox, admin } = shop
  const hash = 'source'
  const probe = (options: Partial<ProbeOptions> = {}): Promise<ProbeResult> =>
    runProbe({
      store: { apiUrl: sandbox.url, hash, token: 'secret', requestTimeoutMs: 20_000 },
      clock: systemClock,
      quick: true,
      signal: new AbortController().signal,
      ...options,
    })
  const stateNow = async () => (await admin('GET', '/state')).body as StoreState
  return { ...shop, hash, probe, stateNow, adminToken: ADMIN }
}

/** Rows that the second state has and the first has not, or has otherwise, and the other way round. */
export function changedRows(before: StoreState, after: StoreState): { table: string; row: Record<string, unknown> }[] {
  const tables = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...tables].flatMap((table) => {
    const [were, are] = [before[table] ?? [], after[table] ?? []].map(
      (rows) => new Map(rows.map((row) => [JSON.stringify(row), row])),
    )
    const only = (some = new Map(), others = new Map()) => [...some].filter(([text]) => !others.has(text))
    return [...only(are, were), ...only(were, are)].map(([, row]) => ({ table, row }))
  })
}
