import { Refusal } from '../../http/answers.ts'
import { namesAreEqual } from '../../store/name-case.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { deleteRows } from '../../tables/rows.ts'
import { couponTable } from './coupon-rows.ts'

export const PROMOTION_SCOPE = 'store_v2_marketing'

export function promotionTable(store: SandboxStore): Table {
  return store.table('promotions', ['redemption_type', 'status', 'name_key', 'currency_code'])
}

export function promotionCodeTable(store: SandboxStore): Table {
  return store.table('promotion_codes', ['promotion_id', 'code_key'])
}

/**
 * Refusals of promotions are lists, unlike those of other resources. Source: ErrorResponse of the published promotions
 * specification.
 */
export function refusePromotion(status: number, ...titles: string[]): never {
  throw new Refusal({ status, body: { errors: titles.map((title) => ({ status, title })) } })
}

export function namedPromotion(store: SandboxStore, id: unknown): Row {
  return promotionTable(store).get(Number(id)) ?? refusePromotion(404, `The promotion ${String(id)} was not found.`)
}

/** A code is unique among promotions and v2 coupons. */
export function refuseTakenCode(store: SandboxStore, code: string): void {
  const holders = [
    ...promotionCodeTable(store).find({ code_key: code }),
    ...couponTable(store).find({ code_key: code }),
  ]
  if (holders.some((row) => namesAreEqual(store, row.code, code)))
    refusePromotion(422, `The code ${code} is already in use.`)
}

export function deletePromotion(store: SandboxStore, id: number): void {
  deleteRows(promotionCodeTable(store), { promotion_id: id })
  promotionTable(store).delete(id)
}

/** A time as promotions return it. */
export function promotionDate(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, '+00:00')
}
