import { asRecord, errorsOf, titleOf } from './errors.ts'

/**
 * The outcome of a batch, in whichever shape the platform reported it. `index` is the position in the request.
 *
 * Never a guess: an item is `saved` only when the answer shows it. When the answer does not tell, `saved` is `'unknown'`, and the
 * caller must read the batch by natural key before writing anything again.
 */
export interface BatchOutcome {
  saved: { index: number; item: unknown }[] | 'unknown'
  /** `index` is null when the platform does not name the item; such an entry may stand for several. */
  failed: { index: number | null; title: string; errors: Record<string, string> }[]
}

type Failure = BatchOutcome['failed'][number]

/**
 * Shape A: `POST /catalog/trees/categories`, 201, 207 and 422. Created items come back in order, failures by `<index>.<field>`. Items
 * are matched only when their number and names agree with those that did not fail.
 */
export function decodeCategoryCreation(body: unknown, sent: readonly unknown[]): BatchOutcome {
  const failed = indexedFailures(asRecord(body).errors === undefined ? null : errorEnvelope(body), sent.length)
  const data = asRecord(body).data
  if (data === undefined && isWholeRefusal(body)) return { saved: [], failed }
  const indexes = indexesWithout(failed, sent.length)
  if (!Array.isArray(data) || indexes === null || indexes.length !== data.length) return { saved: 'unknown', failed }
  const saved = indexes.map((index, position) => ({ index, item: data[position] }))
  const named = saved.every(({ index, item }) => asRecord(item).name === asRecord(sent[index]).name)
  return { saved: named ? saved : 'unknown', failed }
}

/**
 * Shape B: `PUT /catalog/trees/categories`, 200 and 207. The answer has no items, so the saved ones come from the request, provided
 * that the platform's count of successes agrees.
 */
export function decodeCategoryUpdate(body: unknown, sent: readonly unknown[]): BatchOutcome {
  const failed = indexedFailures(asRecord(body).errors === undefined ? null : errorEnvelope(body), sent.length)
  const indexes = indexesWithout(failed, sent.length)
  const { success } = asRecord(asRecord(body).meta)
  if (indexes === null || indexes.length !== success) return { saved: 'unknown', failed }
  return { saved: indexes.map((index) => ({ index, item: sent[index] })), failed }
}

/**
 * Shape C: every metafield batch, 200 and 422 (partial success). Saved items are found by a metafield's unique key, or by id in updates
 * and deletes. Errors have no position; a lone failure is the one item that was not saved.
 */
export function decodeMetafieldBatch(body: unknown, sent: readonly unknown[]): BatchOutcome {
  const { data, errors } = asRecord(body)
  const entries = (Array.isArray(errors) ? errors : []).map(failureOf)
  if (!Array.isArray(data)) return { saved: 'unknown', failed: entries.length > 0 ? entries : [failureOf(body)] }
  const saved = data.map((item) => ({ index: sent.findIndex((one) => sameMetafield(one, item)), item }))
  const indexes = new Set(saved.map(({ index }) => index))
  if (indexes.has(-1) || indexes.size !== saved.length) return { saved: 'unknown', failed: entries }
  const missing = [...sent.keys()].filter((index) => !indexes.has(index))
  const lone = missing.length === 1 && entries.length === 1
  return { saved, failed: lone ? entries.map((entry) => ({ ...entry, index: missing[0] ?? null })) : entries }
}

/**
 * Shape H: assignments, template associations, locations and adjustments, 422, errors by reference id. Whether the others were saved
 * is not documented. `referenceOf` returns the id that the endpoint uses for an item.
 */
export function decodeReferencedBatch<T>(
  body: unknown,
  sent: readonly T[],
  referenceOf: (item: T, index: number) => string | number,
): BatchOutcome {
  const title = titleOf(body)
  const failed = Object.entries(asRecord(asRecord(body).errors)).map(([reference, said]) => {
    const indexes = [...sent.keys()].filter((index) => String(referenceOf(sent[index] as T, index)) === reference)
    return {
      index: indexes.length === 1 ? (indexes[0] ?? null) : null,
      title,
      errors: errorsOf({ errors: { [reference]: said } }),
    }
  })
  return { saved: 'unknown', failed: failed.length > 0 ? failed : [failureOf(body)] }
}

/** Shape J: `POST /content/pages` with an array, 422. The valid pages were created, and the answer does not say which. */
export function decodePageCreation(body: unknown): BatchOutcome {
  return { saved: 'unknown', failed: [failureOf(body)] }
}

/** Shape M: 413, more items than the endpoint accepts. Nothing was saved; `limitNamed` is the limit if the title has it. */
export function decodeOversizedBatch(body: unknown): BatchOutcome & { limitNamed: number | null } {
  const limit = /(?:is|maximum\D*)\s(\d+)/i.exec(titleOf(body))?.[1]
  return { saved: [], failed: [failureOf(body)], limitNamed: limit === undefined ? null : Number(limit) }
}

/** The error object is at the top (422, nothing saved) or under `errors` (207, beside the saved items). */
function errorEnvelope(body: unknown): unknown {
  return isWholeRefusal(body) ? body : asRecord(body).errors
}

function isWholeRefusal(body: unknown): boolean {
  const { status, title } = asRecord(body)
  return status !== undefined || title !== undefined
}

/** Groups `{"2.name": "...", "2.url": "..."}` into one failure of item 2; entries without an item have index null. */
function indexedFailures(envelope: unknown, sentCount: number): Failure[] {
  if (envelope === null) return []
  const said = Object.entries(errorsOf(asRecord(envelope).errors === undefined ? { errors: envelope } : envelope))
  const byIndex = new Map<number | null, Record<string, string>>()
  for (const [key, message] of said) {
    const [, position, field] = /^(\d+)(?:\.(.*))?$/.exec(key) ?? []
    const index = position !== undefined && Number(position) < sentCount ? Number(position) : null
    byIndex.set(index, { ...byIndex.get(index), [index === null ? key : (field ?? '')]: message })
  }
  const title = titleOf(envelope)
  if (byIndex.size === 0 && title !== '') return [{ index: null, title, errors: {} }]
  return [...byIndex].map(([index, errors]) => ({ index, title, errors }))
}

/** @returns the positions that did not fail; null if a failure without a position hides them. */
function indexesWithout(failed: Failure[], sentCount: number): number[] | null {
  const indexes = new Set(failed.map(({ index }) => index))
  if (indexes.has(null)) return null
  return [...Array(sentCount).keys()].filter((index) => !indexes.has(index))
}

function failureOf(body: unknown): Failure {
  return { index: null, title: titleOf(body), errors: errorsOf(body) }
}

/** Deletes send and return plain ids; updates send the id; creations are identified by resource, namespace and key. */
function sameMetafield(sent: unknown, saved: unknown): boolean {
  if (typeof sent !== 'object') return sent === saved
  const [one, other] = [asRecord(sent), asRecord(saved)]
  if (one.id !== undefined) return one.id === (typeof saved === 'object' ? other.id : saved)
  return ['resource_id', 'namespace', 'key'].every((field) => one[field] === other[field])
}
