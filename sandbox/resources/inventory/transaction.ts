import type { SandboxAnswer } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'

/**
 * The answer to every write to inventory and locations, which only contains the id of a job. The platform does the work
 * later; the sandbox has already done it.
 */
export function transactionAnswer(store: SandboxStore, reason: unknown = ''): SandboxAnswer {
  const { id } = store.table('inventory_transactions').insert({ reason })
  return { status: 200, body: { transaction_id: stableUuid(`${store.name} transaction ${id}`) } }
}
