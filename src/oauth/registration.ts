import { addressKey } from '../accounts/address-key.ts'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import type { Database } from '../db/core/database.ts'
import { countRegistrations, lockRegistrations, purgeRecords, recordRegistration } from '../db/oauth/oauth-records.ts'

const hourMs = 3_600_000

interface Deps {
  database: Database
  clock: Clock
}

/** Deletes what has expired, and clients without a use for a day. Hosts do this as they clean up. */
export async function purgeExpired({ database, clock }: Deps): Promise<void> {
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await purgeRecords(database, {
    now,
    unusedBefore: before(limits.unusedClientSeconds * 1000),
    countedSince: before(hourMs),
  })
}

/**
 * Whether another client may register (S16): ten an hour from one address, and a limited number of unused clients in
 * total. Clients in use do not count.
 *
 * Counts the attempt.
 */
export async function admitRegistration(deps: Deps, address: string): Promise<boolean> {
  await purgeExpired(deps)
  return countOne(
    deps,
    addressKey(address),
    ({ fromAddress, unusedClients }) =>
      fromAddress < limits.registrationsPerHour && unusedClients < limits.unusedClients,
  )
}

/** Whether a request from this address may trigger another fetch of a client document. Counts the attempt. */
export function admitDocument(deps: Deps, address: string): Promise<boolean> {
  const key = `document ${addressKey(address)}`
  return countOne(deps, key, ({ fromAddress }) => fromAddress < limits.clientDocumentsPerHour)
}

/** One after another, so that simultaneous requests of an address cannot outrun the limit (S34). */
function countOne(
  { database, clock }: Deps,
  key: string,
  fits: (counted: Awaited<ReturnType<typeof countRegistrations>>) => boolean,
): Promise<boolean> {
  return database.transaction().execute(async (tx) => {
    await lockRegistrations(tx, key)
    const now = clock.now()
    if (!fits(await countRegistrations(tx, key, new Date(now.getTime() - hourMs)))) return false
    await recordRegistration(tx, key, now)
    return true
  })
}
