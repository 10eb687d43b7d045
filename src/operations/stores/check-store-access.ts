import { z } from 'zod'
import { storeHash } from '../../contract/stores.ts'
import { requireStore } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'
import { lookAtStore } from '../shared/store-access.ts'

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
    const { reachable, latencyMs, missingScopes, checkedAt } = await lookAtStore(store, deps)
    return { reachable, latencyMs, missingScopes, checkedAt: checkedAt.toISOString() }
  },
})
