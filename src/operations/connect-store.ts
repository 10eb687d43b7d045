import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { actorOf } from '../accounts/api-credentials.ts'
import type { Administrator } from '../accounts/caller.ts'
import { connectStoreInput, connectStoreOutput } from '../contract/administration.ts'
import { ServiceError } from '../contract/service-error.ts'
import { recordAudit } from '../db/audit.ts'
import { findStore, saveStore, storeTokenContext } from '../db/stores.ts'
import { liveRead } from './live-read.ts'
import { type Deps, defineOperation } from './operation.ts'
import { requireOrganisation } from './registered-organisation.ts'
import { readStoreAccess, type StoreAccess } from './store-access.ts'

type Input = z.infer<typeof connectStoreInput>

export const connectStore = defineOperation<Input, z.infer<typeof connectStoreOutput>, Administrator>({
  name: 'connect-store',
  summary: 'Connect a store by its hash and API token, or give a connected one a new token.',
  input: connectStoreInput,
  output: connectStoreOutput,
  async run(input, administrator, deps) {
    const { id: organisationId } = await requireOrganisation(deps.database, input.organisation)
    const { name, missingScopes } = await checkToken(input, deps)
    const label = input.label ?? name
    await saveConnection({ organisationId, hash: input.hash, label, token: input.token }, administrator, deps)
    return { hash: input.hash, label, missingScopes }
  },
})

/** At once: a token that does not open the shop is refused here and not hours later in a run. */
async function checkToken(
  store: { hash: string; token: string },
  { clock, openUnconnectedStore }: Deps,
): Promise<StoreAccess> {
  const client = openUnconnectedStore(store)
  try {
    return await liveRead(clock, (signal) => readStoreAccess(client, signal))
  } catch (error) {
    throw error instanceof ServiceError ? notConnected(error, store.hash) : error
  } finally {
    await client.close()
  }
}

/** The connector speaks of stores that are connected; whoever connects one needs to hear which, and what to do. */
function notConnected({ code, upstreamStatus, retryAfterSeconds, cause }: ServiceError, hash: string): ServiceError {
  return new ServiceError(code, whatToDo(hash, upstreamStatus), { upstreamStatus, retryAfterSeconds, cause })
}

function whatToDo(hash: string, httpStatus: number | undefined): string {
  switch (httpStatus) {
    case undefined:
      return `Store ${hash} does not answer. Check BIGCOMMERCE_API_URL and that the store is up, then connect it again.`
    case 401:
      return `Store ${hash} does not accept this API token. Copy the token of an API account of this very store, then connect it again.`
    case 403:
      return `The API token of store ${hash} lacks the scope store_v2_information_read_only. Give it to the API account, then connect the store again.`
    case 404:
      return `The platform has no store ${hash}. The hash is the part after /stores/ of the store's API path; correct it, then connect again.`
    default:
      return `Store ${hash} answered HTTP ${httpStatus}. Connect it again in a minute.`
  }
}

interface Connection {
  organisationId: string
  hash: string
  label: string
  token: string
}

async function saveConnection(
  { organisationId, hash, label, token }: Connection,
  administrator: Administrator,
  { database, clock, keyring }: Deps,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const id = (await findStore(transaction, organisationId, hash))?.id ?? randomUUID()
    const tokenEncrypted = keyring.encrypt(token, storeTokenContext({ id, organisationId }))
    await saveStore(transaction, { id, organisationId, hash, label, tokenEncrypted })
    const entry = { action: 'store.connect' as const, details: { hash, label }, at: clock.now() }
    await recordAudit(transaction, { organisationId, ...actorOf(administrator), ...entry })
  })
}
