import { PlatformError } from '../../bigcommerce/errors.ts'
import { isV2, itemsIn, v2KeysetPages } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import { inParts } from '../../model/in-parts.ts'
import { isMadeRedirect } from '../../model/made-redirects.ts'
import type { RunContext } from '../context/context.ts'
import { asListed, comparedReading, type ListedBody, listedItem } from './destination-lister.ts'
import { plainPages } from './pages.ts'
import { itemsOfPass } from './whole-items.ts'

type Side = 'source' | 'destination'

/** A list that can be filtered by ids or, if `idsParameter` is `range`, only by the smallest and the largest. */
export interface IdList extends Pick<Reading, 'path' | 'query' | 'limit'> {
  idsParameter: string
  /** How many ids one call names; by default as many as fill a page. */
  atOnce?: number
}

/** The only way items are read by id. Rows come as the list shows them; ids that do not exist are left out. */
export async function rowsByIds(
  context: Pick<RunContext, Side> & { lease: { stop: AbortSignal } },
  side: Side,
  { path, query, limit, idsParameter, atOnce = limit }: IdList,
  ids: string[],
): Promise<PlatformItem[]> {
  const signal = context.lease.stop
  const found: PlatformItem[] = []
  if (idsParameter === 'range') {
    const requested = new Set(ids)
    for (const { first, last } of rangesOf(ids, limit)) {
      const options = { after: first - 1, lastId: last, limit, signal }
      for await (const { items } of v2KeysetPages<PlatformItem>(
        context[side],
        path,
        { ...query, max_id: last },
        options,
      ))
        found.push(...items.filter(({ id }) => requested.has(String(id))))
    }
    return found
  }
  for (const some of inParts(ids, atOnce)) {
    const answer = await context[side].get(path, { ...query, [idsParameter]: some.join(','), limit }, { signal })
    found.push(...itemsIn<PlatformItem>(answer, path))
  }
  return found
}

/**
 * The copies of a page of orders have neighbouring ids. A gap of more than a page starts a new range, which takes fewer
 * calls than reading across the gap.
 */
function rangesOf(ids: string[], page: number): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = []
  for (const id of ids.map(Number).sort((a, b) => a - b)) {
    const open = ranges.at(-1)
    if (open && id - open.last <= page) open.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges
}

/** How a pass reads items by id, with everything it needs of them. @throws when it cannot */
export function idListOf({ key, byIds }: Pass): IdList {
  if (!byIds) throw new Error(`${key} cannot be read by id.`)
  return byIds
}

/** Reads items of a pass that has `byIds`. */
export async function itemsByIds(context: RunContext, side: Side, pass: Pass, ids: string[]): Promise<PlatformItem[]> {
  return itemsOfPass(context, side, pass, await rowsByIds(context, side, idListOf(pass), ids))
}

/** How many ids one address names: some servers refuse longer ones. */
const idsAtOnce = 50

/**
 * Reads items of any pass as they are now, whatever was read before. A list that cannot be filtered by ids is read in
 * full.
 */
export async function readNow(
  context: RunContext,
  side: Side,
  pass: Pass,
  ids: string[],
  { compares = true } = {},
): Promise<PlatformItem[]> {
  if (ids.length === 0) return []
  return itemsOfPass(context, side, pass, await rowsNow(context, side, pass, ids, { compares }))
}

/** Rows of any pass as its list shows them now. */
export async function rowsNow(
  context: RunContext,
  side: Side,
  pass: Pass,
  ids: string[],
  { compares = true } = {},
): Promise<PlatformItem[]> {
  const reading = singleReading(side, pass, compares)
  const asked = await askFor(context, side, pass, reading, ids)
  return asked ?? rowsAmong(context, side, reading, new Set(ids))
}

export function singleReading(side: Side, pass: Pass, compares: boolean): Reading {
  return side === 'source' ? { ...pass.source, ...pass.byIds } : comparedReading(pass, compares)
}

