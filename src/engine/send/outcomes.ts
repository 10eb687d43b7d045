import { asRecord } from '../../bigcommerce/errors.ts'
import { isV2 } from '../../bigcommerce/pages.ts'
import type { WriteResult } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { readDestinationId } from '../../model/destination-id.ts'
import { refusesBatch } from './refused-batch.ts'
import type { Answered } from './send.ts'
import type { CreateRequest, Outcome, Refusal, SavedDraft } from './writes.ts'

/**
 * Saved, but the answer does not say under which id. `otherwise`: what the platform answered, to report if the item is
 * not found.
 */
export interface ToFind {
  kind: 'to-find'
  partly: string | undefined
  otherwise: Pick<Refusal, 'title' | 'errors'> | undefined
}

/** What the answer to a create call says about each request. */
export function outcomesOf(
  component: Component,
  requests: CreateRequest[],
  answer: Answered,
): [CreateRequest, Outcome | ToFind][] {
  const results = resultsOf(component, requests, answer)
  return requests.map((request, at) => [request, outcomeOf(component, request, results[at], answer)])
}

/** Whether the platform refused several items of which only one may be wrong. */
export function refusesTogether(component: Component, requests: CreateRequest[], answer: Answered): boolean {
  if (requests.length === 1 || !answer.refusal || !refusesBatch.includes(answer.httpStatus)) return false
  const results = resultsOf(component, requests, answer)
  return results.every((one) => 'refused' in one) && results.some(({ withOthers }) => withOthers)
}

function resultsOf({ create }: Component, requests: CreateRequest[], answer: Answered): WriteResult[] {
  const { results, readsRefusals } = create ?? {}
  const { refusal, httpStatus, body } = answer
  // A refused batch may still have saved some of its items; only its own reader knows.
  if (results && (!refusal || (readsRefusals && httpStatus === 422)))
    return results(
      httpStatus,
      body,
      requests.map(({ draft }) => draft),
      requests.map(({ parentId }) => parentId),
    )
  if (refusal) return requests.map(() => ({ refused: refusal, withOthers: true }))
  const saved = savedIn(answer)
  return requests.map(() => (saved ? { saved } : { lookFor: true }))
}

function outcomeOf(
  component: Component,
  request: CreateRequest,
  result: WriteResult | undefined,
  { call: { method, path }, httpStatus }: Answered,
): Outcome | ToFind {
  const at = { method, path, httpStatus }
  const unknown: ToFind = { kind: 'to-find', partly: undefined, otherwise: undefined }
  if (!result) return unknown
  if ('refused' in result) return { kind: 'refused', refusal: { ...at, ...result.refused } }
  if ('lookFor' in result) return { kind: 'to-find', partly: result.partly, otherwise: result.otherwise }
  const saved = 'withoutId' in result ? asSent(component, request) : identified(request.read(result.saved))
  if (!saved) return unknown
  const title = partOf(component, result, httpStatus)
  return { kind: 'saved', saved, partly: title === undefined ? null : { ...at, title, errors: {} } }
}

/** 207: the item was saved, one of its attributes was not. */
function partOf({ create }: Component, result: WriteResult, httpStatus: number): string | undefined {
  if (create?.results) return 'saved' in result ? result.partly : undefined
  return httpStatus === 207 ? 'Saved without one of its attributes' : undefined
}

/** Null without an id, as the item could not be found again (G6). */
export function identified(draft: Draft): SavedDraft | null {
  const id = readDestinationId(draft.id)
  return id && { ...draft, id }
}

/** An item without an id of its own is taken to be as it was sent. */
function asSent({ knownAs }: Component, { draft, parentId }: CreateRequest): SavedDraft | null {
  return knownAs ? identified({ ...draft, id: knownAs(draft, parentId) }) : null
}

/** The item in an answer; v2 answers with the bare item. */
export function savedIn({ call, body }: Pick<Answered, 'call' | 'body'>): PlatformItem | null {
  const data = isV2(call.path) ? body : asRecord(body).data
  return data !== null && typeof data === 'object' && !Array.isArray(data) ? (data as PlatformItem) : null
}

/** The items in an answer to a batch, by their ids. */
export function savedById({ body }: Pick<Answered, 'body'>): Map<string, PlatformItem> {
  const { data } = asRecord(body)
  const items = Array.isArray(data) ? data.map(asRecord) : []
  return new Map(items.map((item) => [String(item.id), item]))
}
