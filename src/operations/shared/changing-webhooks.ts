import type { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import type { AuditAction } from '../../contract/accounts/audit-actions.ts'
import type { OperationName } from '../../contract/accounts/permissions.ts'
import type { webhook } from '../../contract/notifications.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { hasWebhookTo, lockWebhook, lockWebhooks, type WebhookRow } from '../../db/notifications/webhooks.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { privateHostIn } from '../../outbound.ts'
import { confirmCaller } from './confirm-caller.ts'
import type { Deps } from './operation.ts'

interface Change {
  operation: OperationName
  caller: Caller
  deps: Pick<Deps, 'database' | 'clock'>
}

/** Only one change to an organisation's webhooks at a time; the audit entry is part of the transaction. */
export function changeWebhooks<Changed>(
  { operation, caller, deps }: Change,
  action: AuditAction,
  change: (tx: InTransaction) => Promise<{ changed: Changed; details: Record<string, string | number | boolean> }>,
): Promise<Changed> {
  const { organisationId, userId } = caller
  return deps.database.transaction().execute(async (tx) => {
    await confirmCaller(tx, caller, operation)
    await lockWebhooks(tx, organisationId)
    const { changed, details } = await change(tx)
    const actor = { actorUserId: userId, actor: 'user' as const }
    await recordAudit(tx, { organisationId, ...actor, action, details, at: deps.clock.now() })
    return changed
  })
}

/** @throws ServiceError `not_found`, whether it belongs to another organisation or does not exist (S2) */
export async function requireWebhook(tx: InTransaction, organisationId: string, id: string): Promise<WebhookRow> {
  const row = isUuid(id) ? await lockWebhook(tx, organisationId, id) : undefined
  if (row) return row
  throw noSuchWebhook()
}

/** The sender would refuse each message (S3). @throws ServiceError `validation_failed` */
export function refusePrivate(url: string): void {
  const host = privateHostIn(url)
  if (host !== undefined) throw wrongUrl(`Must be the address of a public host: no message is sent to ${host}.`)
}

/** So that a request which is sent again adds nothing. @throws ServiceError `validation_failed` */
export async function refuseSecondTo(tx: InTransaction, organisationId: string, url: string): Promise<void> {
  if (await hasWebhookTo(tx, organisationId, url))
    throw wrongUrl('One of your webhooks has this address. If you have lost its secret, give it a new one.')
}

function wrongUrl(why: string): ServiceError {
  return new ServiceError('validation_failed', 'Some fields are not valid; see errors.', { errors: { url: [why] } })
}

export function noSuchWebhook(): ServiceError {
  return new ServiceError('not_found', 'Your organisation has no webhook with this id.')
}

export function describeWebhook(row: WebhookRow, now: Date): z.infer<typeof webhook> {
  const { id, url, description, events, enabled, disabledBecause, failingSince, createdAt, previousSecretUntil } = row
  const overlaps = previousSecretUntil !== null && previousSecretUntil > now
  return {
    ...{ id, url, description, events, enabled, disabledBecause },
    failingSince: failingSince?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    previousSecretUntil: overlaps ? previousSecretUntil.toISOString() : null,
  }
}

/** For audit entries: the rest of an address may be a secret of the receiver. */
export function hostOf(url: string): string {
  return new URL(url).host
}
