import { cursorPages } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import type { RunContext } from '../context/context.ts'
import { isPartialRun } from '../scope/partial-run.ts'
import { belowInScope, nextPicks, readsPicks } from '../scope/picked-scope.ts'
import { filterOfPicks, partOfList } from '../scope/storefront-scope.ts'
import { askFor, idListOf, itemsByIds, rowsByIds, singleReading } from './by-ids.ts'
import { joinedPages } from './joined-pages.ts'
import { noteNamed } from './named-items.ts'
import { keysetOf } from './pages.ts'
import { onePage, readAhead } from './read-ahead.ts'
import { missingIds, rereads, type SourceEvents, type SourcePage } from './source-page.ts'
import { stageAll, stagedItems, stagedPages } from './staged.ts'
import { itemsOfPass } from './whole-items.ts'

/**
 * Reads a resource of the source from a position on, however it is paged, and in a run over whole stores ahead of the
 * caller. Whatever is missing at the end is reported (C3).
 */
export async function* sourcePages(
  context: RunContext,
  pass: Pass,
  position: string,
  events: SourceEvents,
): AsyncGenerator<SourcePage> {
  if (pass.source.kind === 'staged') await stageAll(context, pass, events)
  const pages = await pagesOf(context, pass, position, events)
  // In a partial run, what is on one page decides what is in scope on the next.
  if (isPartialRun(context)) yield* wholePages(context, pass, pages)
  else yield* readAhead(wholePages(context, pass, joinedPages(pages)), onePage)
}

/** Adds to each page what other calls return about its items. */
async function* wholePages(
  context: RunContext,
  pass: Pass,
  pages: AsyncIterable<SourcePage> | Iterable<SourcePage>,
): AsyncGenerator<SourcePage> {
  for await (const page of pages) {
    const own = await belowInScope(context, pass, requestedOf(context, pass, page.items))
    await noteNamed(context, 'source', pass, own)
    const items = await itemsOfPass(context, 'source', pass, own, { listed: true })
    // How many later items are in scope is not known yet.
    yield { ...page, items, total: items.length < page.items.length ? null : page.total }
  }
}

async function pagesOf(
  context: RunContext,
  pass: Pass,
  position: string,
  events: SourceEvents,
): Promise<AsyncIterable<SourcePage> | SourcePage[]> {
  if (pass.source.kind === 'staged') return stagedPages(context, pass, position)
  if (readsPicks(context, pass)) return pickedPages(context, pass, position, events)
  const reading = await partOfList(context, 'source', pass, pass.source)
  return reading ? directPages(context, reading, position, events) : []
}

/** Picked items, in order of their ids. */
async function* pickedPages(
  context: RunContext,
  pass: Pass,
  position: string,
  { onGone }: SourceEvents,
): AsyncGenerator<SourcePage> {
  const filter = await filterOfPicks(context, pass)
  for (let at = position; ; ) {
    const ids = await nextPicks(context, pass, at, pass.source.limit)
    const last = ids.at(-1)
    if (last === undefined) return
    at = last
    const items = filter && pass.byIds ? await pickedRows(context, pass, ids, filter) : []
    await onGone(missingIds(ids, items, pass))
    yield { items, position: at, level: null, total: null, broken: false }
  }
}

function pickedRows(
  context: RunContext,
  pass: Pass,
  ids: string[],
  filter: Record<string, string | number>,
): Promise<PlatformItem[]> {
  const list = idListOf(pass)
  return rowsByIds(context, 'source', { ...list, query: { ...list.query, ...filter } }, ids)
}

/** Items that the run requests. */
function requestedOf({ run }: RunContext, pass: Pass, items: PlatformItem[]): PlatformItem[] {
  return pass.isRequested ? items.filter((item) => pass.isRequested?.(item, run)) : items
}

async function* directPages(
  context: RunContext,
  reading: Reading,
  position: string,
  { onIncomplete }: Pick<SourceEvents, 'onIncomplete'>,
): AsyncGenerator<SourcePage> {
  let at = position
  let given = 0
  let counted = 0
  for (let reads = 0; ; reads++) {
    const before = given
    for await (const page of pagesFrom(context, reading, at)) {
      at = page.position
      given += new Set(page.items.map((item) => item[reading.idField])).size
      // A list resumed at a cursor gives no count; the one from the previous reading still holds.
      if (page.total !== null) counted = before + page.total
      yield { ...page, total: position === '' && reads === 0 ? page.total : null }
    }
    if (given >= counted) return
    if (reads < rereads) continue
    return onIncomplete(counted - given)
  }
}

async function* pagesFrom(context: RunContext, reading: Reading, at: string): AsyncGenerator<SourcePage> {
  const { kind, path, query, limit, idField, idFilter: filter } = reading
  const signal = context.lease.stop
  const whole = { level: null, broken: false }
  if (kind === 'keyset') {
    const after = at === '' ? undefined : Number(at)
    for await (const page of keysetOf(reading)<PlatformItem>(context.source, path, query, {
      limit,
      idField,
      filter,
      after,
      signal,
    })) {
      const position = String(page.items.at(-1)?.[idField] ?? at)
      yield { ...whole, items: page.items, position, total: page.total }
    }
    return
  }
  const after = at === '' ? undefined : at
  for await (const page of cursorPages<PlatformItem>(context.source, path, query, { limit, after, signal })) {
    // An empty page may carry a cursor, too, but the items before that cursor were never shown.
    const position = page.items.length > 0 ? (page.cursor ?? at) : at
    yield { ...whole, items: page.items, position, total: page.total }
  }
}

/**
 * Reads given items once more, for instance when an attempt died between planning and writing them. Deleted ones are
 * left out.
 */
export async function readAgain(context: RunContext, pass: Pass, ids: string[]): Promise<PlatformItem[]> {
  if (pass.source.kind === 'staged') return itemsOfPass(context, 'source', pass, await stagedItems(context, pass, ids))
  if (pass.byIds) return itemsByIds(context, 'source', pass, ids)
  const asked = await askFor(context, 'source', pass, singleReading('source', pass, true), ids)
  return itemsOfPass(context, 'source', pass, asked ?? (await listAgain(context, pass, new Set(ids))))
}

async function listAgain(context: RunContext, pass: Pass, ids: Set<string>): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  for await (const page of directPages(context, pass.source, '', { onIncomplete: async () => undefined }))
    found.push(...page.items.filter((item) => ids.has(String(item[pass.source.idField]))))
  return found
}
