import type { Keyring } from '../accounts/encryption.ts'
import type { Mailer } from '../accounts/mailer.ts'
import type { Clock } from '../clock.ts'
import type { DeliveryProblem } from '../contract/notifications.ts'
import { limits } from '../contract/primitives/limits.ts'
import type { Database } from '../db/core/database.ts'
import type { DueDelivery } from '../db/notifications/deliveries.ts'
import { listSecrets, webhookSecretContext } from '../db/notifications/webhooks.ts'
import { type Outbound, OutboundLate, OutboundRefused } from '../outbound.ts'
import { bodyOf, mailOf, messageId } from './message.ts'
import { signedHeaders } from './signature.ts'

export interface DeliveryDeps {
  database: Database
  clock: Clock
  keyring: Keyring
  outbound: Outbound
  /** Undefined: no mail is sent. */
  mailer: Pick<Mailer, 'sendOnce'> | undefined
  siteUrl: string
}

export interface Outcome {
  httpStatus: number | null
  problem: DeliveryProblem | null
  /** Trying again would not help. */
  isFinal?: true
}

/** Tries once. @throws only if the signal aborts or the database is away */
export async function deliver(due: DueDelivery, deps: DeliveryDeps, signal: AbortSignal): Promise<Outcome> {
  return due.webhookId === null ? mail(due, deps) : post(due, due.webhookId, deps, signal)
}

async function mail(due: DueDelivery, { mailer, siteUrl }: DeliveryDeps): Promise<Outcome> {
  const { userId, email } = due
  if (email === null || userId === null) return { httpStatus: null, problem: 'not_a_member', isFinal: true }
  const outcome = await mailer?.sendOnce({ userId, to: email, ...mailOf(due, siteUrl) })
  if (outcome === 'sent') return { httpStatus: null, problem: null }
  if (outcome === 'refused') return { httpStatus: null, problem: 'mail_refused', isFinal: true }
  return { httpStatus: null, problem: 'mail_server_unreachable' }
}

/** Answers are not read, but a receiver that sends a short one is not cut off. */
const answerBytes = 16 * 1024

async function post(due: DueDelivery, webhookId: string, deps: DeliveryDeps, signal: AbortSignal): Promise<Outcome> {
  const { organisationId, url } = due
  const { database, clock, keyring, outbound, siteUrl } = deps
  if (url === null) return { httpStatus: null, problem: 'webhook_disabled', isFinal: true }
  const now = clock.now()
  const rows = await listSecrets(database, { organisationId, webhookId, now })
  const secrets = rows.map((row) => keyring.decrypt(row.secretEncrypted, webhookSecretContext(row)).toString())
  const body = bodyOf(due, siteUrl)
  const signed = signedHeaders({ id: messageId(due), at: now, body }, secrets)
  const headers = { 'content-type': 'application/json', ...signed }
  const limit = { maxBytes: answerBytes, cutsLongAnswer: true, timeoutMs: limits.webhookSeconds * 1000 } as const
  try {
    const { httpStatus } = await outbound({ url, method: 'POST', headers, body, ...limit, signal })
    return { httpStatus, problem: httpStatus >= 200 && httpStatus < 300 ? null : 'http_status' }
  } catch (error) {
    if (signal.aborted) throw error
    return { httpStatus: null, problem: problemOf(error) }
  }
}

function problemOf(error: unknown): DeliveryProblem {
  if (error instanceof OutboundLate) return 'timeout'
  return error instanceof OutboundRefused ? 'address_refused' : 'unreachable'
}
