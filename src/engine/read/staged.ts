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
import type { Pass } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import type { RunContext } from '../context/context.ts'
import { isPartialRun } from '../scope/partial-run.ts'
import { nextPicks, readsPicks } from '../scope/picked-scope.ts'
import { filterOfPicks, partOfList } from '../scope/storefront-scope.ts'
import { askFor, idsParameter as idsOf, rowsAmong, rowsByIds } from './by-ids.ts'
import { plainPages } from './pages.ts'
import { onePage, readAhead } from './read-ahead.ts'
import { missingIds, rereads, type SourceEvents, type SourcePage } from './source-page.ts'

/** Reads a list that cannot be resumed into the database in one go, where a unique key keeps out duplicates (C3). */
export async function stageAll(context: RunContext, pass: Pass, { onIncomplete, onGone }: SourceEvents): Promise<void> {
  const key = `${pass.key}:staged`
  if ((await readCheckpoint(context.database, context.run.id, key)).finished) return
  if (readsPicks(context, pass)) await stagePicks(context, pass, onGone)
  else await stageList(context, pass, onIncomplete)
  await context.recorder.record(async (tx) => {
    if (pass.parentOf) await levelItems(tx, context.run.id, pass.key)
    await writeCheckpoint(tx, context.run.id, key, { position: '', pages: 0, finished: true })
  })
}

async function stagePicks(context: RunContext, pass: Pass, onGone: SourceEvents['onGone']): Promise<void> {
  const filter = await filterOfPicks(context, pass)
  let total = 0
  for (let after = ''; ; ) {
    const ids = await nextPicks(context, pass, after, pass.source.limit)
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    total += ids.length
    const items = filter === null ? [] : await pickedItems(context, pass, ids, filter)
    await stage(context, pass, items)
    if (!pass.picks?.of) await onGone(missingIds(ids, items, pass))
  }
  await context.recorder.record((tx) => setExpected(tx, context.run.id, pass.root, total))
}

async function pickedItems(
  context: RunContext,
  pass: Pass,
  ids: string[],
  filter: Record<string, string | number>,
): Promise<PlatformItem[]> {
  const { path, limit, pages } = pass.source
  const idsParameter = pass.picks?.idsParameter
  const query = { ...pass.source.query, ...filter }
  if (idsParameter === undefined) return pickedAmong(context, pass, { ...pass.source, query }, ids)
  if (!pages) return rowsByIds(context, 'source', { path, query, limit, idsParameter }, ids)
  const walked = { ...pass.source, query: { ...query, [idsParameter]: ids.join(',') } }
  const found: PlatformItem[] = []
  for await (const { items } of plainPages(context, 'source', walked)) found.push(...items)
  return found
}

/**
 * Finds picks in a list that cannot be filtered by them. What the list did not show is read by id before it counts as
 * gone (G1).
 */
async function pickedAmong(context: RunContext, pass: Pass, reading: Reading, ids: string[]): Promise<PlatformItem[]> {
  if (idsOf(pass) !== undefined) return (await askFor(context, 'source', pass, reading, ids)) ?? []
  const found = await rowsAmong(context, 'source', reading, new Set(ids))
  const missing = missingIds(ids, found, pass)
  const asked = missing.length > 0 ? await askFor(context, 'source', pass, reading, missing) : []
  return [...found, ...(asked ?? [])]
}

function stage(context: RunContext, pass: Pass, items: PlatformItem[], group = 0): Promise<void> {
  const rows = items.map((body) => staged(context, pass, body))
  const at = { pass: pass.key, level: pass.parentOf ? null : group }
  return context.recorder.record((tx) => stageItems(tx, context.run.id, at, rows))
}

function staged({ protection }: RunContext, pass: Pass, body: PlatformItem): StagedItem {
  const sourceId = String(body[pass.source.idField])
  const parentId = pass.parentOf?.(body) ?? null
  return { sourceId, parentId, body: protection.staged(pass.root, sourceId, body) }
}

function unstaged({ protection }: RunContext, { root }: Pass, { sourceId, body }: StagedItem): PlatformItem {
  return protection.unstaged(root, sourceId, body)
}

