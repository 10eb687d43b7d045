import { testEvent } from '../contract/notifications.ts'
import { limits } from '../contract/primitives/limits.ts'
import type { InTransaction } from '../db/core/database.ts'
import {
  beginFailures,
  claimDue,
  type DueDelivery,
  disableWebhook,
  endFailures,
  releaseDelivery,
  saveTry,
} from '../db/notifications/deliveries.ts'
import { distributeEvents, forgetEvents, recordEvent } from '../db/notifications/events.ts'
import { withSenderLockIfFree } from '../db/notifications/sender-lock.ts'
import { lockWebhook } from '../db/notifications/webhooks.ts'
import type { NotificationObserver } from '../model/sent-notifications.ts'
import { type DeliveryDeps, deliver, type Outcome } from './deliver.ts'
import { nextTryAt } from './pauses.ts'

/** Messages under way, at most one for each webhook or member. Larger: more sockets; smaller: slow receivers delay others. */
const mostUnderWay = 50
/** After this long, other servers may send. */
const turnMs = 60_000

export interface SenderDeps extends DeliveryDeps {
  /** From 0 to 1. */
  random(): number
  observer: NotificationObserver | undefined
}

/**
 * Sends what is due, unless another process is sending. A message may arrive twice, if this process dies before it has recorded the
 * answer; none is lost.
 *
 * @returns how many were tried
 */
export async function sendDue(deps: SenderDeps, signal: AbortSignal): Promise<number> {
  let tried = 0
  await withSenderLockIfFree(deps.database, async () => {
    tried = await takeTurn(deps, signal)
  })
  return tried
}

async function takeTurn(deps: SenderDeps, signal: AbortSignal): Promise<number> {
  const { database, clock } = deps
  const mails = deps.mailer !== undefined
  const endMs = clock.monotonicMs() + turnMs
  const underWay = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  const start = (due: DueDelivery) => {
    const target = due.webhookId ?? due.userId ?? due.id
    const work = tryOnce(due, deps, signal)
      .catch((error: unknown) => failures.push(error))
      .then(() => void underWay.delete(target))
    underWay.set(target, work)
  }
  for (let tried = 0; ; ) {
    if (!signal.aborted && failures.length === 0 && clock.monotonicMs() < endMs) {
      const now = clock.now()
      await distributeEvents(database, { now, mails })
      const limit = mostUnderWay - underWay.size
      const due = await claimDue(database, { now, busy: [...underWay.keys()], limit, mails })
      due.forEach(start)
      tried += due.length
    }
    if (underWay.size === 0) {
      if (failures.length > 0) throw failures[0]
      return tried
    }
    await untilOneEnds([...underWay.values()], clock)
  }
}

/** Or for a moment: what happens meanwhile must not wait for a receiver that is slow to answer. */
async function untilOneEnds(underWay: Promise<void>[], clock: SenderDeps['clock']): Promise<void> {
  const ended = new AbortController()
  await Promise.race([...underWay, clock.sleep(idleMs, ended.signal).catch(() => undefined)])
  ended.abort()
}

async function tryOnce(due: DueDelivery, deps: SenderDeps, signal: AbortSignal): Promise<void> {
  const { database, clock, observer } = deps
  const at = clock.now()
  const startMs = clock.monotonicMs()
  let outcome: Outcome
  try {
    outcome = await deliver(due, deps, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return releaseDelivery(database, due, at)
  }
  const { httpStatus, problem } = outcome
  const durationMs = Math.round(clock.monotonicMs() - startMs)
  const repeatedAt = againAt(due, outcome, deps)
  await database.transaction().execute(async (tx) => {
    // Before its delivery, as where it is changed or switched off: otherwise the two could wait for each other.
    if (due.webhookId !== null) await lockWebhook(tx, due.organisationId, due.webhookId)
    await saveTry(tx, due, { at, durationMs, httpStatus, problem }, repeatedAt)
    await judgeWebhook(tx, due, outcome, clock.now())
  })
  const end = problem === null ? 'delivered' : repeatedAt === null ? 'failed' : 'to_repeat'
  observer?.tried(due.webhookId === null ? 'mail' : 'webhook', end)
}

function againAt(due: DueDelivery, { isFinal }: Outcome, { clock, random }: SenderDeps): Date | null {
  // The person who requested a test looks at its result.
  if (isFinal || due.kind === testEvent) return null
  const seconds = due.webhookId === null ? limits.notificationMailSeconds : limits.webhookFailingSeconds
  return nextTryAt({ ...due, now: clock.now() }, seconds, random())
}

/** Switches a webhook off that says it is gone, or that has failed for days (S26). */
async function judgeWebhook(
  tx: InTransaction,
  { organisationId, webhookId, kind, url }: DueDelivery,
  { httpStatus, problem }: Outcome,
  now: Date,
): Promise<void> {
  if (webhookId === null || url === null) return
  const webhook = { organisationId, webhookId }
  if (problem === null) return endFailures(tx, webhook, now)
  if (kind === testEvent) return
  const since = await beginFailures(tx, { ...webhook, url }, now)
  if (since === undefined) return
  const failedMs = now.getTime() - since.getTime()
  const gone = httpStatus === 410
  if (!gone && failedMs < limits.webhookFailingSeconds * 1000) return
  if (!(await disableWebhook(tx, webhook, gone ? 'gone' : 'failures', now))) return
  const { host } = new URL(url)
  const summaryLine = `The webhook to ${host} was switched off: ${gone ? 'it answered that it is gone' : 'it failed for three days'}.`
  const data = { webhookId, host, summaryLine }
  await recordEvent(tx, { organisationId, kind: 'webhook.disabled', runId: null, data })
}

/** How often to look for new events while there are none. */
const idleMs = 1_000
/** The pause after a failure of the database. */
const awayMs = 5_000
const dayMs = 24 * 3_600_000

/** Keeps sending notifications until it is stopped. */
export function startSender(
  deps: Omit<SenderDeps, 'random'> & { log: { warn(fields: object, message: string): void } },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { database, clock, log } = deps
  async function work() {
    let isAway = false
    let cleanedMs = Number.NEGATIVE_INFINITY
    while (!stopping.signal.aborted) {
      try {
        const tried = await sendDue({ ...deps, random: Math.random }, stopping.signal)
        if (clock.monotonicMs() - cleanedMs > dayMs) {
          await forgetEvents(database, new Date(clock.now().getTime() - limits.deliveryDays * dayMs))
          cleanedMs = clock.monotonicMs()
        }
        isAway = false
        if (tried === 0) await clock.sleep(idleMs, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return
        if (!isAway) log.warn({ err: error }, 'Notifications cannot be sent; they are kept and sent later.')
        isAway = true
        await clock.sleep(awayMs, stopping.signal).catch(() => undefined)
      }
    }
  }
  const working = work()
  return {
    async stop() {
      stopping.abort(new Error('The sender of notifications stops.'))
      await working
    },
  }
}
