import { createHmac } from 'node:crypto'
import type { Row, SandboxStore } from '../store/store.ts'
import { covers, DELIVERY_EXCEPTION } from './event-scopes.ts'
import { hookTable, unixNow } from './hook-rows.ts'
import { postJson } from './post-json.ts'
import { type EventPayload, payloadOf, type StoreEvent } from './store-event.ts'
import { type BlockedDestination, SuccessRate } from './success-rate.ts'

/** The delivery of one event to one hook. */
export interface Delivery {
  id: number
  hook_id: number
  scope: string
  hash: string
  destination: string
  /**
   * `dropped`: the hook was deleted or switched off, or too many deliveries were waiting. `failed`: no attempt
   * succeeded.
   */
  status: 'waiting' | 'delivered' | 'retrying' | 'failed' | 'dropped'
  attempts: number
  /** The latest error. */
  failure: string | null
  created_at: number
}

interface Waiting {
  delivery: Delivery
  body: string
}

/** Seconds before each retry. Source: the retry mechanism of BigCommerce "Webhooks overview". */
const RETRY_AFTER_SECONDS = [60, 180, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 50_400, 86_400]

/** The platform has been observed to wait between 9 and 12 seconds. */
const TIMEOUT_MS = 10_000

/** More parallel deliveries would overload a small machine; with fewer, one slow receiver could delay the others. */
const AT_ONCE = 16
/** Beyond this, events are dropped: a receiver that is down for hours must not fill the memory. */
const MOST_WAITING = 10_000
const MOST_REMEMBERED = 1_000

/** Minimum time between two reports about one destination. Source: error code 90001 of BigCommerce "Webhook events". */
const COMPLAINT_EVERY_MS = 600_000
const WILL_RETRY = 90_001
const GAVE_UP = 90_002
const BLOCKED = 90_003

/** Delivers the events of one store to its hooks. Calls to the store never wait for a delivery. */
export class Webhooks {
  #store: SandboxStore
  #remembered: Delivery[] = []
  #queue: Waiting[] = []
  #timers = new Set<NodeJS.Timeout>()
  #rates = new Map<string, SuccessRate>()
  #complainedAtMs = new Map<string, number>()
  #closing = new AbortController()
  #running = 0
  #serial = 0

  constructor(store: SandboxStore) {
    this.#store = store
  }

