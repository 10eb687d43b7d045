import type { MigrationAction } from '../allowed.ts'
import { client, orThrow } from './client.ts'
import type { Migration, MigrationBody } from './queries.ts'

/** Sends an action; @returns the migration as it is now, or the comparison that was started. */
export function sendAction(action: MigrationAction, id: string, idempotencyKey: string): Promise<Migration> {
  const params = { path: { id } }
  const header = { 'idempotency-key': idempotencyKey }
  const requests: Record<MigrationAction, () => Promise<Migration>> = {
    pause: () => orThrow(client.POST('/v2/migrations/{id}/pause', { params })),
    // Without a confirmation a waiting deletion is declined.
    resume: () => orThrow(client.POST('/v2/migrations/{id}/resume', { params, body: {} })),
    cancel: () => orThrow(client.POST('/v2/migrations/{id}/cancel', { params })),
    heal: () => orThrow(client.POST('/v2/migrations/{id}/heal', { params })),
    verify: () => orThrow(client.POST('/v2/migrations/{id}/verify', { params: { ...params, header } })),
  }
  return requests[action]()
}

/** The same key starts the same migration, however often it is sent. */
export function createMigration(body: MigrationBody, idempotencyKey: string): Promise<Migration> {
  return orThrow(client.POST('/v2/migrations', { params: { header: { 'idempotency-key': idempotencyKey } }, body }))
}

/** Counts it as settled; neither store is changed. */
export function acceptIssue(id: string, issueId: string) {
  return orThrow(client.POST('/v2/migrations/{id}/issues/{issueId}/dismiss', { params: { path: { id, issueId } } }))
}
