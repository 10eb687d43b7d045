import type { Query } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import {
  cursorPages,
  isV2,
  itemsIn,
  keysetPages,
  numberedPages,
  type Page,
  v2KeysetPages,
} from '../../bigcommerce/pages.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { setExpected } from '../../db/ledger/counters.ts'
import {
  countStaged,
  levelItems,
  type StagedItem,
  stagedByIds,
  stagedPage,
  stageItems,
} from '../../db/ledger/staged-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { detailsOf, type Pass } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import type { RunContext } from '../context/context.ts'
import { inParts } from '../core/in-parts.ts'
import {
  asStorefrontSees,
  belowInScope,
  filterOfPicks,
  isPartialRun,
  nextPicks,
  partOfList,
  readsPicks,
} from '../scope/run-part.ts'
import { pagesOfParts } from './lists-in-parts.ts'

export interface SourcePage {
  items: PlatformItem[]
  /** Where to go on after this page. */
  position: string
  /** Items of one level of a hierarchy; a new level starts only when the one above it is written. */
  level: number | null
  /** How many there are in all, by the platform's count; null when it gave none. */
  total: number | null
  /** Staged items that hang on nothing: an orphan or a loop. */
  broken: boolean
}

/** Told which picked ids the source does not have. */
export type OnGone = (ids: string[]) => Promise<void>

/** Told how many items the source counts beyond those it gave, after its list was read again from there twice. */
export type OnShort = (missing: number) => Promise<void>

/** Reads a resource of the source from a position on, whatever its paging is; complete, or it says that it is not (C3). */
export async function* sourcePages(
  context: RunContext,
  pass: Pass,
  position: string,
  onShort: OnShort,
  onGone: OnGone,
): AsyncGenerator<SourcePage> {
  if (pass.source.kind === 'staged') await stageAll(context, pass, onShort, onGone)
  const pages = await pagesOf(context, pass, position, onShort, onGone)
  for await (const page of pages) {
    const own = await belowInScope(context, pass, requestedOf(context, pass, page.items))
    const items = await asStorefrontSees(context, 'source', pass, await wholeItems(context, 'source', pass, own))
    // How many of the others are the run's, nobody knows yet.
    yield { ...page, items, total: items.length < page.items.length ? null : page.total }
  }
}

async function pagesOf(
  context: RunContext,
  pass: Pass,
  position: string,
  onShort: OnShort,
  onGone: OnGone,
): Promise<AsyncIterable<SourcePage> | SourcePage[]> {
  if (pass.source.kind === 'staged') return stagedPages(context, pass, position)
  if (readsPicks(context, pass)) return pickedPages(context, pass, position, onGone)
  const reading = await partOfList(context, 'source', pass, pass.source)
  return reading ? directPages(context, reading, position, onShort) : []
}

/** Items of either store, page by page, whatever the paging of the resource. */
export async function* plainPages(
  context: RunContext,
  side: 'source' | 'destination',
  reading: Reading,
): AsyncGenerator<ListPage> {
  const { path, query = {}, limit, kind, idField, idFilter: filter, parts, pages: own } = reading
  const options = { limit, signal: context.lease.stop }
  if (parts) return yield* pagesOfParts(context[side], reading, parts, options)
  if (own) return yield* own(context[side], path, query, { ...options, channels: context.channels?.[side] })
  const pages =
    kind === 'keyset'
      ? keysetOf(reading)<PlatformItem>(context[side], path, query, { ...options, idField, filter })
      : kind === 'cursor'
        ? cursorPages<PlatformItem>(context[side], path, query, options)
        : numberedPages<PlatformItem>(context[side], path, query, options)
  yield* pages
}

function keysetOf({ path }: Reading) {
  return isV2(path) ? v2KeysetPages : keysetPages
}

export type ListPage = Pick<Page<PlatformItem>, 'items' | 'total' | 'read'>