  /** Whether any hook is active. */
  isListenedTo(): boolean {
    return hookTable(this.#store).count({ is_active: true }) > 0
  }

  announce(events: readonly StoreEvent[]): void {
    if (events.length === 0 || this.#closing.signal.aborted) return
    const hooks = hookTable(this.#store).find({ is_active: true })
    for (const event of events) this.#send(event, hooks)
  }

  /** The newest deliveries, in chronological order. */
  deliveries(): Delivery[] {
    return this.#remembered.slice(-MOST_REMEMBERED)
  }

  /** Destinations of a client that are blocked now. */
  blocked(clientId: string): BlockedDestination[] {
    const nowMs = Date.now()
    const rates = [...this.#rates.values()].filter((rate) => rate.clientId === clientId && rate.isBlocked(nowMs))
    return rates.map((rate) => rate.shown(nowMs))
  }

  close(): void {
    this.#closing.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#queue = []
  }

  #send(event: StoreEvent, hooks: readonly Row[]): void {
    const listening = hooks.filter((hook) => covers(String(hook.scope), event.scope))
    if (listening.length === 0) return
    const payload = payloadOf(this.#store, event, ++this.#serial)
    for (const hook of listening) {
      this.#accept(hook, payload)
      if (this.#store.switches.webhook_duplicates === true) this.#accept(hook, payload)
    }
  }

  #accept(hook: Row, { scope, hash, body }: EventPayload): void {
    const delivery: Delivery = {
      id: ++this.#serial,
      hook_id: hook.id,
      scope,
      hash,
      destination: String(hook.destination),
      status: 'waiting',
      attempts: 0,
      failure: null,
      created_at: unixNow(),
    }
    this.#remembered.push(delivery)
    if (this.#remembered.length >= 2 * MOST_REMEMBERED) this.#remembered = this.deliveries()
    if (this.#queue.length + this.#timers.size >= MOST_WAITING) {
      Object.assign(delivery, { status: 'dropped', failure: 'too many deliveries are waiting' })
      return
    }
    this.#later({ delivery, body }, this.#number('webhook_delay_ms', 0))
  }

  /** Even a delivery due now waits for the next turn of the event loop, so that the call is answered first. */
  #later(waiting: Waiting, delayMs: number): void {
    if (delayMs <= 0) {
      this.#queue.push(waiting)
      setImmediate(() => this.#pump())
      return
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#queue.push(waiting)
      this.#pump()
    }, delayMs)
    timer.unref()
    this.#timers.add(timer)
  }

  #pump(): void {
    while (this.#running < AT_ONCE) {
      const next = this.#queue.shift()
      if (!next) return
      this.#running++
      this.#attempt(next).finally(() => {
        this.#running--
        if (!this.#closing.signal.aborted) this.#pump()
      })
    }
  }

  async #attempt(waiting: Waiting): Promise<void> {
    const { delivery } = waiting
    const hook = hookTable(this.#store).get(delivery.hook_id)
    if (!hook?.is_active) {
      delivery.status = 'dropped'
      return
    }
    delivery.attempts++
    const rate = this.#rateOf(hook)
    if (rate.isBlocked(Date.now())) return this.#failed(waiting, hook, 'the destination is blocked')
    const failure = await postJson({
      destination: String(hook.destination),
      headers: this.#headersFor(hook, waiting),
      body: waiting.body,
      timeoutMs: this.#number('webhook_timeout_ms', TIMEOUT_MS),
      signal: this.#closing.signal,
    })
    if (this.#closing.signal.aborted) return
    if (rate.note(failure, Date.now(), this.#scale()))
      this.#complain(hook, BLOCKED, 'too few deliveries succeed; the domain is blocked')
    if (failure === undefined) Object.assign(delivery, { status: 'delivered', failure: null })
    else this.#failed(waiting, hook, failure)
  }

  #failed(waiting: Waiting, hook: Row, failure: string): void {
    const { delivery } = waiting
    delivery.failure = failure
    const seconds = RETRY_AFTER_SECONDS[delivery.attempts - 1]
    if (seconds === undefined) {
      this.#giveUp(delivery, hook)
      return
    }
    delivery.status = 'retrying'
    this.#complain(hook, WILL_RETRY, `${failure}; it will be tried again`)
    this.#later(waiting, seconds * 1000 * this.#scale())
  }

  /** Looks the hook up again, because it may have been changed or deleted during the last attempt. */
  #giveUp(delivery: Delivery, hook: Row): void {
    delivery.status = 'failed'
    this.#complain(hook, GAVE_UP, 'all attempts are exhausted; the webhook is switched off')
    const hooks = hookTable(this.#store)
    if (hooks.get(hook.id)) hooks.update(hook.id, { is_active: false, deactivated: true, updated_at: unixNow() })
  }

  /**
   * Reports a failed delivery to the client's exception hook, if there is one. Failures of that hook are not reported.
   */
  #complain(hook: Row, error_code: number, message: string): void {
    if (hook.scope === DELIVERY_EXCEPTION) return
    const about = String(hook.destination)
    const sinceMs = Date.now() - (this.#complainedAtMs.get(about) ?? Number.NEGATIVE_INFINITY)
    if (error_code === WILL_RETRY && sinceMs < COMPLAINT_EVERY_MS * this.#scale()) return
    if (error_code === WILL_RETRY) this.#complainedAtMs.set(about, Date.now())
    const ofClient = hookTable(this.#store).find({ client_id: String(hook.client_id), is_active: true })
    const listeners = ofClient.filter(({ scope }) => scope === DELIVERY_EXCEPTION)
    const data = { type: 'webhook', id: hook.id, error_code, message: `${about}: ${message}` }
    this.#send({ scope: DELIVERY_EXCEPTION, data }, listeners)
  }

  /** Signed as in Standard Webhooks with the client's secret, which can only be set by a switch. */
  #headersFor(hook: Row, { delivery, body }: Waiting): Record<string, string> {
    const timestamp = String(unixNow())
    const secret = this.#store.switches.webhook_client_secret
    const signed =
      typeof secret === 'string' && createHmac('sha256', secret).update(`${delivery.hash}.${timestamp}.${body}`)
    return {
      // Saved hooks are checked to have only strings here.
      ...(hook.headers as Record<string, string> | null),
      'webhook-id': delivery.hash,
      'webhook-timestamp': timestamp,
      ...(signed ? { 'webhook-signature': `v1,${signed.digest('base64')}` } : {}),
    }
  }

  /** Source: "blocklisting occurs to the specific client, not the entire domain" in BigCommerce "Webhooks overview". */
  #rateOf(hook: Row): SuccessRate {
    const clientId = String(hook.client_id)
    const { origin } = new URL(String(hook.destination))
    const key = `${clientId} ${origin}`
    const rate = this.#rates.get(key) ?? new SuccessRate(clientId, origin)
    this.#rates.set(key, rate)
    return rate
  }

  /** With 1, waits are as long as the platform's. Tests and developers use less. */
  #scale(): number {
    return this.#number('webhook_retry_scale', 1)
  }

  #number(name: string, fallback: number): number {
    const value = this.#store.switches[name]
    return typeof value === 'number' && value >= 0 ? value : fallback
  }
}

const known = new WeakMap<SandboxStore, Webhooks>()

/** Kept in memory only: pending deliveries end with the process. */
export function webhooksOf(store: SandboxStore): Webhooks {
  const webhooks = known.get(store) ?? new Webhooks(store)
  known.set(store, webhooks)
  return webhooks
}
