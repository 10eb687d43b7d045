import type { StoreClient } from '../../bigcommerce/client.ts'
import { probeScopes, readStoreInformation, type StoreInformation } from '../../bigcommerce/store-information.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { AboutStore, AccessState } from '../../contract/stores.ts'
import type { StoreRow } from '../../db/accounts/stores.ts'
import { accessProbes } from '../../entities/token-scopes.ts'
import { liveRead } from './live-read.ts'
import type { Deps } from './operation.ts'

export interface StoreAccess {
  information: StoreInformation
  /**
   * Read scopes that the token does not have, by the platform's names. Write access is only known after the first
   * write.
   */
  missingScopes: string[]
}

/**
 * @param first the client of the call that shows whether the token is valid
 * @throws the connector's errors if the token is not valid for this store, or may not read its information
 */
export async function readStoreAccess(
  client: StoreClient,
  signal: AbortSignal,
  first: StoreClient = client,
): Promise<StoreAccess> {
  const information = await readStoreInformation(first, { signal })
  const missing = await probeScopes(client, { probes: accessProbes, signal })
  return { information, missingScopes: [...new Set(missing.map(({ scope }) => scope))] }
}

/** What callers may know about a store. */
export function aboutStore(information: StoreInformation): AboutStore {
  const { name, domain, plan_name: plan, currency, weight_units: weightUnit, dimension_units: lengthUnit } = information
  const orNull = (text: string | undefined) => text || null
  return {
    name,
    domain,
    plan: orNull(plan),
    currency: orNull(currency),
    weightUnit: orNull(weightUnit),
    lengthUnit: orNull(lengthUnit),
  }
}

/** The result of a live check of a connected store. */
export interface StoreLook {
  reachable: boolean
  state: AccessState
  checkedAt: Date
  latencyMs: number | null
  /** Why the store cannot be used; null if it can. */
  message: string | null
  missingScopes: string[]
  information: StoreInformation | null
}

/** Calls the store now. A store that does not respond is a valid result here, not an error. */
export async function lookAtStore(store: StoreRow, { clock, openStore }: Deps): Promise<StoreLook> {
  const startedMs = clock.monotonicMs()
  try {
    const client = openStore(store, { readOnly: true })
    const { information, missingScopes } = await liveRead(clock, (signal) => readStoreAccess(client, signal))
    const latencyMs = Math.round(clock.monotonicMs() - startedMs)
    const found = { latencyMs, message: null, missingScopes, information }
    return { reachable: true, state: 'works', checkedAt: clock.now(), ...found }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { message } = error
    const nothing = { latencyMs: null, missingScopes: [], information: null }
    return { reachable: false, state: stateAfter(error), checkedAt: clock.now(), message, ...nothing }
  }
}

/** The statuses with which the platform refuses a token for this store. */
const refusals = [401, 403, 404]

function stateAfter({ upstreamStatus }: ServiceError): AccessState {
  return upstreamStatus !== undefined && refusals.includes(upstreamStatus) ? 'refused' : 'silent'
}
