import { asRecord, errorsOf, titleOf } from './errors.ts'

/**
 * What became of a batch, whatever shape the platform said it in. `index` is the position in what was sent.
 *
 * Nothing here guesses: an item is `saved` only when the answer shows it, and `saved` is `'unknown'` when the answer
 * cannot tell, so that the caller reads the batch again by natural key before it writes anything twice.
 */
export interface BatchOutcome {
  saved: { index: number; item: unknown }[] | 'unknown'
  /** `index` is null when the platform did not say which item it means; such an entry may stand for several. */
  failed: { index: number | null; title: string; errors: Record<string, string> }[]
}

type Failure = BatchOutcome['failed'][number]

/**
 * Shape A: `POST /catalog/trees/categories`, 201, 207 and 422. Created items come back in order, failures by
 * `<index>.<field>`. The items are placed only when their number fits what did not fail and their names agree.
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
 * Shape B: `PUT /catalog/trees/categories`, 200 and 207. The answer never carries the items, so what was saved is shown
 * by what was sent, and only when the platform's own count of successes agrees.
 */
export function decodeCategoryUpdate(body: unknown, sent: readonly unknown[]): BatchOutcome {
  const failed = indexedFailures(asRecord(body).errors === undefined ? null : errorEnvelope(body), sent.length)
  const indexes = indexesWithout(failed, sent.length)
  const { success } = asRecord(asRecord(body).meta)
  if (indexes === null || indexes.length !== success) return { saved: 'unknown', failed }
  return { saved: indexes.map((index) => ({ index, item: sent[index] })), failed }
}

/**
 * Shape C: every metafield batch, 200 and 422 (partial success). Saved ones are found by what makes a metafield unique
 * (or by id, in updates and deletes). Errors carry no position; a lone failure is the one item that was not saved.
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
 * Shape H: assignments, template associations, locations and adjustments, 422, errors by reference id. Whether the
 * others were saved is not documented. `referenceOf` says by which id the endpoint names an item.
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

/** Shape M: 413, more items than the endpoint takes. Nothing was saved; `limitNamed` is the limit when the title has it. */
export function decodeOversizedBatch(body: unknown): BatchOutcome & { limitNamed: number | null } {
  const limit = /(?:is|maximum\D*)\s(\d+)/i.exec(titleOf(body))?.[1]
  return { saved: [], failed: [failureOf(body)], limitNamed: limit === undefined ? null : Number(limit) }
}

/** The error object sits at the top (422, nothing saved) or under `errors` (207, beside what was saved). */
function errorEnvelope(body: unknown): unknown {
  return isWholeRefusal(body) ? body : asRecord(body).errors
}

function isWholeRefusal(body: unknown): boolean {
  const { status, title } = asRecord(body)
  return status !== undefined || title !== undefined
}

/** Groups `{"2.name": "...", "2.url": "..."}` into one failure of item 2; what names no item of the batch has index null. */
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

/** @returns the positions of a batch that did not fail; null when a failure without a position makes that unknowable. */
function indexesWithout(failed: Failure[], sentCount: number): number[] | null {
  const indexes = new Set(failed.map(({ index }) => index))
  if (indexes.has(null)) return null
  return [...Array(sentCount).keys()].filter((index) => !indexes.has(index))
}

function failureOf(body: unknown): Failure {
  return { index: null, title: titleOf(body), errors: errorsOf(body) }
}

/** Deletes send and answer plain ids; updates send the id; creations are told by resource, namespace and key. */
function sameMetafield(sent: unknown, saved: unknown): boolean {
  if (typeof sent !== 'object') return sent === saved
  const [one, other] = [asRecord(sent), asRecord(saved)]
  if (one.id !== undefined) return one.id === (typeof saved === 'object' ? other.id : saved)
  return ['resource_id', 'namespace', 'key'].every((field) => one[field] === other[field])
}
