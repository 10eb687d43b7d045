import type { AnsweredCall } from '../bigcommerce/answer-shape.ts'
import { StoreClient } from '../bigcommerce/client.ts'
import {
  asRecord,
  PlatformError,
  StoreUnreachableError,
  UnconfirmedWriteError,
  UnreadableAnswerError,
} from '../bigcommerce/errors.ts'
import { Governor } from '../bigcommerce/governor.ts'
import type { Clock } from '../clock.ts'
import type { ReadyCall } from './call.ts'
import { confine, isOurs, kindOf, namedBy, OwnItems, rowsOf } from './guard.ts'

export interface ProbedStore {
  /** The platform's base URL without `/stores/...`. */
  apiUrl: string
  hash: string
  token: string
  requestTimeoutMs: number
}

/** Fields of an answer that contain items of another kind, which belong to the items in the answer. */
const inside: Readonly<Record<string, string>> = { variants: 'variants', addresses: 'addresses' }

/**
 * The throw-away store. Every write passes the guard, and whatever it creates counts as the probe's own from then on.
 */
export class ProbeStore {
  readonly client: StoreClient
  readonly own = new OwnItems()
  #onAnswer: (call: AnsweredCall) => void = () => undefined

  constructor({ apiUrl, hash, token, requestTimeoutMs }: ProbedStore, clock: Clock, onCall: () => void) {
    const connection = { apiUrl, hash, token, requestTimeoutMs, readOnly: false }
    this.client = new StoreClient(connection, new Governor({ clock }), {
      clock,
      onCall,
      onAnswer: (call) => this.#onAnswer(call),
    })
  }

  /**
   * Sends a call once, whatever the store answers.
   *
   * @returns the first answer that is not a 429; null without one.
   * @throws OutsideWriteError, and the signal's reason.
   */
  async answerTo(call: ReadyCall, signal?: AbortSignal): Promise<AnsweredCall | null> {
    confine(call, this.own)
    let answer: AnsweredCall | null = null
    const enough = new AbortController()
    this.#onAnswer = (given) => {
      if (answer !== null || given.httpStatus === 429) return
      answer = given
      // A refused read is not repeated: the refusal is the answer.
      if (given.httpStatus >= 300) enough.abort(new Error('The answer is known.'))
    }
    try {
      await this.#send(call, signal ? AbortSignal.any([signal, enough.signal]) : enough.signal)
    } catch (error) {
      if (answer === null) signal?.throwIfAborted()
      if (!isOutcome(error) && !enough.signal.aborted) throw error
    }
    this.#takeOver(call, answer)
    return answer
  }

  async #send({ method, path, query, body, form }: ReadyCall, signal: AbortSignal): Promise<void> {
    if (method === 'GET') await this.client.get(path, query, { signal })
    else
      await this.client.write({ method, path, query, body, ...(form && { form }), heavy: form !== undefined, signal })
  }

  /** What an allowed write created is ours, and so are its children. */
  #takeOver({ method, path }: ReadyCall, answer: AnsweredCall | null): void {
    const named = namedBy(path)
    if (answer === null || answer.httpStatus >= 300 || named === undefined) return
    const rows = rowsOf(dataOf(answer.body))
    const makes = (method === 'POST' || method === 'PUT') && named.id === undefined
    for (const row of rows) {
      const id = row[kindOf(named.kind)?.id ?? 'id']
      if (id === undefined) continue
      const found = method === 'GET' && named.id === undefined && isOurs(row, { path, kind: named.kind }, this.own)
      if (makes || found) this.own.add(named.kind, id)
      if (this.own.has({ kind: named.kind, id })) this.#takeOverInside(row)
    }
  }

  #takeOverInside(row: Record<string, unknown>): void {
    for (const [field, kind] of Object.entries(inside))
      for (const { id } of rowsOf(row[field])) if (id !== undefined) this.own.add(kind, id)
    if (row.base_variant_id !== undefined && row.base_variant_id !== null) this.own.add('variants', row.base_variant_id)
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

/** v2 answers with the bare data, v3 puts it into `data`. */
export function dataOf(body: unknown): unknown {
  const { data } = asRecord(body)
  return Array.isArray(body) || data === undefined ? body : data
}

/** Errors that only report how the call ended; the answer itself has been recorded. */
function isOutcome(error: unknown): boolean {
  const outcomes = [PlatformError, UnconfirmedWriteError, StoreUnreachableError, UnreadableAnswerError]
  return outcomes.some((kind) => error instanceof kind)
}