/** Picked items, by their ids and in order of them. */
async function* pickedPages(
  context: RunContext,
  pass: Pass,
  position: string,
  onGone: OnGone,
): AsyncGenerator<SourcePage> {
  const filter = await filterOfPicks(context, pass)
  for (let at = position; ; ) {
    const ids = await nextPicks(context, pass, at, pass.source.limit)
    const last = ids.at(-1)
    if (last === undefined) return
    at = last
    const items = filter && pass.byIds ? await rawByIds(context, 'source', pass, ids, filter) : []
    await onGone(without(ids, items, pass))
    yield { items, position: at, level: null, total: null, broken: false }
  }
}

function without(ids: string[], items: PlatformItem[], { source }: Pass): string[] {
  const found = new Set(items.map((item) => String(item[source.idField])))
  return ids.filter((id) => !found.has(id))
}

/** Items with what no page shows, and without those that hold nothing for the pass. */
export async function wholeItems(
  context: RunContext,
  side: 'source' | 'destination',
  pass: Pass,
  items: PlatformItem[],
): Promise<PlatformItem[]> {
  const details = detailsOf(pass, context.run)
  const whole =
    details.length > 0 ? await Promise.all(items.map((item) => withDetails(context, side, pass, details, item))) : items
  return pass.holds ? whole.filter(pass.holds) : whole
}

/** Of items of the source, those that the run asks for. */
function requestedOf({ run }: RunContext, pass: Pass, items: PlatformItem[]): PlatformItem[] {
  return pass.isRequested ? items.filter((item) => pass.isRequested?.(item, run)) : items
}

async function withDetails(
  context: RunContext,
  side: 'source' | 'destination',
  { source: { idField } }: Pass,
  details: Details,
  item: PlatformItem,
): Promise<PlatformItem> {
  const whole = { ...item }
  const id = String(item[idField])
  for (const { field, path, query, mayHave, isWhole, listed } of details) {
    if (!mayHave(item)) continue
    const read = () => detailOf(context, side, path(id), query?.(id) ?? {}, listed)
    const rows = await read()
    // Lists of v2 do not say how long they are: one that ends early looks like a short one.
    whole[field] = isWhole?.(item, rows) === false ? await read() : rows
  }
  return whole
}

type Details = NonNullable<Pass['details']>

/** One whose owner went meanwhile is empty; that the owner is gone is found out elsewhere. */
async function detailOf(
  context: RunContext,
  side: 'source' | 'destination',
  path: string,
  query: Query,
  listed: Details[number]['listed'],
): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  const options = { signal: context.lease.stop }
  try {
    if (listed) return listed((await context[side].get(path, query, options)).body)
    for await (const { items } of numberedPages<PlatformItem>(context[side], path, query, options)) found.push(...items)
  } catch (error) {
    if (!(error instanceof PlatformError) || error.httpStatus !== 404) throw error
  }
  return found
}

/** A list that ends before the platform's own count is read again from its end, twice at most. */
const tailReads = 2

async function* directPages(
  context: RunContext,
  reading: Reading,
  position: string,
  onShort: OnShort,
): AsyncGenerator<SourcePage> {
  let at = position
  let given = 0
  let counted = 0
  for (let reads = 0; ; reads++) {
    const before = given
    for await (const page of pagesFrom(context, reading, at)) {
      at = page.position
      given += page.items.length
      // A list resumed at a cursor gives no count; then the one of the read before stands.
      if (page.total !== null) counted = before + page.total
      yield { ...page, total: position === '' && reads === 0 ? page.total : null }
    }
    if (given >= counted) return
    if (reads < tailReads) continue
    return onShort(counted - given)
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
    // An empty page may name a cursor all the same: what lies before it was not given.
    const position = page.items.length > 0 ? (page.cursor ?? at) : at
    yield { ...whole, items: page.items, position, total: page.total }
  }
}

