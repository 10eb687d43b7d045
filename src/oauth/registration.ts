import { addressKey } from '../accounts/address-key.ts'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import type { Database } from '../db/core/database.ts'
import { countRegistrations, purgeRecords, recordRegistration } from '../db/oauth/oauth-records.ts'

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
export async function admitRegistration({ database, clock }: Deps, address: string): Promise<boolean> {
  await purgeExpired({ database, clock })
  const now = clock.now()
  const key = addressKey(address)
  const since = new Date(now.getTime() - hourMs)
  const { fromAddress, unusedClients } = await countRegistrations(database, key, since)
  if (fromAddress >= limits.registrationsPerHour || unusedClients >= limits.unusedClients) return false
  await recordRegistration(database, key, now)
  return true
}

/** Whether a request from this address may trigger another fetch of a client document. Counts the attempt. */
export async function admitDocument({ database, clock }: Deps, address: string): Promise<boolean> {
  const now = clock.now()
  const since = new Date(now.getTime() - hourMs)
  const key = `document ${addressKey(address)}`
  const { fromAddress } = await countRegistrations(database, key, since)
  if (fromAddress >= limits.clientDocumentsPerHour) return false
  await recordRegistration(database, key, now)
  return true
}
