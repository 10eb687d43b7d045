import type { SandboxAnswer } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'

/**
 * The answer to every write to inventory and locations: only the id of a job. The platform processes it later; the
 * sandbox is done when it answers.
 */
export function transactionAnswer(store: SandboxStore, reason: unknown = ''): SandboxAnswer {
  const { id } = store.table('inventory_transactions').insert({ reason })
  return { status: 200, body: { transaction_id: stableUuid(`${store.name} transaction ${id}`) } }
}
