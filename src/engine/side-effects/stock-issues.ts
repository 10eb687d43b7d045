import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { sideEffectComponent } from '../../entities/registry.ts'
import type { ItemStock } from '../../model/sold-stock.ts'
import type { Entry } from '../core/recorder.ts'

export const stockReport = { component: sideEffectComponent('stock'), code: 'stock_not_restored' } as const

/** The key of the issue about a store's stock. */
export function unreturnedStock(storeHash: string) {
  return { ...stockReport, sourceId: storeHash }
}

export function unreturnedStockIssue(storeHash: string, why: string): IssueToWrite {
  return stockIssue(storeHash, `Stock that copied orders took is not given back at ${storeHash}: ${why}.`)
}

function stockIssue(sourceId: string, message: string, sku: string | null = null): IssueToWrite {
  const item = { name: null, sku: sku || null, path: null }
  return { ...stockReport, phase: stockReport.component, severity: 'warning', sourceId, message, item }
}

export function notSeen(storeHash: string): IssueToWrite {
  return stockIssue(
    storeHash,
    `The token of ${storeHash} may not see its stock: what copied orders take from it is not given back.`,
  )
}

export function unclearStock({ productId, variantId, sku, levels, sold }: ItemStock): IssueToWrite {
  const sum = (values: (number | null)[]) => values.reduce<number>((all, one) => all + (one ?? 0), 0)
  const [before, now] = [sum(levels.map(({ quantity }) => quantity)), sum(levels.map((level) => level.now))]
  const what = sku === '' ? `product ${productId}, variant ${variantId}` : sku
  const message = `Stock of ${what} was left as it is: ${before} before orders were copied, ${now} after, of which they sold ${sold}.`
  return stockIssue(`stock:${productId}/${variantId}`, message, sku)
}

/** A level that the store refused to set from `seen` to `target`. */
interface Refused {
  productId: number
  variantId: number
  seen: number
  target: number
}

export function notTaken({ productId, variantId, seen, target }: Refused): IssueToWrite {
  const message = `Stock of product ${productId}, variant ${variantId} was left as it is: the store refused to set it from ${seen} to ${target}.`
  return stockIssue(`stock:${productId}/${variantId}`, message)
}

export async function saveWarnings(
  tx: Parameters<Entry>[0],
  tally: Parameters<Entry>[1],
  { id, organisationId }: { id: string; organisationId: string },
  issues: IssueToWrite[],
): Promise<void> {
  for (const { component } of await saveIssues(tx, { id, organisationId }, issues)) tally.add(component, 'warnings')
}