/** Reads rows by id, as they are now; undefined where the platform offers no such query. */
export async function askFor(
  context: Pick<RunContext, Side> & { lease: { stop: AbortSignal } },
  side: Side,
  pass: Pass,
  reading: Reading,
  ids: string[],
): Promise<PlatformItem[] | undefined> {
  const parameter = idsParameter(pass)
  if (parameter !== undefined) {
    const list = { ...reading, idsParameter: parameter, atOnce: Math.min(idsAtOnce, reading.limit) }
    return rowsByIds(context, side, list, ids)
  }
  if (!pass.lookUpById || !('address' in pass.lookUpById)) return undefined
  const { address } = pass.lookUpById
  const found = await Promise.all(ids.map((id) => rowAt(context, side, address(id))))
  return found.filter((row) => row !== null)
}

/** Null for an item that does not exist. */
async function rowAt(
  context: Pick<RunContext, Side> & { lease: { stop: AbortSignal } },
  side: Side,
  path: string,
): Promise<PlatformItem | null> {
  try {
    const { body } = await context[side].get<PlatformItem>(path, {}, { signal: context.lease.stop })
    // v3 wraps an item as it wraps a list.
    return isV2(path) ? body : (body.data as PlatformItem)
  } catch (error) {
    if (error instanceof PlatformError && error.httpStatus === 404) return null
    throw error
  }
}

/**
 * Which of the items exist in the source, whatever a list showed of them and whatever storefront they are on. A redirect
 * that a run made is the copy of nothing: its name is no id, and the source refuses the question.
 */
export async function existingInSource(context: RunContext, pass: Pass, ids: string[]): Promise<Set<string>> {
  const copied = ids.filter((id) => !isMadeRedirect(id))
  if (copied.length === 0) return new Set()
  const rows = await rowsNow(context, 'source', pass, copied)
  return new Set(rows.map((item) => String(item[pass.source.idField])))
}

/** Reads a whole list for some of its items, where it cannot be filtered by ids. */
export async function rowsAmong(
  context: RunContext,
  side: Side,
  reading: Reading,
  ids: Set<string>,
): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  for await (const { items } of plainPages(context, side, reading))
    found.push(...items.filter((item) => ids.has(String(item[reading.idField]))))
  return found
}

/** How many items one query by id can cover; null where there is no such query. */
export function idsPerLookUp(pass: Pass): number | null {
  if (idsParameter(pass) !== undefined) return Math.min(idsAtOnce, pass.destination.limit)
  return pass.lookUpById ? 1 : null
}

/** The parameter that filters the list of a pass by ids; undefined if there is none. */
export function idsParameter({ byIds, picks, source, lookUpById }: Pass): string | undefined {
  if (byIds) return byIds.idsParameter
  if (lookUpById && 'idsParameter' in lookUpById) return lookUpById.idsParameter
  return picks?.idsParameter === `${source.idField}:in` ? picks.idsParameter : undefined
}

/** Which of the items exist at the destination, as its list would show them. */
export async function existingByIds(
  context: RunContext,
  pass: Pass,
  destinationIds: string[],
  { compares }: { compares: boolean },
): Promise<Map<string, ListedBody>> {
  const items = await listedNow(context, pass, destinationIds, { compares })
  return bodiesById(context, pass, items, { compares })
}

/** Items of the destination as they are now, in the form in which its list is saved. */
export async function listedNow(
  context: RunContext,
  pass: Pass,
  ids: string[],
  { compares }: { compares: boolean },
): Promise<PlatformItem[]> {
  if (ids.length === 0) return []
  return asListed(context, pass, await rowsNow(context, 'destination', pass, ids, { compares }), { compares })
}

/** What is saved of destination items, by id. */
export function bodiesById(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  { compares }: { compares: boolean },
): Map<string, ListedBody> {
  return new Map(
    items.map((item) => {
      const { destinationId, body } = listedItem(context, pass, item, compares)
      // The body comes from `listedItem`.
      return [destinationId, body as ListedBody]
    }),
  )
}