/** An offset is no place to resume at: the list is read in one go into the database, where a key keeps it free of doubles (C3). */
async function stageAll(context: RunContext, pass: Pass, onShort: OnShort, onGone: OnGone): Promise<void> {
  const key = `${pass.key}:staged`
  if ((await readCheckpoint(context.database, context.run.id, key)).finished) return
  if (readsPicks(context, pass)) await stagePicks(context, pass, onGone)
  else await stageList(context, pass, onShort)
  await context.recorder.record(async (tx) => {
    await levelItems(tx, context.run.id, pass.key)
    await writeCheckpoint(tx, context.run.id, key, { position: '', pages: 0, finished: true })
  })
}

/** As many ids in one call as give a full page. */
async function stagePicks(context: RunContext, pass: Pass, onGone: OnGone): Promise<void> {
  const filter = await filterOfPicks(context, pass)
  let total = 0
  for (let after = ''; ; ) {
    const ids = await nextPicks(context, pass, after, pass.source.limit)
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    total += ids.length
    const items = filter === null ? [] : await pickedItems(context, pass, ids, filter)
    await context.recorder.record((tx) =>
      stageItems(
        tx,
        context.run.id,
        pass.key,
        items.map((body) => staged(context, pass, body)),
      ),
    )
    if (!pass.picks?.of) await onGone(without(ids, items, pass))
  }
  await context.recorder.record((tx) => setExpected(tx, context.run.id, pass.root, total))
}

async function pickedItems(
  context: RunContext,
  pass: Pass,
  ids: string[],
  filter: Record<string, string | number>,
): Promise<PlatformItem[]> {
  const { path, query, limit, idField } = pass.source
  const parameter = pass.picks?.idsParameter
  if (parameter !== undefined && pass.source.pages)
    return walkedItems(context, pass, { ...query, ...filter, [parameter]: ids.join(',') })
  if (parameter !== undefined)
    return someItems(context, 'source', path, { ...query, ...filter, [parameter]: ids.join(','), limit })
  const found: PlatformItem[] = []
  for await (const { items } of plainPages(context, 'source', { ...pass.source, query: { ...query, ...filter } }))
    found.push(...items.filter((item) => ids.includes(String(item[idField]))))
  return found
}

async function walkedItems(
  context: RunContext,
  pass: Pass,
  query: Record<string, string | number>,
): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  for await (const { items } of plainPages(context, 'source', { ...pass.source, query })) found.push(...items)
  return found
}

function staged({ protection }: RunContext, pass: Pass, body: PlatformItem): StagedItem {
  const sourceId = String(body[pass.source.idField])
  const parentId = pass.parentOf?.(body) ?? null
  return { sourceId, parentId, body: protection.staged(pass.root, sourceId, body) }
}

function unstaged({ protection }: RunContext, { root }: Pass, { sourceId, body }: StagedItem): PlatformItem {
  return protection.unstaged(root, sourceId, body)
}

async function stageList(context: RunContext, pass: Pass, onShort: OnShort): Promise<void> {
  const reading = await partOfList(context, 'source', pass, pass.source)
  let total = 0
  let stored = 0
  // A list that shrinks while it is read skips items: read it again, twice at most.
  for (let reads = 0; reading && reads <= tailReads; reads++) {
    for await (const page of plainPages(context, 'source', reading)) {
      total = page.total ?? page.read
      const items = page.items.map((body) => staged(context, pass, body))
      await context.recorder.record((tx) => stageItems(tx, context.run.id, pass.key, items))
    }
    stored = await countStaged(context.database, context.run.id, pass.key)
    if (stored >= total) break
  }
  if (stored < total) await onShort(total - stored)
  // Of a list that is taken apart by what its items hang on, nobody knows yet how many are left.
  if (isPartialRun(context) && pass.below !== undefined) return
  await context.recorder.record((tx) => setExpected(tx, context.run.id, pass.root, total))
}

