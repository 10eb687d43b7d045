import type { MigrationAction } from '../allowed.ts'
import { client, orThrow } from './client.ts'
import type { Issue, Migration, MigrationBody } from './queries.ts'

/**
 * Sends an action.
 * @returns the migration as it is now, or the comparison that was started
 */
export function sendAction(action: MigrationAction, id: string, idempotencyKey: string): Promise<Migration> {
  const params = { path: { id } }
  const header = { 'idempotency-key': idempotencyKey }
  const requests: Record<MigrationAction, () => Promise<Migration>> = {
    pause: () => orThrow(client.POST('/v2/migrations/{id}/pause', { params })),
    resume: () => resumeMigration(id),
    cancel: () => orThrow(client.POST('/v2/migrations/{id}/cancel', { params })),
    heal: () => orThrow(client.POST('/v2/migrations/{id}/heal', { params })),
    verify: () => orThrow(client.POST('/v2/migrations/{id}/verify', { params: { ...params, header } })),
  }
  return requests[action]()
}

/** Sent any number of times, the same key starts one migration. */
export function createMigration(body: MigrationBody, idempotencyKey: string): Promise<Migration> {
  return orThrow(client.POST('/v2/migrations', { params: { header: { 'idempotency-key': idempotencyKey } }, body }))
}

/** Resumes. A waiting deletion is declined, unless exactly the set that was displayed is confirmed. */
export function resumeMigration(id: string, confirmPrune?: string): Promise<Migration> {
  const body = confirmPrune === undefined ? {} : { confirmPrune }
  return orThrow(client.POST('/v2/migrations/{id}/resume', { params: { path: { id } }, body }))
}

/** @param label null for none */
export function renameMigration(id: string, label: string | null) {
  return orThrow(client.PATCH('/v2/migrations/{id}', { params: { path: { id } }, body: { label } }))
}

/** Which issues: one by its id, or all that match, with one cause. */
export interface IssueChoice {
  ids?: string[]
  code?: Issue['code']
  severity?: Issue['severity'] | undefined
  component?: string | undefined
  text?: string | undefined
}

/** Counts issues as settled, and changes neither store. Takes one request however many issues there are. */
export function acceptIssues(id: string, choice: IssueChoice, reason: string) {
  const body = { ...choice, ...(reason !== '' && { reason }) }
  return orThrow(client.POST('/v2/migrations/{id}/issues/dismiss', { params: { path: { id } }, body }))
}

/** Reopens accepted issues. */
export function reopenIssues(id: string, choice: IssueChoice) {
  return orThrow(client.POST('/v2/migrations/{id}/issues/reopen', { params: { path: { id } }, body: choice }))
}

/** Counts differences of a comparison as settled, and changes neither store. */
export function acceptDifferences(id: string, ids: string[]) {
  return orThrow(client.POST('/v2/migrations/{id}/differences/dismiss', { params: { path: { id } }, body: { ids } }))
}

/** Reopens an accepted difference. */
export function reopenDifference(id: string, difference: string) {
  const params = { path: { id } }
  return orThrow(client.POST('/v2/migrations/{id}/differences/reopen', { params, body: { ids: [difference] } }))
}

/** Tries these issues again, and nothing else. */
export function retryIssues(id: string, choice: IssueChoice): Promise<Migration> {
  return orThrow(client.POST('/v2/migrations/{id}/issues/retry', { params: { path: { id } }, body: choice }))
}

export function signOff(id: string, comparison: string, note: string) {
  const body = { comparison, ...(note !== '' && { note }) }
  return orThrow(client.POST('/v2/migrations/{id}/sign-off', { params: { path: { id } }, body }))
}
