import { systemClock } from '../../src/clock.ts'
import { kinds } from '../../src/probe/kinds.ts'
import { type ProbeOptions, type ProbeResult, runProbe } from '../../src/probe/run-probe.ts'
import { aSandbox } from '../sandbox/a-sandbox.ts'

type SandboxOptions = NonNullable<Parameters<typeof aSandbox>[0]>
type Row = Record<string, unknown> & { id: number }

/** Rows by table. */
export type StoreState = Record<string, Row[]>

export const prefix = 'sfprobe-'

/** A store of the sandbox, a probe of it, and all its rows. */
export async function aProbedStore(store: SandboxOptions['store'] = {}) {
  const shop = await aSandbox({ store })
  const { sandbox, admin, call } = shop
  // A store makes what it has by itself when it is first read.
  await Promise.all(kinds.map(({ list, path }) => call('GET', list ?? path)))
  await admin('DELETE', '/requests')
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
  return { ...shop, hash, probe, stateNow }
}

/** Rows that one of the states has and the other has not, or has otherwise. */
export function changedRows(before: StoreState, after: StoreState): { table: string; row: Row }[] {
  const tables = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...tables].flatMap((table) => {
    const [were, are] = [before[table] ?? [], after[table] ?? []].map(
      (rows) => new Map(rows.map((row) => [JSON.stringify(row), row])),
    )
    const onlyIn = (some = new Map<string, Row>(), others = new Map<string, Row>()) =>
      [...some].filter(([text]) => !others.has(text))
    return [...onlyIn(are, were), ...onlyIn(were, are)].map(([, row]) => ({ table, row }))
  })
}

/** Files of deleted pictures, and reasons of adjustments: no list shows them and no call deletes them. */
const withoutList = ['uploads', 'inventory_transactions']

/** What a probe changed for good, apart from its archived orders and what belongs to them. */
export function leftBehind(before: StoreState, after: StoreState): { table: string; row: Row }[] {
  const changed = changedRows(before, after).filter(({ table }) => !withoutList.includes(table))
  const isArchived = ({ is_deleted }: Row) => is_deleted === true
  const archived = new Set(
    changed.filter(({ table, row }) => table === 'orders' && isArchived(row)).map(({ row }) => row.id),
  )
  return changed.filter(({ table, row }) => {
    const order = table === 'orders' ? row.id : (row.order_id ?? (row.resource_type === 'order' ? row.resource_id : 0))
    return !archived.has(Number(order))
  })
}