async function stageList(context: RunContext, pass: Pass, onIncomplete: SourceEvents['onIncomplete']): Promise<void> {
  const reading = await partOfList(context, 'source', pass, pass.source)
  let total = 0
  let stored = 0
  let changing = false
  // A numbered list was already read again until it was complete (G2); others may have ended early.
  for (let reads = 0; reading && reads <= rereads; reads++) {
    const onChanging = () => {
      changing = true
    }
    const groups = groupsOf(pass)
    for await (const page of readAhead(plainPages(context, 'source', reading, { onChanging }), onePage)) {
      total = page.total ?? page.read
      for (const [group, items] of groups.of(page.items)) await stage(context, pass, items, group)
    }
    stored = await countStaged(context.database, context.run.id, pass.key)
    if (changing || stored >= total) break
  }
  if (changing || stored < total) await onIncomplete(Math.max(0, total - stored))
  // How many of them belong to items in scope is not known yet.
  if (isPartialRun(context) && pass.below !== undefined) return
  await context.recorder.record((tx) => setExpected(tx, context.run.id, pass.root, Math.max(total, stored)))
}

/** Numbers the groups in which the items of a list are planned, page by page. */
export function groupsOf({ plannedInGroups: size }: Pick<Pass, 'plannedInGroups'>): {
  of(page: PlatformItem[]): Map<number, PlatformItem[]>
} {
  let group = { number: 0, items: 0 }
  const numberOf = (together: PlatformItem[]) => {
    const isFull = size && group.items > 0 && group.items + together.length > size.items
    if (isFull) group = { number: group.number + 1, items: 0 }
    group.items += together.length
    return group.number
  }
  return {
    of: (page) => {
      const found = new Map<number, PlatformItem[]>()
      for (const together of Map.groupBy(page, (item) => size?.belongingTo(item)).values()) {
        const number = numberOf(together)
        const items = found.get(number)
        if (items) items.push(...together)
        else found.set(number, together)
      }
      return found
    },
  }
}

/**
 * How many staged items are planned together: a group, or half of a page of the platform, which makes pages of small items
 * large. Each plan takes some twenty statements, whatever its size; larger ones take memory (A6).
 */
function plannedTogether({ source, plannedTogether: most, plannedInGroups: group }: Pass): number {
  return most ?? group?.items ?? Math.max(100, source.limit / 2)
}

export async function* stagedPages(context: RunContext, pass: Pass, position: string): AsyncGenerator<SourcePage> {
  let at = parsePosition(position)
  for (;;) {
    const rows = await stagedPage(context.database, context.run.id, pass.key, at, plannedTogether(pass))
    const last = rows.at(-1)
    if (!last) return
    at = { level: last.level ?? brokenLevel, sourceId: last.sourceId }
    yield {
      items: rows.map((row) => unstaged(context, pass, row)),
      position: `${at.level}:${at.sourceId}`,
      level: last.level,
      total: null,
      broken: last.level === null,
    }
  }
}

/** Sorts after every level that the platform allows. */
const brokenLevel = 1_000_000

function parsePosition(position: string): { level: number; sourceId: string } {
  if (position === '') return { level: -1, sourceId: '' }
  const end = position.indexOf(':')
  return { level: Number(position.slice(0, end)), sourceId: position.slice(end + 1) }
}

/** Staged items by id, as they were read. */
export async function stagedItems(context: RunContext, pass: Pass, ids: string[]): Promise<PlatformItem[]> {
  await stageErased(context, pass)
  const rows = await stagedByIds(context.database, context.run.id, pass.key, ids)
  return rows.map((row) => unstaged(context, pass, row))
}

/** An erasure of texts has the list read again (`eraseTexts`). */
async function stageErased(context: RunContext, pass: Pass): Promise<void> {
  const { finished } = await readCheckpoint(context.database, context.run.id, `${pass.key}:staged`)
  if (finished || (await countStaged(context.database, context.run.id, pass.key)) === 0) return
  await stageAll(context, pass, { onIncomplete: async () => undefined, onGone: async () => undefined })
}
