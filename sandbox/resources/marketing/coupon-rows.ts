import { refuseV2 } from '../../http/v2-body.ts'
import { namesAreEqual } from '../../store/name-case.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'

export function couponTable(store: SandboxStore): Table {
  return store.table('coupons', ['code_key', 'name_key', 'type'])
}

/** The sources do not say how a duplicate code is refused (switch `duplicate_code`). */
export function refuseDuplicate(store: SandboxStore, what: string, field: string): never {
  return refuseV2(Number(store.switches.duplicate_code ?? 409), `${what}: this ${field} is already in use.`)
}

/** The name and the code of a coupon are unique. */
export function refuseTaken(store: SandboxStore, values: Record<string, unknown>, own?: Row): void {
  for (const field of ['code', 'name']) {
    if (values[field] === undefined) continue
    const holders = couponTable(store).find({ [`${field}_key`]: String(values[field]) })
    if (holders.some((row) => row.id !== own?.id && namesAreEqual(store, row[field], values[field])))
      refuseDuplicate(store, 'The coupon', field)
  }
}
