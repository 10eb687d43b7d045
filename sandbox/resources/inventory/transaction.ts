import type { SandboxAnswer } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'

/**
 * What every write to inventory and locations is answered with: the number of the job, and nothing of what it did.
 * The platform works through it later; here it is done when the answer comes.
 */
export function transactionAnswer(store: SandboxStore, reason: unknown = ''): SandboxAnswer {
  const { id } = store.table('inventory_transactions').insert({ reason })
  return { status: 200, body: { transaction_id: stableUuid(`${store.name} transaction ${id}`) } }
}
