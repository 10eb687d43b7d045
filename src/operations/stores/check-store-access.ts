import { z } from 'zod'
import { storeHash } from '../../contract/stores.ts'
import { requireStore } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'
import { checkAccess } from './get-store.ts'

export const checkStoreAccess = defineOperation({
  name: 'check-store-access',
  summary: 'Whether a connected store responds, how fast, and which scopes its token lacks.',
  input: z.strictObject({ hash: storeHash }),
  output: z.strictObject({
    reachable: z.boolean(),
    latencyMs: z.int().nullable(),
    missingScopes: z.array(z.string()),
    checkedAt: z.iso.datetime(),
  }),
  async run({ hash }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const startedMs = deps.clock.monotonicMs()
    const { reachable, missingScopes } = await checkAccess(store, deps)
    const latencyMs = reachable ? Math.round(deps.clock.monotonicMs() - startedMs) : null
    return { reachable, latencyMs, missingScopes, checkedAt: deps.clock.now().toISOString() }
  },
})
