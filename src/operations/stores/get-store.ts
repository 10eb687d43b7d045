import { z } from 'zod'
import { storeDetail, storeHash } from '../../contract/stores.ts'
import { saveAccess } from '../../db/accounts/stores.ts'
import { requireStore } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'
import { aboutStore, lookAtStore } from '../shared/store-access.ts'

export const getStore = defineOperation({
  name: 'get-store',
  summary: 'One connected store, what it says about itself, and whether its API token still works; read live.',
  input: z.strictObject({ hash: storeHash }),
  output: storeDetail,
  async run({ hash }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const { id, label, platform, connectedAt } = store
    const { information, ...access } = await lookAtStore(store, deps)
    await saveAccess(deps.database, { id, organisationId, ...access })
    const about = information && aboutStore(information)
    const checkedAt = access.checkedAt.toISOString()
    return { hash, label, platform, connectedAt: connectedAt.toISOString(), access: { ...access, checkedAt }, about }
  },
})