async function* stagedPages(context: RunContext, pass: Pass, position: string): AsyncGenerator<SourcePage> {
  let at = parsePosition(position)
  for (;;) {
    const rows = await stagedPage(context.database, context.run.id, pass.key, at, 100)
    const first = rows[0]
    if (!first) return
    // One level at a time: parents are written before their children are planned (C5).
    const sameLevel = rows.filter((row) => row.level === first.level)
    const last = sameLevel.at(-1) ?? first
    at = { level: last.level ?? brokenLevel, sourceId: last.sourceId }
    yield {
      items: sameLevel.map((row) => unstaged(context, pass, row)),
      position: `${at.level}:${at.sourceId}`,
      level: first.level,
      total: null,
      broken: first.level === null,
    }
  }
}

/** Sorts after every level the platform allows. */
const brokenLevel = 1_000_000

function parsePosition(position: string): { level: number; sourceId: string } {
  if (position === '') return { level: -1, sourceId: '' }
  const end = position.indexOf(':')
  return { level: Number(position.slice(0, end)), sourceId: position.slice(end + 1) }
}

/** Reads given items again: those a process that died had planned and not finished. Gone ones are missing from the answer. */
export async function readAgain(context: RunContext, pass: Pass, ids: string[]): Promise<PlatformItem[]> {
  if (pass.source.kind !== 'staged' && pass.byIds) return itemsByIds(context, 'source', pass, ids)
  const items =
    pass.source.kind === 'staged'
      ? (await stagedByIds(context.database, context.run.id, pass.key, ids)).map((row) => unstaged(context, pass, row))
      : await listAgain(context, pass, new Set(ids))
  return asStorefrontSees(context, 'source', pass, await wholeItems(context, 'source', pass, items))
}

export async function itemsByIds(
  context: RunContext,
  side: 'source' | 'destination',
  pass: Pass,
  ids: string[],
): Promise<PlatformItem[]> {
  const found = await rawByIds(context, side, pass, ids)
  return asStorefrontSees(context, side, pass, await wholeItems(context, side, pass, found))
}

async function rawByIds(
  context: RunContext,
  side: 'source' | 'destination',
  pass: Pass,
  ids: string[],
  filter: Record<string, string | number> = {},
): Promise<PlatformItem[]> {
  if (!pass.byIds) throw new Error(`${pass.key} cannot be read by id.`)
  const { path, query, idsParameter, limit } = pass.byIds
  if (idsParameter === 'range')
    return itemsInRanges(context, side, { ...pass.byIds, query: { ...query, ...filter } }, ids)
  const found: PlatformItem[] = []
  for (const some of inParts(ids, limit)) {
    const requested = { ...query, ...filter, [idsParameter]: some.join(','), limit }
    found.push(...(await someItems(context, side, path, requested)))
  }
  return found
}

/** A gap of more ids than a page holds is not read across: two calls are fewer. */
function rangesOf(ids: string[], page: number): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = []
  for (const id of ids.map(Number).sort((a, b) => a - b)) {
    const open = ranges.at(-1)
    if (open && id - open.last <= page) open.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges
}

/** Copies of a page of orders stand side by side, so that a call or two give them all. */
export async function itemsInRanges(
  context: RunContext,
  side: 'source' | 'destination',
  { path, query, limit }: NonNullable<Pass['byIds']>,
  ids: string[],
): Promise<PlatformItem[]> {
  const requested = new Set(ids)
  const found: PlatformItem[] = []
  for (const { first, last } of rangesOf(ids, limit)) {
    const options = { after: first - 1, limit, signal: context.lease.stop }
    for await (const { items } of v2KeysetPages<PlatformItem>(context[side], path, { ...query, max_id: last }, options))
      found.push(...items.filter(({ id }) => requested.has(String(id))))
  }
  return found
}

async function someItems(
  context: RunContext,
  side: 'source' | 'destination',
  path: string,
  query: Record<string, string | number>,
): Promise<PlatformItem[]> {
  return itemsIn(await context[side].get(path, query, { signal: context.lease.stop }), path)
}

async function listAgain(context: RunContext, pass: Pass, ids: Set<string>): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  for await (const page of directPages(context, pass.source, '', async () => undefined))
    found.push(...page.items.filter((item) => ids.has(String(item[pass.source.idField]))))
  return found
}
