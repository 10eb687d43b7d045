import { createHash } from 'node:crypto'
import type { SandboxAnswer } from '../resource.ts'
import type { SandboxStore } from '../store.ts'

/**
 * What every write to inventory and locations is answered with: the number of the job, and nothing of what it did.
 * The platform works through it later; here it is done when the answer comes.
 */
export function transactionAnswer(store: SandboxStore, reason: unknown = ''): SandboxAnswer {
  const { id } = store.table('inventory_transactions').insert({ reason })
  const hex = createHash('sha256').update(`${store.name} transaction ${id}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return { status: 200, body: { transaction_id: parts.join('-') } }
}
