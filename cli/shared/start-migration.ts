import { randomUUID } from 'node:crypto'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { NoAnswer, type ServiceClient } from './service-client.ts'

/**
 * Starts a migration, or a comparison. If the answer is lost, it is asked for once more with the same key, which starts
 * no second one.
 */
export async function startMigration(client: ServiceClient, path: string, body?: unknown): Promise<MigrationDetail> {
  const headers = { 'idempotency-key': randomUUID() }
  const start = () => client.post<MigrationDetail>(path, body, headers)
  return start().catch((error: unknown) => {
    if (error instanceof NoAnswer) return start()
    throw error
  })
}
