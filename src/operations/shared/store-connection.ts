import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../contract/service-error.ts'
import { type AuditEntry, recordAudit } from '../../db/accounts/audit.ts'
import { lockStore, type StoreRow, saveAccess, saveStore, storeTokenContext } from '../../db/accounts/stores.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { holdWritingKey } from '../../db/core/encryption-check.ts'
import { liveRead } from './live-read.ts'
import type { Deps } from './operation.ts'
import { readStoreAccess, type StoreAccess } from './store-access.ts'

/** Checks a token at once, so that a wrong one is refused now, not hours later in a run. */
export async function checkToken(
  store: { hash: string; token: string },
  { clock, openUnconnectedStore }: Deps,
): Promise<StoreAccess> {
  const untried = openUnconnectedStore(store, { isAccepted: false })
  const client = openUnconnectedStore(store, { isAccepted: true })
  try {
    return await liveRead(clock, (signal) => readStoreAccess(client, signal, untried))
  } catch (error) {
    throw error instanceof ServiceError ? notConnected(error, store.hash) : error
  } finally {
    await Promise.all([untried.close(), client.close()])
  }
}

/** Which field is wrong, by the status with which the platform refuses. */
const wrongField: Record<number, 'token' | 'hash'> = { 401: 'token', 403: 'token', 404: 'hash' }

/**
 * Replaces the connector's messages, which assume a connected store, with ones that contain the store's hash and the
 * remedy.
 */
function notConnected({ code, upstreamStatus, retryAfterSeconds, cause }: ServiceError, hash: string): ServiceError {
  const message = whatToDo(hash, upstreamStatus)
  const field = upstreamStatus === undefined ? undefined : wrongField[upstreamStatus]
  if (field) return new ServiceError('validation_failed', message, { errors: { [field]: [message] }, cause })
  return new ServiceError(code, message, { upstreamStatus, retryAfterSeconds, cause })
}

function whatToDo(hash: string, httpStatus: number | undefined): string {
  switch (httpStatus) {
    case undefined:
      return `Store ${hash} does not respond. Check BIGCOMMERCE_API_URL and that the store is up, then connect it again.`
    case 401:
      return `Store ${hash} does not accept this API token. Copy the token of an API account of this store, then connect it again.`
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
  /** If absent, the label that the store has, or the shop's own name. */
  label?: string | undefined
  shopName: string
  token: string
  /** Where the token comes from; a person by default. */
  from?: 'app'
}

/** A store that was connected before keeps its id, and so its migrations and mappings, and its label. */
export async function saveConnection(
  transaction: InTransaction,
  { organisationId, hash, label: given, shopName, token, from }: Connection,
  actor: Pick<AuditEntry, 'actor' | 'actorUserId'>,
  { clock, keyring }: Pick<Deps, 'clock' | 'keyring'>,
): Promise<Pick<StoreRow, 'id' | 'label'>> {
  const writingKey = await holdWritingKey(transaction)
  const before = await lockStore(transaction, organisationId, hash)
  const id = before?.id ?? randomUUID()
  const label = given ?? before?.label ?? shopName
  const tokenEncrypted = keyring.encrypt(token, storeTokenContext({ id, organisationId }), writingKey)
  await saveStore(transaction, { id, organisationId, hash, label, tokenEncrypted })
  // The store has just accepted the token.
  await saveAccess(transaction, { id, organisationId, state: 'works', checkedAt: clock.now(), latencyMs: null })
  const details = { hash, label, ...(from && { from }) }
  const entry = { action: 'store.connect' as const, details, at: clock.now() }
  await recordAudit(transaction, { organisationId, ...actor, ...entry })
  return { id, label }
}
