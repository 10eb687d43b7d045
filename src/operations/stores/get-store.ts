import { z } from 'zod'
import { ServiceError } from '../../contract/service-error.ts'
import { storeDetail, storeHash } from '../../contract/stores.ts'
import type { StoreRow } from '../../db/accounts/stores.ts'
import { requireStore } from '../shared/connected-store.ts'
import { liveRead } from '../shared/live-read.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import { readStoreAccess } from '../shared/store-access.ts'

export const getStore = defineOperation({
  name: 'get-store',
  summary: 'One connected store, and whether its API token still works.',
  input: z.strictObject({ hash: storeHash }),
  output: storeDetail,
  async run({ hash }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const { label, platform, connectedAt } = store
    return { hash, label, platform, connectedAt: connectedAt.toISOString(), access: await checkAccess(store, deps) }
  },
})

/** A store that does not respond is a valid result here, not an error. */
export async function checkAccess(store: StoreRow, { clock, openStore }: Deps) {
  try {
    const client = openStore(store, { readOnly: true })
    const { missingScopes } = await liveRead(clock, (signal) => readStoreAccess(client, signal))
    return { reachable: true, message: null, missingScopes }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { reachable: false, message: error.message, missingScopes: [] }
  }
}
